// kgwalk pack: a trained model with all that it needs, as one folder or one file.
#include "cli/frame/command.h"
#include "cli/frame/model_choice.h"
#include "cli/frame/print.h"
#include "kgwalk/error.h"
#include "kgwalk/packed_model.h"
#include "planner/conversation/introduction.h"

namespace kgwalk::cli {
namespace {

struct PackOptions {
  ModelChoice model;
  kgwalk::PackOptions pack;
  std::string check;
  std::vector<std::string> sources;  // NAME=LICENSE
};

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

void print_manifest(const Json& manifest) {
  const Json& graph = manifest.at("graph");
  print("graph        {} entities, {} relations, {} edges\n", counted(graph.at("entities")),
        counted(graph.at("relations")), counted(graph.at("edges")));
  std::string parts;
  for (const auto& [name, path] : manifest.at("parts").items()) parts += (parts.empty() ? "" : ", ") + name;
  print("parts        {}\n", parts);
  for (const Json& source : manifest.at("data")) {
    const std::string license = source.at("license"), terms = source.at("terms");
    print("made from    {}: {}{}{}\n", source.at("name").get<std::string>(),
          license.empty() ? "license not known" : license, terms.empty() ? "" : ", ", terms);
  }
  print("license      {}\n             {}\n", manifest.at("license").get<std::string>(),
        manifest.at("passing_on").get<std::string>());
}

void run_check(const std::string& path, const Common& common) {
  const PackedModel model = PackedModel::open(path, *common.reporter, *common.stop);
  model.verify(*common.reporter, *common.stop);
  print_manifest(model.manifest);
  print("{}: {} files, every checksum agrees\n", path, model.manifest.at("files").size());
  common.write_json(model.manifest);
}

void run_pack(PackOptions options, const Common& common) {
  if (!options.check.empty()) return run_check(options.check, common);
  if (options.pack.out.empty()) throw CLI::RequiredError("--out");
  options.model.resolve(common);
  options.pack.database = options.model.database;
  options.pack.run = options.model.run;
  options.pack.text = options.model.text;
  options.pack.simulator = options.model.simulator;
  options.pack.responder = options.model.responder;
  options.pack.listener = options.model.listener;
  options.pack.version = KGWALK_VERSION;
  common.reporter->info("trying questions");
  options.pack.introduction = introduction_of(Conversation::open(
      options.pack.database, options.pack.run,
      {.simulator = options.pack.simulator, .text = options.pack.text, .listener = options.pack.listener}));
  for (const std::string& source : options.sources) {
    const std::size_t equals = source.rfind('=');
    options.pack.sources.push_back(
        {source.substr(0, equals), equals == std::string::npos ? "" : source.substr(equals + 1), ""});
  }
  const PackReport report = pack_model(options.pack, *common.reporter, *common.stop);
  print_manifest(report.manifest);
  if (!report.left_out.empty()) {
    std::string names;
    for (const std::string& name : report.left_out) names += (names.empty() ? "" : ", ") + name;
    print("left out     {} (not needed by the walker)\n", names);
  }
  print("packed       {}, {}{}\n", report.out.string(), megabytes(report.bytes),
        report.bytes == report.unpacked ? "" : ", unpacked " + megabytes(report.unpacked));
  common.write_json({{"out", report.out.string()},
                     {"bytes", report.bytes},
                     {"unpacked", report.unpacked},
                     {"left_out", report.left_out},
                     {"manifest", report.manifest}});
}

Verb add_pack(CLI::App& app, Common& common) {
  auto options = std::make_shared<PackOptions>();
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
