// kgwalk simulator: train, hear and evaluate the user simulator.
#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "kgwalk/training.h"
#include "rl/simulator/simulator_config.h"
#include "rl/simulator/simulator_run.h"
#include "rl/simulator/speech_report.h"
#include "runtime/run_folder.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

struct SimulatorOptions {
  std::string database, run, preset = "default";
  std::string about, split = "dev";
  std::vector<std::string> say;
  int count = 5;
};

graph::Store open_database(const SimulatorOptions& options) {
  std::filesystem::path database = options.database;
  if (database.empty()) {
    if (options.run == rl::kWordings) throw CLI::RequiredError("--db");
    database = RunFolder::open(options.run, rl::kSimulatorRun).manifest().database;
  }
  return graph::Store::open(database, graph::Store::Mode::kReadOnly);
}

std::unique_ptr<rl::SimulatedUser> open_simulator(const graph::Store& store, const SimulatorOptions& options,
                                                  const Common& common) {
  auto user = rl::SimulatedUser::open(store, options.run);
  user->set_speech(load_config(common.config_files, common.assignments, user->config().speech));
  return user;
}

void train_user(const SimulatorOptions& options, const Common& common) {
  common.tell(train_simulator({.database = options.database,
                               .run = options.run,
                               .seed = common.seed,
                               .settings = common.settings(options.preset)},
                              *common.reporter, *common.stop));
}

// "assistant: ..." was said by the assistant, all else by the user.
graph::Chat chat_of(const std::string& text) {
  for (const auto& [prefix, speaker] :
       {std::pair("user: ", graph::Speaker::kUser), std::pair("assistant: ", graph::Speaker::kAssistant)})
    if (text.starts_with(prefix)) return {speaker, text.substr(std::string_view(prefix).size())};
  return {graph::Speaker::kUser, text};
}

void run_say(const SimulatorOptions& options, const Common& common) {
  const graph::Store store = open_database(options);
  std::unique_ptr<rl::UserVoice> user;
  if (options.run == rl::kWordings)
    user =
        std::make_unique<rl::WordedUser>(std::make_shared<const graph::KnowledgeGraph>(store.load_graph()));
  else
    user = open_simulator(store, options, common);
  walker::Example situation;
  situation.start = graph::entity_named(store.load_graph(), options.about);
  for (const std::string& text : options.say) situation.context.push_back(chat_of(text));
  const std::vector<const walker::Example*> situations(static_cast<std::size_t>(options.count), &situation);
  Random random(common.seed);
  const std::vector<std::string> said = user->speak(situations, random);
  for (const std::string& text : said) print("{}\n", text);
  common.write_json({{"about", options.about}, {"said", said}});
}

void run_eval(const SimulatorOptions& options, const Common& common) {
  const graph::Store store = open_database(options);
  const auto user = open_simulator(store, options, common);
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
  const rl::SpokenNames names(user->graph(), rl::dialogues_of(store, user->config().train_splits));
  const rl::SpeechCounts speech = rl::measure_speech(*user, names, after, common.seed);
  const rl::SpeechCounts people = rl::measure_people(*user, names, after);
  print_text("what it says after a path:\n" + speech.to_text() + "what people say there:\n" +
             people.to_text());
  json["speech"] = speech.to_json();
  json["people"] = people.to_json();
  RunFolder::open(options.run, rl::kSimulatorRun).write_result("eval " + options.split, json);
  common.write_json(json);
}

void add_run_option(CLI::App& app, SimulatorOptions& options, const char* what) {
  app.add_option("--run", options.run, what)->required();
}

Verb add_simulator(CLI::App& app, Common& common) {
  auto options = std::make_shared<SimulatorOptions>();
  app.require_subcommand(1);
  CLI::App* train = app.add_subcommand("train", "train a user simulator");
  train->add_option("--db", options->database, "database made by 'kgwalk ingest'")->required();
  train->add_option("--preset", options->preset, "default or tiny")->capture_default_str();
  add_run_option(*train, *options, "run folder to train into; an interrupted one is resumed");

  CLI::App* say = app.add_subcommand("say", "what the user says about an entity");
  say->add_option("--db", options->database, "database (the one trained with unless given)");
  say->add_option("--about", options->about, "entity that is talked about")->required();
  say->add_option("--say", options->say,
                  "what was said before, oldest first, once for each utterance; 'assistant: ...' by the "
                  "assistant, otherwise by the user")
      ->allow_extra_args(false);
  say->add_option("--count", options->count, "utterances wanted")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  add_run_option(*say, *options,
                 "run folder of 'kgwalk simulator train', or 'wordings': a user who needs no training");

  CLI::App* eval =
      app.add_subcommand("eval", "perplexity on a split, and what the user says in its situations");
  eval->add_option("--db", options->database, "database (the one trained with unless given)");
  eval->add_option("--split", options->split, "split to evaluate on")->capture_default_str();
  add_run_option(*eval, *options, "run folder of 'kgwalk simulator train'");

  for (CLI::App* sub : {train, say, eval}) sub->fallthrough();
  return [=, &common] {
    if (train->parsed()) return train_user(*options, common);
    if (say->parsed()) return run_say(*options, common);
    run_eval(*options, common);
  };
}

std::vector<Configurable> configures_simulator() {
  return {configurable_of("simulator train", "train_simulator")};
}

const Registration kSimulatorCommand({.name = "simulator",
                                      .help = "train the user simulator of stage 2 and hear it",
                                      .example = "train --db films.db --run runs/user",
                                      .add = add_simulator,
                                      .group = Group::kTrain,
                                      .place = 8,
                                      .computes = Computes::kNetworks,
                                      .trains = true,
                                      .configures = configures_simulator});

}  // namespace
}  // namespace kgwalk::cli
