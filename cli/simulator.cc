// kgwalk simulator: train, question and evaluate the user simulator of stage 2.
#include "cli/commands.h"
#include "cli/print.h"
#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "rl/presets.h"
#include "rl/simulator/simulator_run.h"
#include "runtime/run_folder.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

struct SimulatorOptions {
  std::string database, run, text, preset = "default";
  std::string about, split = "dev";
  std::vector<std::string> say;
  int count = 5;
};

graph::Store open_database(const SimulatorOptions& options, const RunFolder& run) {
  return graph::Store::open(
      options.database.empty() ? run.manifest().database : std::filesystem::path(options.database),
      graph::Store::Mode::kReadOnly);
}

void run_train(const SimulatorOptions& options, const Common& common) {
  rl::SimulatorTrainOptions train;
  apply_json(train.config, rl::preset("simulator", options.preset), "preset " + options.preset);
  train.config = load_config(common.config_files, common.assignments, train.config);
  train.database = options.database;
  train.run = options.run;
  train.text = options.text;
  train.seed = common.seed;
  const TrainReport report = rl::train_simulator(train, *common.reporter, *common.stop);
  Json json = report.to_json();
  json["run"] = options.run;
  RunFolder::open(options.run, rl::kSimulatorRun).write_result("training", json);
  print("{}\n", report.summary());
  common.write_json(json);
}

void run_say(const SimulatorOptions& options, const Common& common) {
  const RunFolder run = RunFolder::open(options.run, rl::kSimulatorRun);
  const graph::Store store = open_database(options, run);
  const auto user = rl::SimulatedUser::open(store, run, options.text);
  rl::SpeechConfig speech = user->config().speech;
  user->set_speech(load_config(common.config_files, common.assignments, speech));
  walker::Example situation;
  situation.start = graph::entity_named(user->graph(), options.about);
  for (const std::string& text : options.say) situation.context.push_back({graph::Speaker::kUser, text});
  const std::vector<const walker::Example*> situations(static_cast<std::size_t>(options.count), &situation);
  Random random(common.seed);
  const std::vector<std::string> said = user->speak(situations, random);
  for (const std::string& text : said) print("{}\n", text);
  common.write_json({{"about", options.about}, {"said", said}});
}

void run_eval(const SimulatorOptions& options, const Common& common) {
  const RunFolder run = RunFolder::open(options.run, rl::kSimulatorRun);
  const graph::Store store = open_database(options, run);
  const auto user = rl::SimulatedUser::open(store, run, options.text);
  std::vector<rl::UserTurn> after, openings;
  for (rl::UserTurn& turn : rl::user_turns(store.dialogues(options.split), true))
    (turn.opening ? openings : after).push_back(std::move(turn));
  Json json = Json::object();
  for (const auto& [name, turns] : {std::pair("after a path", &after), std::pair("openings", &openings)}) {
    const rl::UtterancePerplexity found = rl::perplexity_of(*user, *turns);
    print("{} turns of {}, {}: perplexity {:.2f} a piece ({} pieces), {:.2f} a word ({} words)\n",
          with_commas(found.turns), options.split, name, found.per_piece(), with_commas(found.pieces),
          found.per_word(), with_commas(found.words));
    json[name] = found.to_json();
  }
  run.write_result("eval " + options.split, json);
  common.write_json(json);
}

void add_run_options(CLI::App& app, SimulatorOptions& options) {
  app.add_option("--run", options.run, "run folder of 'kgwalk simulator train'")->required();
  app.add_option("--text", options.text,
                 "text encoder: a run of 'kgwalk pretrain-text' or a Hugging Face folder");
}

}  // namespace

Verb add_simulator(CLI::App& app, Common& common) {
  auto options = std::make_shared<SimulatorOptions>();
  app.require_subcommand(1);
  CLI::App* train = app.add_subcommand("train", "train a user simulator");
  train->add_option("--db", options->database, "database made by 'kgwalk ingest'")->required();
  train->add_option("--preset", options->preset, "default or tiny")->capture_default_str();
  add_run_options(*train, *options);

  CLI::App* say = app.add_subcommand("say", "what the user says about an entity");
  say->add_option("--db", options->database, "database (the one trained with unless given)");
  say->add_option("--about", options->about, "entity that is talked about")->required();
  say->add_option("--say", options->say, "what the user said before, oldest first, once for each utterance")
      ->allow_extra_args(false);
  say->add_option("--count", options->count, "utterances wanted")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  add_run_options(*say, *options);

  CLI::App* eval = app.add_subcommand("eval", "perplexity on a split");
  eval->add_option("--db", options->database, "database (the one trained with unless given)");
  eval->add_option("--split", options->split, "split to evaluate on")->capture_default_str();
  add_run_options(*eval, *options);

  for (CLI::App* sub : {train, say, eval}) sub->fallthrough();
  return [=, &common] {
    if (train->parsed()) return run_train(*options, common);
    if (say->parsed()) return run_say(*options, common);
    run_eval(*options, common);
  };
}

}  // namespace kgwalk::cli
