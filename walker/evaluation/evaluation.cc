#include "walker/evaluation/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "kgwalk/error.h"
#include "runtime/processor_share.h"
#include "runtime/sharded_work.h"
#include "runtime/stopwatch.h"
#include "walker/data/dataset.h"
#include "walker/evaluation/readings.h"

namespace kgwalk::walker {
namespace {

constexpr std::size_t kStartsWalked = 6;  // likeliest starts that are walked from

// The examples of a batch, one a start that is walked from.
struct Starts {
  std::vector<Example> examples;
  std::vector<std::size_t> owner;  // index of the original example
  std::vector<double> log_weight;  // log of the start's probability
};

// The walker's own choice where it makes one, all candidates equally likely where it does not.
std::vector<ChosenStart> chosen_starts(const WalkModel& model, const Example& example,
                                       const dialogue::EntityLinker& linker) {
  std::vector<ChosenStart> chosen = model.choose_start(example);
  chosen.resize(std::min(chosen.size(), kStartsWalked));
  if (!chosen.empty()) return chosen;
  const std::vector<graph::EntityId> from = candidate_starts(example, linker);
  for (const graph::EntityId start : from)
    chosen.push_back({.entity = start, .log_prob = -std::log(static_cast<double>(from.size()))});
  return chosen;
}

Starts starts_of(const WalkModel& model, std::span<const Example> examples, const EvaluationConfig& config) {
  Starts starts;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::vector<ChosenStart> from{{.entity = examples[i].start}};
    if (config.linker != nullptr) from = chosen_starts(model, examples[i], *config.linker);
    for (const ChosenStart& start : from) {
      starts.examples.push_back(examples[i]);
      starts.examples.back().start = start.entity;
      starts.owner.push_back(i);
      starts.log_weight.push_back(start.log_prob);
    }
  }
  return starts;
}

// Ranks of one batch. With several starts the start is the first entity of the sequence: paths from another
// start than the gold one compete but never count as the gold path; their last entities do count as targets.
struct Ranked {
  std::vector<GoldRanks> ranks;
  std::vector<LinkRank> link_ranks;
  std::array<std::vector<GoldRanks>, kNumReadings> readings;  // empty unless asked for
  std::int64_t start_missed = 0;
  void append(const Ranked& other) {
    ranks.insert(ranks.end(), other.ranks.begin(), other.ranks.end());
    link_ranks.insert(link_ranks.end(), other.link_ranks.begin(), other.link_ranks.end());
    for (std::size_t r = 0; r < readings.size(); ++r)
      readings[r].insert(readings[r].end(), other.readings[r].begin(), other.readings[r].end());
    start_missed += other.start_missed;
  }
};

// A rank that was not reached is null: json has no infinity.
Json ranks_as_json(const std::vector<GoldRanks>& ranks) {
  Json json = Json::array();
  for (const GoldRanks& r : ranks) {
    Json& row = json.emplace_back(Json::array());
    for (const double rank : {r.path, r.relation, r.target})
      row.push_back(rank == kUnreached ? Json(nullptr) : Json(rank));
  }
  return json;
}

std::vector<GoldRanks> ranks_of_json(const Json& json) {
  const auto rank = [](const Json& value) { return value.is_null() ? kUnreached : value.get<double>(); };
  std::vector<GoldRanks> ranks;
  for (const Json& row : json) ranks.push_back({rank(row.at(0)), rank(row.at(1)), rank(row.at(2))});
  return ranks;
}

void to_json(Json& json, const Ranked& ranked) {
  json = {{"ranks", ranks_as_json(ranked.ranks)},
          {"link_ranks", ranked.link_ranks},
          {"readings", Json::array()},
          {"start_missed", ranked.start_missed}};
  for (const auto& reading : ranked.readings) json["readings"].push_back(ranks_as_json(reading));
}

void from_json(const Json& json, Ranked& ranked) {
  ranked.ranks = ranks_of_json(json.at("ranks"));
  ranked.link_ranks = json.at("link_ranks").get<std::vector<LinkRank>>();
  for (std::size_t r = 0; r < ranked.readings.size(); ++r)
    ranked.readings[r] = ranks_of_json(json.at("readings").at(r));
  ranked.start_missed = json.at("start_missed").get<std::int64_t>();
}

// What readings need of a batch that begins with example `first` of all.
struct ReadingInputs {
  const OtherTargets* targets = nullptr;  // of all examples; null: no readings
  std::size_t first = 0;
};

// Lengths at the first start of each example.
std::vector<int> likeliest_lengths(const WalkModel& model, const Starts& starts, std::size_t count,
                                   Encoded& encoded) {
  std::vector<int> lengths(count, 0);
  const std::vector<float> all = model.length_log_probs(encoded);
  if (all.empty()) return lengths;
  for (std::size_t s = starts.owner.size(); s-- > 0;) {
    const auto row = all.begin() + static_cast<std::ptrdiff_t>(s) * kMaxHops;
    lengths[starts.owner[s]] = 1 + static_cast<int>(std::max_element(row, row + kMaxHops) - row);
  }
  return lengths;
}

// Each last entity by its best path, as tgt@k has it.
LinkRank link_rank(const graph::KnowledgeGraph& graph, const Example& example,
                   std::span<const StartedPath> paths) {
  std::map<graph::EntityId, double> best;
  for (const SequenceProbability& s : merge_parallel(paths)) {
    double& value = best[last_of(s.sequence)];
    value = std::max(value, s.value);
  }
  std::vector<FoundEnd> found;
  for (const auto& [entity, score] : best) found.push_back({entity, score});
  LinkRank rank{.head = std::string(graph.entity_name(example.start)),
                .relation = {},
                .tail = std::string(graph.entity_name(example.gold.back().tail))};
  for (const graph::Edge& hop : example.gold)
    rank.relation.append(rank.relation.empty() ? "" : " / ").append(graph.relation_name(hop.relation));
  rank.rank = end_ranks(found, {example.gold.back().tail}, graph.num_connected()).front();
  return rank;
}

Ranked rank_batch(const WalkModel& model, std::span<const Example> examples, const EvaluationConfig& config,
                  const ReadingInputs& inputs) {
  const Starts starts = starts_of(model, examples, config);
  const std::unique_ptr<Encoded> encoded = model.encode(starts.examples);
  const auto found = beam_paths(model, starts.examples, *encoded, {.config = config.search});
  std::vector<int> lengths;
  if (inputs.targets != nullptr) lengths = likeliest_lengths(model, starts, examples.size(), *encoded);
  Ranked result;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::vector<StartedPath> paths;
    bool has_start = false;
    for (std::size_t s = 0; s < starts.owner.size(); ++s) {
      if (starts.owner[s] != i) continue;
      has_start |= starts.examples[s].start == examples[i].start;
      for (ScoredPath path : found[s]) {
        path.log_prob += starts.log_weight[s];
        paths.push_back({starts.examples[s].start, path});
      }
    }
    result.start_missed += has_start ? 0 : 1;
    result.ranks.push_back(rank_gold(paths, examples[i].start, examples[i].gold));
    result.link_ranks.push_back(link_rank(model.graph(), examples[i], paths));
    if (inputs.targets == nullptr) continue;
    const ReadingContext context{.start = examples[i].start,
                                 .gold = examples[i].gold,
                                 .turn = inputs.targets->turn[inputs.first + i],
                                 .dialogue = inputs.targets->dialogue[inputs.first + i],
                                 .likeliest_length = lengths[i]};
    for (int r = 0; r < kNumReadings; ++r)
      if (static_cast<Reading>(r) != Reading::kLengthByHead || lengths[i] > 0)
        result.readings[static_cast<std::size_t>(r)].push_back(
            rank_by(static_cast<Reading>(r), paths, context));
  }
  return result;
}

