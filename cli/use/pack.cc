// kgwalk pack: a trained model with all that it needs, as one folder or one file.
#include "cli/frame/command.h"
#include "cli/frame/model_choice.h"
#include "cli/frame/print.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/workflows.h"
#include "workflows/steps/packing.h"

namespace kgwalk::cli {
namespace {

struct PackVerb {
  ModelChoice model;
  PackOptions pack;
  std::string check;
  std::vector<std::string> sources;  // NAME=LICENSE
};

void run_check(const std::string& path, const Common& common) {
  const PackedModel model = PackedModel::open(path, *common.reporter, *common.stop);
  model.verify(*common.reporter, *common.stop);
  print_text(manifest_text(model.manifest));
  print("{}: {} files, every checksum agrees\n", path, model.manifest.at("files").size());
  common.write_json(model.manifest);
}

void run_pack(PackVerb verb, const Common& common) {
  if (!verb.check.empty()) return run_check(verb.check, common);
  if (verb.pack.out.empty()) throw CLI::RequiredError("--out");
  verb.model.resolve(common);
  verb.pack.database = verb.model.database;
  verb.pack.run = verb.model.run;
  verb.pack.text = verb.model.text;
  verb.pack.simulator = verb.model.simulator;
  verb.pack.responder = verb.model.responder;
  verb.pack.listener = verb.model.listener;
  for (const std::string& source : verb.sources) {
    const std::size_t equals = source.rfind('=');
    verb.pack.sources.push_back(
        {source.substr(0, equals), equals == std::string::npos ? "" : source.substr(equals + 1), ""});
  }
  common.tell(pack(verb.pack, *common.reporter, *common.stop));
}

Verb add_pack(CLI::App& app, Common& common) {
  auto options = std::make_shared<PackVerb>();
  options->model.add_options(app, true);
  app.add_option("--simulator", options->model.simulator, "run of 'kgwalk simulator train' to pack too");
  app.add_option("--responder", options->model.responder, "run of 'kgwalk respond train' to pack too");
  options->model.add_listener(app);
  app.add_option("--out", options->pack.out, "the model: one file when it ends in .tar.zst, else a folder");
  app.add_flag("--replace", options->pack.replace, "replace the model that lies there");
  app.add_option("--name", options->pack.name, "its name (that of --out unless given)");
  app.add_option("--about", options->pack.about, "a sentence on the data");
  app.add_option("--license", options->pack.license,
                 "license of the data, in place of what is known of their sources");
  app.add_option("--source", options->sources, "what else it was made from, NAME=LICENSE; repeatable")
      ->allow_extra_args(false);
  app.add_option(
         "--table", options->pack.tables,
         "table of the database to keep beside those that the walker needs, as transe/384; repeatable")
      ->allow_extra_args(false);
  app.add_option("--check", options->check, "packed model whose files are to be checked, nothing is packed");
  return [options, &common] { run_pack(*options, common); };
}

const Registration kPackCommand({.name = "pack",
                                 .help = "a trained model with all that it needs, as one folder or file",
                                 .example = "--db films.db --run runs/best --out films.tar.zst",
                                 .add = add_pack,
                                 .group = Group::kUse,
                                 .place = 1});

}  // namespace
}  // namespace kgwalk::cli
