#include "kgwalk/link_prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "embeddings/links/embedding_run.h"
#include "embeddings/links/ranking.h"
#include "embeddings/links/sharded_links.h"
#include "kgwalk/error.h"
#include "runtime/config.h"
#include "runtime/files.h"
#include "runtime/plot.h"
#include "runtime/run_folder.h"
#include "runtime/stopwatch.h"

namespace kgwalk::embeddings {
namespace {

// Triples that are ranked at once where shards may do it: at most 64 units a split.
std::size_t triples_a_unit(std::size_t triples) { return std::max<std::size_t>(4096, (triples + 63) / 64); }

// Every n-th triple, so that a sample covers the whole split.
std::vector<Triple> sample_of(const std::vector<Triple>& triples, int wanted) {
  if (wanted == 0 || triples.size() <= static_cast<std::size_t>(wanted)) return triples;
  std::vector<Triple> out;
  for (std::size_t i = 0; i < static_cast<std::size_t>(wanted); ++i)
    out.push_back(triples[i * triples.size() / static_cast<std::size_t>(wanted)]);
  return out;
}

class Session {
 public:
  // `run` null: nothing is kept. `reads`: its training has ended, and nothing is written there.
  Session(const LinkPredictionConfig& config, const LinkDataset& data, RunFolder* run, bool reads,
          Reporter& reporter)
      : config_(config),
        run_(run),
        reporter_(reporter),
        known_({data.train, data.valid, data.test}),
        sample_(sample_of(data.valid, config.validation_sample)),
        training_(config.embedding, data.train, static_cast<std::int64_t>(data.entities.size()),
                  static_cast<std::int64_t>(data.relations.size())) {
    if (!run_) return;
    if (reads) {
      read_ended();
      return;
    }
    run_->write_manifest(RunManifest(kLinkPredictionRun, config_, config_.embedding.seed));
    if (resume(training_, *run_))
      reporter_.info("resuming after epoch " + std::to_string(training_.epochs_done()));
    run_->metrics().rewind(training_.epochs_done());
    for (const Json& row : run_->read_metrics()) history_.push_back(row);
  }

  void train(LinkPredictionReport& report, const StopFlag& stop) {
    while (!training_.done()) {
      Stopwatch watch;
      const std::optional<double> loss = training_.run_epoch(reporter_, stop);
      report.train_seconds += watch.seconds();
      report.train_cpu_seconds += watch.processor_seconds();
      if (!loss) save_and_stop(training_, run_);
      const int epoch = training_.epochs_done();
      const bool due = config_.validate_every > 0 && epoch % config_.validate_every == 0;
      if (due) validate_epoch(epoch, *loss, report);
      if (!run_ || !(due || since_save_.seconds() > config_.checkpoint_every_s || training_.done())) continue;
      save(training_, *run_);
      since_save_ = Stopwatch();
    }
    report.history = history_;
  }

  // Of a shard: the ranks of its units alone.
  [[nodiscard]] std::vector<TripleRanks> ranks_of(std::span<const Triple> triples, ShardedWork& work,
                                                  const StopFlag& stop) const {
    std::vector<TripleRanks> all;
    const std::size_t step = triples_a_unit(triples.size());
    for (std::size_t begin = 0; begin < triples.size(); begin += step) {
      if (stop.requested()) throw Stopped("the ranking was stopped; nothing was written");
      const auto found = work.unit<std::vector<TripleRanks>>(
          [&] { return ranks_of(triples.subspan(begin, std::min(step, triples.size() - begin))); });
      if (found) all.insert(all.end(), found->begin(), found->end());
    }
    return all;
  }
  // What ranks depend on.
  void rest_on_tables(ShardedWork& work) const {
    if (run_ != nullptr) work.rests_on("embeddings", checksum_of_saved(*run_));
  }
  [[nodiscard]] std::vector<TripleRanks> ranks_of(std::span<const Triple> triples) const {
    return ranks(training_.model(), triples, known_, reporter_);
  }
  [[nodiscard]] RankReport rank(std::span<const Triple> triples) const {
    return summarize(ranks_of(triples));
  }

 private:
  void read_ended() {
    const RunManifest now(kLinkPredictionRun, config_, config_.embedding.seed);
    if (!now.differences(run_->manifest()).empty() || !resume(training_, *run_) || !training_.done())
      throw ConfigError(
          run_->path().string() +
              ": shards rank what a training has ended with; there is none of this configuration",
          Remedy{Remedy::kTrain, std::string(kLinkPredictionRun.command)});
  }