RecallRow part(const std::vector<GoldRanks>& ranks, std::span<const Example> examples,
               const EvaluationConfig& config, const std::function<bool(const Example&)>& keep) {
  std::vector<GoldRanks> kept;
  std::vector<std::uint32_t> dialogues;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (!keep(examples[i])) continue;
    kept.push_back(ranks[i]);
    dialogues.push_back(examples[i].dialogue);
  }
  return recall(kept, dialogues, config.resamples, config.seed);
}

std::string recall_cells(const std::array<Recall, kRecallAt.size()>& recalls) {
  std::string cells;
  for (const Recall& r : recalls) cells += fmt::format("{:>7.1f}", r.percent);
  return cells;
}

std::string interval_cells(const std::array<Recall, kRecallAt.size()>& recalls) {
  std::string cells;
  for (const Recall& r : recalls) cells += fmt::format("  {:.1f}-{:.1f}", r.low, r.high);
  return cells;
}

std::string row_text(std::string_view name, const RecallRow& row) {
  if (row.num_paths == 0) return "";
  std::string text = fmt::format("{} ({} paths, {} unreached)\n", name, row.num_paths, row.unreached);
  text += "  path@k      " + recall_cells(row.path) + "\n";
  text += "  relation@k  " + recall_cells(row.relation) + "\n";
  text += "  tgt@k       " + recall_cells(row.target) + "\n";
  return text;
}

}  // namespace

