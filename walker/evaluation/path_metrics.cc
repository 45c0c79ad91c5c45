#include "walker/evaluation/path_metrics.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "kgwalk/error.h"
#include "runtime/random.h"

namespace kgwalk::walker {
namespace {

constexpr double kTie = 1e-9;

std::span<const graph::Edge> hops_of(const ScoredPath& path) {
  return {path.hops.data(), static_cast<std::size_t>(path.num_hops)};
}

}  // namespace

// Entity sequence without the trailing self-loops by which shorter paths are padded.
EntitySequence sequence_of(graph::EntityId start, std::span<const graph::Edge> hops) {
  EntitySequence sequence;
  sequence.fill(kNoEntity);
  sequence[0] = start;
  for (std::size_t i = 0; i < hops.size(); ++i) sequence[i + 1] = hops[i].tail;
  for (std::size_t i = hops.size(); i > 1 && sequence[i] == sequence[i - 1]; --i) sequence[i] = kNoEntity;
  return sequence;
}

graph::EntityId last_of(const EntitySequence& sequence) {
  graph::EntityId last = kNoEntity;
  for (const graph::EntityId e : sequence)
    if (e != kNoEntity) last = e;
  return last;
}

std::vector<SequenceProbability> merge_parallel(std::span<const StartedPath> paths) {
  std::vector<SequenceProbability> merged;
  merged.reserve(paths.size());
  for (const StartedPath& p : paths)
    merged.push_back({sequence_of(p.start, hops_of(p.path)), std::exp(p.path.log_prob)});
  std::stable_sort(
      merged.begin(), merged.end(),
      [](const SequenceProbability& a, const SequenceProbability& b) { return a.sequence < b.sequence; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < merged.size(); ++i) {
    if (kept > 0 && merged[kept - 1].sequence == merged[i].sequence) {
      merged[kept - 1].value += merged[i].value;
    } else {
      merged[kept++] = merged[i];
    }
  }
  merged.resize(kept);
  return merged;
}

namespace {

// Counts what is better than or equal to a gold value; the gold itself is left out by the caller.
class RankCounter {
 public:
  explicit RankCounter(double gold) : gold_(gold), slack_(kTie * std::max(std::abs(gold), 1e-300)) {}
  void add(double value) {
    if (value > gold_ + slack_) {
      ++better_;
    } else if (value >= gold_ - slack_) {
      ++equal_;
    }
  }
  [[nodiscard]] double rank() const {
    return 1 + static_cast<double>(better_) + static_cast<double>(equal_) / 2;
  }

 private:
  double gold_, slack_;
  std::int64_t better_ = 0, equal_ = 0;
};

double rank_relations(std::span<const StartedPath> paths, graph::EntityId start,
                      std::span<const graph::Edge> gold) {
  const auto is_gold = [&](const StartedPath& p) {
    const auto hops = hops_of(p.path);
    return p.start == start && std::equal(gold.begin(), gold.end(), hops.begin(), hops.end());
  };
  const auto it = std::find_if(paths.begin(), paths.end(), is_gold);
  if (it == paths.end()) return kUnreached;
  RankCounter counter(it->path.log_prob);
  for (auto p = paths.begin(); p != paths.end(); ++p)
    if (p != it) counter.add(p->path.log_prob);
  return counter.rank();
}

double rank_targets(const std::vector<SequenceProbability>& merged, graph::EntityId gold) {
  std::vector<std::pair<graph::EntityId, double>> best;
  best.reserve(merged.size());
  for (const SequenceProbability& s : merged) best.emplace_back(last_of(s.sequence), s.value);
  std::sort(best.begin(), best.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  });
  best.erase(
      std::unique(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
      best.end());
  const auto it = std::find_if(best.begin(), best.end(), [gold](const auto& p) { return p.first == gold; });
  if (it == best.end()) return kUnreached;
  RankCounter counter(it->second);
  for (const auto& p : best)
    if (p.first != gold) counter.add(p.second);
  return counter.rank();
}

// Numbers of hits at each k of a list of ranks, dialogue by dialogue.
struct Hits {
  std::int64_t paths = 0;
  std::array<std::array<std::int64_t, kRecallAt.size()>, 3> hits{};
  void add(const Hits& other) {
    paths += other.paths;
    for (std::size_t m = 0; m < 3; ++m)
      for (std::size_t k = 0; k < kRecallAt.size(); ++k) hits[m][k] += other.hits[m][k];
  }
  void add(const GoldRanks& ranks) {
    ++paths;
    const std::array<double, 3> all{ranks.path, ranks.relation, ranks.target};
    for (std::size_t m = 0; m < 3; ++m)
      for (std::size_t k = 0; k < kRecallAt.size(); ++k) hits[m][k] += all[m] <= kRecallAt[k];
  }
  [[nodiscard]] double percent(std::size_t m, std::size_t k) const {
    return paths == 0 ? 0 : 100.0 * static_cast<double>(hits[m][k]) / static_cast<double>(paths);
  }
};

double quantile(std::vector<double>& values, double q) {
  const auto place = static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
  return values[place];
}

void add_intervals(RecallRow& row, const std::vector<Hits>& groups, int resamples, std::uint64_t seed) {
  Random random(seed);
  std::vector<Hits> draws(static_cast<std::size_t>(resamples));
  for (Hits& draw : draws)
    for (std::size_t i = 0; i < groups.size(); ++i) draw.add(groups[random.below(groups.size())]);
  const std::array<std::array<Recall, kRecallAt.size()>*, 3> out{&row.path, &row.relation, &row.target};
  std::vector<double> values(draws.size());
  for (std::size_t m = 0; m < 3; ++m) {
    for (std::size_t k = 0; k < kRecallAt.size(); ++k) {
      for (std::size_t i = 0; i < draws.size(); ++i) values[i] = draws[i].percent(m, k);
      (*out[m])[k].low = quantile(values, 0.025);
      (*out[m])[k].high = quantile(values, 0.975);
    }
  }
}

Json recalls_to_json(const std::array<Recall, kRecallAt.size()>& recalls) {
  Json json = Json::object();
  const auto rounded = [](double v) { return std::round(v * 100) / 100; };
  for (std::size_t k = 0; k < kRecallAt.size(); ++k)
    json[std::to_string(kRecallAt[k])] = {rounded(recalls[k].percent), rounded(recalls[k].low),
                                          rounded(recalls[k].high)};
  return json;
}

}  // namespace

GoldRanks rank_gold(std::span<const StartedPath> paths, graph::EntityId start,
                    std::span<const graph::Edge> gold) {
  GoldRanks ranks;
  if (gold.empty() || gold.size() > kMaxHops)
    throw ShapeError("rank_gold: the gold path must have 1 to 4 hops");
  const std::vector<SequenceProbability> merged = merge_parallel(paths);
  const EntitySequence wanted = sequence_of(start, gold);
  const auto it =
      std::lower_bound(merged.begin(), merged.end(), wanted,
                       [](const SequenceProbability& a, const EntitySequence& b) { return a.sequence < b; });
  if (it != merged.end() && it->sequence == wanted) {
    RankCounter counter(it->value);
    for (auto s = merged.begin(); s != merged.end(); ++s)
      if (s != it) counter.add(s->value);
    ranks.path = counter.rank();
  }
  ranks.relation = rank_relations(paths, start, gold);
  ranks.target = rank_targets(merged, gold.back().tail);
  return ranks;
}

GoldRanks rank_gold(std::span<const ScoredPath> paths, std::span<const graph::Edge> gold) {
  std::vector<StartedPath> started;
  started.reserve(paths.size());
  for (const ScoredPath& path : paths) started.push_back({0, path});
  return rank_gold(started, 0, gold);
}

Json RecallRow::to_json() const {
  Json json = Json::object();
  json["paths"] = num_paths;
  json["unreached"] = unreached;
  json["path"] = recalls_to_json(path);
  json["relation"] = recalls_to_json(relation);
  json["tgt"] = recalls_to_json(target);
  return json;
}

RecallRow recall(std::span<const GoldRanks> ranks, std::span<const std::uint32_t> dialogues, int resamples,
                 std::uint64_t seed) {
  if (ranks.size() != dialogues.size()) throw ShapeError("recall: one dialogue number a rank is needed");
  RecallRow row;
  std::map<std::uint32_t, Hits> by_dialogue;
  Hits total;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    by_dialogue[dialogues[i]].add(ranks[i]);
    total.add(ranks[i]);
    row.unreached += ranks[i].path == kUnreached;
  }
  row.num_paths = total.paths;
  for (std::size_t k = 0; k < kRecallAt.size(); ++k) {
    row.path[k].percent = total.percent(0, k);
    row.relation[k].percent = total.percent(1, k);
    row.target[k].percent = total.percent(2, k);
  }
  std::vector<Hits> groups;
  for (const auto& [dialogue, hits] : by_dialogue) groups.push_back(hits);
  if (!groups.empty() && resamples > 0) add_intervals(row, groups, resamples, seed);
  return row;
}

}  // namespace kgwalk::walker
