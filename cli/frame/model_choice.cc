#include "cli/frame/model_choice.h"

#include <cstdlib>

#include "cli/parsing/workspace.h"
#include "kgwalk/packed_model.h"
#include "server/state/model.h"

namespace kgwalk::cli {
namespace {

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

void fill_in(std::string& value, const std::filesystem::path& from) {
  if (value.empty()) value = from.string();
}

// What `kgwalk serve` takes beside packed models: a json file that names the parts of one.
bool names_parts(const std::filesystem::path& model) {
  std::error_code ignored;
  return model.extension() == ".json" && std::filesystem::is_regular_file(model, ignored);
}

}  // namespace

void ModelChoice::add_options(CLI::App& app, bool positional, bool needs_run) {
  needs_run_ = needs_run;
  app.add_option(
      positional ? "model,--model" : "--model", model,
      "packed model of 'kgwalk pack', folder or file, or a json file that names its parts, in place of "
      "--db and --run");
  app.add_option("--db", database, "database made by 'kgwalk ingest'");
  if (!needs_run) return;
  app.add_option("--run", run, "run folder of 'kgwalk train' or 'kgwalk rl'");
  app.add_option("--text", text, "folder of the text encoder, when it has moved since training");
}

void ModelChoice::add_other_graph(CLI::App& app) {
  app.add_flag(
      "--other-graph", other_graph,
      "the database may hold another graph than the one trained on: what is asked is heard by the words of "
      "its relations, habits are left behind");
}

void ModelChoice::add_listener(CLI::App& app) {
  app.add_option("--listener", listener,
                 "run of 'kgwalk listen train', which hears what is asked (the folder listener in the run "
                 "unless given)");
}

void ModelChoice::take_model(std::vector<std::string>& words, std::size_t others) {
  if (words.empty() || !model.empty() || !database.empty() || !run.empty()) return;
  const std::string& first = words.front();
  std::error_code ignored;
  const bool is_file = std::filesystem::exists(first, ignored);
  const bool elsewhere = !from_environment("KGWALK_MODEL").empty() ||
                         !from_environment("KGWALK_DB").empty() ||
                         std::filesystem::exists(kWorkspaceFile, ignored);
  if (!(is_file && (names_parts(first) || is_packed_model(first))) && (words.size() <= others || elsewhere))
    return;
  model = first;
  words.erase(words.begin());
}

void ModelChoice::resolve(const Common& common) {
  if (model.empty() && database.empty() && run.empty()) model = from_environment("KGWALK_MODEL");
  if (names_parts(model)) {
    const server::ModelSource parts = server::ModelSource::read(model, {});
    fill_in(database, parts.database);
    fill_in(run, parts.run);
    fill_in(text, parts.text);
    fill_in(simulator, parts.simulator);
    fill_in(listener, parts.listener);
  } else if (!model.empty()) {
    const PackedModel packed = PackedModel::open(model, *common.reporter, *common.stop);
    fill_in(database, packed.database);
    fill_in(run, packed.run);
    fill_in(text, packed.text);
    fill_in(simulator, packed.simulator);
    fill_in(responder, packed.responder);
  }
  if (database.empty()) database = from_environment("KGWALK_DB");
  if (const auto workspace = find_workspace(common.workspace); workspace && model.empty()) {
    std::error_code ignored;
    fill_in(database, workspace->database);
    fill_in(run, workspace->run);
    if (std::filesystem::exists(workspace->simulator, ignored)) fill_in(simulator, workspace->simulator);
    if (std::filesystem::exists(workspace->responder, ignored)) fill_in(responder, workspace->responder);
  }
  if (database.empty()) throw CLI::RequiredError(needs_run_ ? "a packed model, or --db and --run," : "--db");
  if (run.empty() && needs_run_) throw CLI::RequiredError("--run");
}

}  // namespace kgwalk::cli