Evaluation evaluate_paths(const WalkModel& model, std::span<const Example> examples,
                          const EvaluationConfig& config, Reporter& reporter, const StopFlag& stop,
                          ShardedWork* work) {
  const Stopwatch watch;
  ShardedWork alone;
  if (work == nullptr) work = &alone;
  for (const Example& example : examples)
    if (example.gold.empty()) throw ConfigError("evaluation needs the gold path of every example");
  Evaluation evaluation;
  evaluation.config = config;
  OtherTargets targets;
  if (config.readings) targets = other_targets(examples);
  Ranked all;
  const auto progress = reporter.start("evaluate", static_cast<std::int64_t>(examples.size()), "paths");
  ProcessorShare share;
  for (std::size_t i = 0; i < examples.size(); i += static_cast<std::size_t>(config.batch)) {
    if (stop.requested()) throw Stopped("evaluation was interrupted; nothing was written");
    share.update();
    const auto batch = examples.subspan(
        i, std::min<std::size_t>(static_cast<std::size_t>(config.batch), examples.size() - i));
    const auto ranked = work->unit<Ranked>([&] {
      return rank_batch(model, batch, config, {config.readings ? &targets : nullptr, i});
    });
    if (ranked) all.append(*ranked);
    progress->add(static_cast<std::int64_t>(batch.size()));
  }
  if (work->is_part()) return evaluation;
  evaluation.start_missed = all.start_missed;
  evaluation.link_ranks = std::move(all.link_ranks);
  const std::vector<GoldRanks>& ranks = all.ranks;
  for (int r = 0; r < kNumReadings; ++r)
    if (const auto& read = all.readings[static_cast<std::size_t>(r)]; !read.empty())
      evaluation.readings.emplace_back(name_of(static_cast<Reading>(r)),
                                       part(read, examples, config, [](const Example&) { return true; }));
  evaluation.all = part(ranks, examples, config, [](const Example&) { return true; });
  evaluation.official = part(ranks, examples, config, [](const Example& e) { return !e.annotation_only; });
  evaluation.one_hop = part(ranks, examples, config, [](const Example& e) { return e.gold.size() == 1; });
  evaluation.two_hop = part(ranks, examples, config, [](const Example& e) { return e.gold.size() > 1; });
  evaluation.seconds = watch.seconds();
  return evaluation;
}

Json Evaluation::to_json(std::string_view split) const {
  Json json = Json::object();
  json["split"] = split;
  json["start"] = config.linker == nullptr ? "gold" : "all candidate starts, equally likely";
  json["start_missed"] = start_missed;
  json["fan_out"] = "all out-edges, never truncated";
  json["match"] = "entity sequence, parallel edges merged by sum; relation: with relations, nothing merged";
  json["target"] = "best path of each last entity";
  json["ties"] = "expected rank";
  json["unreached"] = "miss";
  json["beam"] = config.search.beam;
  json["max_hops"] = config.search.max_hops;
  json["length_weight"] = config.search.length_weight;
  json["interval"] = "95 %, bootstrap over dialogues, " + std::to_string(config.resamples) + " resamples";
  json["all"] = all.to_json();
  json["without_annotation_only"] = official.to_json();
  json["one_hop"] = one_hop.to_json();
  json["two_hop"] = two_hop.to_json();
  for (const auto& [name, row] : readings) json["readings"][name] = row.to_json();
  json["seconds"] = std::round(seconds * 10) / 10;
  return json;
}

std::string Evaluation::to_text(std::string_view split) const {
  std::string text = fmt::format("{}: recall in percent at k = ", split);
  for (std::size_t k = 0; k < kRecallAt.size(); ++k)
    text += (k == 0 ? "" : ", ") + std::to_string(kRecallAt[k]);
  text += fmt::format(
      "; beam {}, at most {} hops; start: {}\n", config.search.beam, config.search.max_hops,
      config.linker == nullptr ? "gold" : fmt::format("candidates ({} gold missed)", start_missed));
  text += row_text("all gold paths", all);
  if (config.resamples > 0) {
    text += "  path@k 95 %" + interval_cells(all.path) + "\n";
    text += "  tgt@k  95 %" + interval_cells(all.target) + "\n";
  }
  text += row_text("without annotation-only triples", official);
  text += row_text("one hop", one_hop);
  text += row_text("two hops", two_hop);
  if (!readings.empty()) text += "other readings, all gold paths:  path@k, then tgt@k\n";
  for (const auto& [name, row] : readings)
    text += fmt::format("  {:<20}", name) + recall_cells(row.path) + "  " + recall_cells(row.target) + "\n";
  text += "fan-out complete; parallel edges merged by sum; ties by expected rank; unreached is a miss\n";
  return text;
}

}  // namespace kgwalk::walker