  void validate_epoch(int epoch, double loss, const LinkPredictionReport& report) {
    const RankMetrics m = rank(sample_).both;
    history_.push_back({{"step", epoch},
                        {"loss", loss},
                        {"valid_mrr", m.mrr},
                        {"valid_hits@10", m.hits10},
                        {"train_seconds", report.train_seconds},
                        {"train_cpu_seconds", report.train_cpu_seconds}});
    if (run_) run_->metrics().write(history_.back());
    char line[160];
    std::snprintf(line, sizeof line,
                  "epoch %d: loss %.4f, valid MRR %.4f, Hits@10 %.4f, %.1f s (processor %.1f s)", epoch, loss,
                  m.mrr, m.hits10, report.train_seconds, report.train_cpu_seconds);
    reporter_.info(line);
  }

  const LinkPredictionConfig& config_;
  RunFolder* run_;
  Reporter& reporter_;
  AnswerIndex known_;
  std::vector<Triple> sample_;
  EmbeddingTraining training_;
  std::vector<Json> history_;
  Stopwatch since_save_;
};

std::string curve(const std::string& title, const std::vector<Json>& history) {
  Series mrr{"valid MRR", {}, {}};
  Series hits{"valid Hits@10", {}, {}};
  for (const Json& row : history) {
    for (Series* s : {&mrr, &hits}) s->x.push_back(row.at("step"));
    mrr.y.push_back(row.at("valid_mrr"));
    hits.y.push_back(row.at("valid_hits@10"));
  }
  const std::vector<Series> series{mrr, hits};
  return line_chart_svg({.title = title, .x_label = "epoch", .y_label = "share"}, series);
}

// A line a triple, for other programs (scripts/check_pykeen.py).
std::string ranks_table(const LinkDataset& data, std::span<const Triple> triples,
                        std::span<const TripleRanks> ranks) {
  std::string text = "head\trelation\ttail\thead_rank\ttail_rank\n";
  for (std::size_t i = 0; i < triples.size(); ++i)
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", data.entities[triples[i].head],
                        data.relations[triples[i].relation], data.entities[triples[i].tail], ranks[i].head,
                        ranks[i].tail);
  return text;
}

}  // namespace

LinkPredictionReport run_link_prediction(const LinkPredictionConfig& config, const LinkDataset& data,
                                         const std::filesystem::path& run, Reporter& reporter,
                                         const StopFlag& stop) {
  ShardedWork alone;
  return run_link_prediction(config, data, run, alone, reporter, stop);
}

LinkPredictionReport run_link_prediction(const LinkPredictionConfig& config, const LinkDataset& data,
                                         const std::filesystem::path& run, ShardedWork& work,
                                         Reporter& reporter, const StopFlag& stop) {
  validate(config);
  if (work.is_part() && run.empty())
    throw ConfigError("shards rank what a training has ended with: name its run folder",
                      Remedy{Remedy::kGive, "run"});
  std::optional<RunFolder> folder;
  if (work.is_part())
    folder = RunFolder::open(run, kLinkPredictionRun);
  else if (!run.empty())
    folder = RunFolder::create(run, kLinkPredictionRun);
  LinkPredictionReport report;
  report.num_entities = static_cast<std::int64_t>(data.entities.size());
  report.num_relations = static_cast<std::int64_t>(data.relations.size());
  const Stopwatch whole;
  Session session(config, data, folder ? &*folder : nullptr, work.is_part(), reporter);
  session.train(report, stop);
  session.rest_on_tables(work);
  const Stopwatch ranking;
  report.valid = summarize(session.ranks_of(data.valid, work, stop));
  const std::vector<TripleRanks> test = session.ranks_of(data.test, work, stop);
  if (work.is_part()) return report;
  report.test = summarize(test);
  report.rank_seconds = ranking.seconds();
  report.seconds = whole.seconds();
  if (folder) {
    folder->write_result("link_prediction", report.to_json());
    write_file_atomically(folder->path() / "test_ranks.tsv", ranks_table(data, data.test, test));
    folder->write_plot(
        "learning_curve",
        curve(std::string(config.embedding.model.name()) + ": link prediction", report.history));
  }
  return report;
}

Json LinkPredictionReport::to_json() const {
  return {{"valid", valid.to_json()},
          {"test", test.to_json()},
          {"entities", num_entities},
          {"relations", num_relations},
          {"train_seconds", train_seconds},
          {"train_cpu_seconds", train_cpu_seconds},
          {"rank_seconds", rank_seconds},
          {"seconds", seconds},
          {"history", history}};
}

}  // namespace kgwalk::embeddings
