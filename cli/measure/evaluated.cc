#include "cli/measure/evaluated.h"

#include "cli/frame/print.h"
#include "kgwalk/error.h"
#include "kgwalk/packed_model.h"
#include "rl/training/run.h"
#include "runtime/files.h"

namespace kgwalk::cli {

void Evaluated::add_options(CLI::App& app, const char* runs_help) {
  app.add_option("model,--model", packed, "packed model of 'kgwalk pack', in place of --run");
  app.add_option("--run", runs, runs_help);
  app.add_option("--db", database, "database (the one trained with unless given)");
  app.add_option("--text", text, "text encoder (the one trained with unless given)");
}

void Evaluated::add_other_graph(CLI::App& app) {
  app.add_flag(
      "--other-graph", other_graph,
      "the database may hold another graph than the one trained on: questions are heard by the words of "
      "its relations");
}

void Evaluated::resolve(const Common& common) {
  if (!packed.empty()) {
    const PackedModel model = PackedModel::open(packed, *common.reporter, *common.stop);
    if (runs.empty()) runs.push_back(model.run.string());
    if (database.empty()) database = model.database.string();
    if (text.empty()) text = model.text.string();
  }
  if (runs.empty()) throw CLI::RequiredError("a packed model or --run");
}

OpenedWalkers Evaluated::open(const Common& common) {
  resolve(common);
  std::vector<walker::WalkerRun> opened;
  for (const std::string& run : runs) opened.push_back(rl::open_walker_run(run));
  graph::Store store = graph::Store::open(
      database.empty() ? opened.front().folder.manifest().database : std::filesystem::path(database),
      graph::Store::Mode::kReadOnly);
  auto model = walker::open_walkers(store, opened, {.text = text, .other_graph = other_graph});
  return {std::move(opened), std::move(store), std::move(model)};
}

void Evaluated::keep_result(OpenedWalkers& opened, const std::string& key, const Json& json) const {
  if (opened.runs.size() == 1 && packed.empty()) opened.runs.front().folder.write_result(key, json);
}

void add_ranks(CLI::App& app, std::string& file) {
  app.add_option("--ranks", file,
                 "file for the rank of each right end among all entities, in the layout of test_ranks.tsv")
      ->check(output_file());
}

void tell_ranks(const std::string& file, std::span<const walker::LinkRank> ranks, Json& json) {
  if (file.empty()) return;
  if (ranks.empty()) throw Error("--ranks: nothing has right ends to be ranked");
  write_file_atomically(file, walker::table_of(ranks));
  print_text(walker::to_text(ranks));
  json["link_prediction"] = walker::summarize(ranks).to_json();
}

}  // namespace kgwalk::cli
