// kgwalk link-prediction: trains TransE on one file of triples and ranks another, filtered by all three.

#include "kgwalk/link_prediction.h"
#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

struct LinkPredictionOptions {
  std::string train, valid, test;
  std::string run;
};

void print_row(const char* name, const embeddings::RankMetrics& m) {
  print("{:<10} {:9.1f}  {:.4f}  {:.4f}  {:.4f}  {:.4f}  {:>10}\n", name, m.mean_rank, m.mrr, m.hits1,
        m.hits3, m.hits10, with_commas(m.count));
}

void print_report(const embeddings::LinkPredictionReport& report) {
  print_text("filtered     mean rank     MRR  Hits@1  Hits@3 Hits@10       ranks\n");
  for (const auto& [name, split] : {std::pair{"test", &report.test}, {"valid", &report.valid}}) {
    print_row(name, split->both);
    print_row("  heads", split->head);
    print_row("  tails", split->tail);
  }
  print("training {} (processor {}), ranking {}\n", format_duration(report.train_seconds),
        format_duration(report.train_cpu_seconds), format_duration(report.rank_seconds));
}

void run(const LinkPredictionOptions& options, const Common& common) {
  auto config = load_config<embeddings::LinkPredictionConfig>(common.config_files, common.assignments);
  if (common.seed_given) config.transe.seed = common.seed;
  const auto data = embeddings::LinkDataset::load(options.train, options.valid, options.test);
  common.reporter->info(with_commas(static_cast<long long>(data.entities.size())) + " entities, " +
                        with_commas(static_cast<long long>(data.relations.size())) + " relations, " +
                        with_commas(static_cast<long long>(data.train.size())) + " training triples");
  for (const std::string& remark : data.remarks()) common.reporter->warn(remark);
  const auto report =
      embeddings::run_link_prediction(config, data, options.run, *common.reporter, *common.stop);
  print_report(report);
  Json json = report.to_json();
  json["config"] = to_json_of(config);
  common.write_json(json);
}

Verb add_link_prediction(CLI::App& app, Common& common) {
  auto options = std::make_shared<LinkPredictionOptions>();
  app.add_option("--train", options->train, "triples to train on: head TAB relation TAB tail")->required();
  app.add_option("--valid", options->valid, "triples to watch during training")->required();
  app.add_option("--test", options->test, "triples to rank at the end")->required();
  app.add_option("--run", options->run, "run folder: checkpoints, metrics, curve; resumes what it holds");
  return [options, &common] { run(*options, common); };
}

std::vector<Configurable> configures_link_prediction() {
  return {configurable<embeddings::LinkPredictionConfig>("link-prediction", "TransE on a benchmark's files")};
}

const Registration kLinkPredictionCommand({.name = "link-prediction",
                                           .help = "train and evaluate TransE on a benchmark's files",
                                           .example = "--train train.txt --valid valid.txt --test test.txt",
                                           .add = add_link_prediction,
                                           .group = Group::kGraph,
                                           .place = 8,
                                           .computes = Computes::kTransE,
                                           .configures = configures_link_prediction});

}  // namespace
}  // namespace kgwalk::cli
