#include "cli/use/served_models.h"

#include "cli/parsing/workspace.h"
#include "kgwalk/packed_model.h"

namespace kgwalk::cli {

void ServedModels::add_options(CLI::App& app) {
  app.add_option("models", files,
                 "[NAME=]MODEL: packed models of 'kgwalk pack', or json files that name models: "
                 "{\"database\": DIR, \"run\": DIR, \"listener\": DIR, \"simulator\": DIR, \"text\": "
                 "DIR, \"recognizer\": DIR, \"about\": TEXT, \"license\": TEXT}, paths relative to "
                 "the file");
  app.add_option("--db", one.database, "database of a model made by 'kgwalk ingest', instead of a file");
  app.add_option("--run", one.run, "its run folder, of 'kgwalk rl' or 'kgwalk train'");
  app.add_option("--listener", one.listener,
                 "its run of 'kgwalk listen train' (the folder listener in the run unless given)");
  app.add_option("--simulator", one.simulator, "its run of 'kgwalk simulator train'");
  app.add_option("--text", one.text, "its text encoder, when that has moved since training");
  app.add_option("--recognizer", recognizer,
                 "speech recognizer of the first model, a run of 'kgwalk task asr train'");
  app.add_option("--about", one.about, "a sentence on its data");
  app.add_option("--license", one.license, "license of its data, shown on the page");
  one.name = "kgwalk";
  app.add_option("--name", one.name, "its name")->capture_default_str();
}

namespace {

server::ModelSource source_of(const std::string& path, const std::string& name, const Common& common) {
  // A folder that is none is refused by what opens packed models, in its words.
  if (!is_packed_model(path) && !std::filesystem::is_directory(path))
    return server::ModelSource::read(path, name);
  const PackedModel model = PackedModel::open(path, *common.reporter, *common.stop);
  return {.name = name.empty() ? model.name : name,
          .database = model.database.string(),
          .run = model.run.string(),
          .simulator = model.simulator.string(),
          .text = model.text.string(),
          .introduction = model.introduction.string(),
          .about = model.about,
          .license = model.license};
}

}  // namespace

std::vector<server::ModelSource> ServedModels::read(const Common& common) const {
  std::vector<server::ModelSource> out;
  if (one.database.empty() != one.run.empty()) throw CLI::ValidationError("--db and --run go together");
  if (!one.database.empty()) out.push_back(one);
  for (const std::string& given : files) {
    const std::size_t equals = given.find('=');
    const bool named = equals != std::string::npos;
    out.push_back(
        source_of(named ? given.substr(equals + 1) : given, named ? given.substr(0, equals) : "", common));
  }
  if (out.empty()) {
    if (const auto workspace = find_workspace(common.workspace)) {
      server::ModelSource source = one;
      source.database = workspace->database.string();
      source.run = workspace->run.string();
      if (source.simulator.empty() && std::filesystem::exists(workspace->simulator))
        source.simulator = workspace->simulator.string();
      out.push_back(std::move(source));
    }
  }
  if (out.empty()) throw CLI::ValidationError("give a model: a packed one, a file, or --db and --run");
  if (!recognizer.empty()) out.front().recognizer = recognizer;
  return out;
}

}  // namespace kgwalk::cli
