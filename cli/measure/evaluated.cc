#include "cli/measure/evaluated.h"

namespace kgwalk::cli {

void add_measured(CLI::App& app, MeasuredModel& of, const char* runs_help) {
  app.add_option("model,--model", of.packed, "packed model of 'kgwalk pack', in place of --run");
  app.add_option("--run", of.runs, runs_help);
  app.add_option("--db", of.database, "database (the one trained with unless given)");
  app.add_option("--text", of.text, "text encoder (the one trained with unless given)");
}

void add_other_graph(CLI::App& app, MeasuredModel& of) {
  app.add_flag(
      "--other-graph", of.other_graph,
      "the database may hold another graph than the one trained on: questions are heard by the words of "
      "its relations");
}

void need_model(const MeasuredModel& of) {
  if (of.packed.empty() && of.runs.empty()) throw CLI::RequiredError("a packed model or --run");
}

void add_ranks(CLI::App& app, std::filesystem::path& file) {
  app.add_option("--ranks", file,
                 "file for the rank of each right end among all entities, in the layout of test_ranks.tsv")
      ->check(output_file());
}

}  // namespace kgwalk::cli
