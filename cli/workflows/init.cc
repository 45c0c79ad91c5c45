// kgwalk init: a workspace, so that commands need not be told where things lie.
#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "kgwalk/error.h"
#include "workflows/workspace.h"

namespace kgwalk::cli {
namespace {

struct InitOptions {
  std::string folder = ".";
  std::string database, text, run, pretrained, simulator, responder;
  bool replace = false;
};

void run_init(const InitOptions& options, const Common& common) {
  Workspace workspace;
  workspace.folder = options.folder;
  const auto set = [&](std::filesystem::path& path, const std::string& given) {
    path = given.empty() ? workspace.folder / path : std::filesystem::path(given);
  };
  set(workspace.database, options.database);
  set(workspace.text, options.text);
  set(workspace.run, options.run);
  set(workspace.pretrained, options.pretrained);
  set(workspace.simulator, options.simulator);
  set(workspace.responder, options.responder);
  const std::filesystem::path file = workspace.folder / kWorkspaceFile;
  if (std::filesystem::exists(file) && !options.replace)
    throw ConfigError(file.string() + ": exists already; --replace writes it anew");
  workspace.write();
  Json json = Json::object();
  for (const auto& [what, path] : {std::pair("database", workspace.database),
                                   {"text encoder", workspace.text},
                                   {"walker", workspace.run},
                                   {"simulator", workspace.simulator},
                                   {"responder", workspace.responder}}) {
    print("{:<13} {}{}\n", what, path.lexically_normal().string(),
          std::filesystem::exists(path) ? "" : "   (not there yet)");
    json[what] = path.string();
  }
  print("workspace: {}; in that folder, or with --workspace {}, --db and --run need not be given\n",
        file.string(), options.folder);
  common.write_json(json);
}

Verb add_init(CLI::App& app, Common& common) {
  auto options = std::make_shared<InitOptions>();
  app.add_option("folder", options->folder, "folder of the workspace; it is made")->capture_default_str();
  app.add_option("--db", options->database, "database (kg.db in the folder unless given)");
  app.add_option("--text", options->text, "text encoder (runs/text unless given)");
  app.add_option("--run", options->run, "run of the walker (runs/walker unless given)");
  app.add_option("--pretrained", options->pretrained,
                 "run of stage 1 before stage 2 (runs/pretrained unless given)");
  app.add_option("--simulator", options->simulator,
                 "run of the user simulator (runs/simulator unless given)");
  app.add_option("--responder", options->responder,
                 "run of the response model (runs/responder unless given)");
  app.add_flag("--replace", options->replace, "write the file anew");
  return [options, &common] { run_init(*options, common); };
}

const Registration kInitCommand({.name = "init",
                                 .help = "a workspace, in which --db and --run need not be given",
                                 .example = "films",
                                 .add = add_init,
                                 .group = Group::kBegin,
                                 .place = 4});

}  // namespace
}  // namespace kgwalk::cli
