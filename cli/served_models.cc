#include "cli/served_models.h"

namespace kgwalk::cli {

void ServedModels::add_options(CLI::App& app) {
  app.add_option("models", files,
                 "[NAME=]FILE: json files that name models: {\"database\": DIR, \"run\": DIR, \"simulator\": "
                 "DIR, \"text\": "
                 "DIR, \"recognizer\": DIR, \"about\": TEXT, \"license\": TEXT}, paths relative to "
                 "the file");
  app.add_option("--db", one.database, "database of a model made by 'kgwalk ingest', instead of a file");
  app.add_option("--run", one.run, "its run folder, of 'kgwalk rl' or 'kgwalk train'");
  app.add_option("--simulator", one.simulator, "its run of 'kgwalk simulator train'");
  app.add_option("--text", one.text, "its text encoder, when that has moved since training");
  app.add_option("--recognizer", recognizer,
                 "speech recognizer of the first model, a run of 'kgwalk task asr train'");
  app.add_option("--about", one.about, "a sentence on its data");
  app.add_option("--license", one.license, "license of its data, shown on the page");
  one.name = "kgwalk";
  app.add_option("--name", one.name, "its name")->capture_default_str();
}

std::vector<server::ModelSource> ServedModels::read() const {
  std::vector<server::ModelSource> out;
  if (one.database.empty() != one.run.empty()) throw CLI::ValidationError("--db and --run go together");
  if (!one.database.empty()) out.push_back(one);
  for (const std::string& given : files) {
    const std::size_t equals = given.find('=');
    const bool named = equals != std::string::npos;
    out.push_back(server::ModelSource::read(named ? given.substr(equals + 1) : given,
                                            named ? given.substr(0, equals) : ""));
  }
  if (out.empty()) throw CLI::ValidationError("give a model: a file, or --db and --run");
  if (!recognizer.empty()) out.front().recognizer = recognizer;
  return out;
}

}  // namespace kgwalk::cli
