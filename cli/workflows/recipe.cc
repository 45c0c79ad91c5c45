// kgwalk recipe: everything from the official files of a data set to evaluated walkers and a packed model.
#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/parsing/workspace.h"
#include "cli/workflows/recipe_page.h"
#include "cli/workflows/steps.h"
#include "kgwalk/error.h"
#include "kgwalk/ingest.h"

namespace kgwalk::cli {
namespace {

namespace fs = std::filesystem;

struct RecipeOptions {
  std::string data, out = "opendialkg", text;
  bool quick = false;
};

// How long the trainings are: as they were measured in docs/results, or minutes, to see that all steps work.
struct Effort {
  std::string questions, kept, pairs;
  Words text, walker, pretrained, simulator, agent;
};

Effort effort_of(bool quick) {
  if (!quick) return {"50000", "2000", "100", {}, {}, {}, {}, {}};
  const auto minutes = [](const char* number) {
    return Words{"--set", std::string("trainer.max_minutes=") + number};
  };
  return {"4000", "200", "10", minutes("0.3"), minutes("1"), minutes("0.5"), minutes("0.5"), minutes("0.5")};
}

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// The release as it was published, or the files of its published splits (train.csv, dev.csv, test.csv beside
// it).
Step ingestion(const RecipeOptions& options, const Workspace& at) {
  const fs::path data = options.data;
  Words words{"--db", at.database.string(), "--replace"};
  std::vector<fs::path> inputs;
  if (fs::exists(data / "opendialkg.csv")) {
    (void)graph::opendialkg_release(data);
    words.insert(words.end(), {"--opendialkg", data.string(), "--split", "70,15,15", "--split-seed", "1"});
    inputs = {data / "opendialkg.csv", data / "opendialkg_triples.txt"};
  } else {
    for (const auto& [option, name] : {std::pair("--triples", "opendialkg_triples.txt"),
                                       {"--entities", "opendialkg_entities.txt"},
                                       {"--relations", "opendialkg_relations.txt"},
                                       {"--annotation-only", "annotation_only_triples.txt"}}) {
      const bool needed = std::string_view(option) != "--annotation-only";
      if (!fs::exists(data / name) && !needed) continue;
      if (!fs::exists(data / name))
        throw ConfigError((data / name).string() +
                          ": is missing; --data is the folder of OpenDialKG's files");
      words.insert(words.end(), {option, (data / name).string()});
      inputs.push_back(data / name);
    }
    for (const char* split : {"train", "train_turns", "dev", "test"}) {
      const fs::path file = data / (std::string(split) + ".csv");
      if (!fs::exists(file)) continue;
      words.insert(words.end(), {"--dialogs", std::string(split) + "=" + file.string()});
      inputs.push_back(file);
    }
  }
  return {"The official files into a database", "ingest", words, {at.database}, inputs};
}

void prepare(Steps& steps, const RecipeOptions& options, const Workspace& at, const Effort& effort) {
  const std::string db = at.database.string();
  steps.run(ingestion(options, at));
  steps.run(
      {"Exact distances, their index and factors", "distances", {"--db", db, "--index", "--rank", "256"}});
  // As wide as the preset stage2 reads it; the walker of stage 1 listens without vectors.
  steps.run({"TransE", "embed", {"--db", db, "--set", "dim=256"}});
  if (options.text.empty())
    steps.run({"A text encoder from the dialogues",
               "pretrain-text",
               joined({"--db", db, "--run", at.text.string()}, effort.text),
               {at.text}});
}

// A walker that listens, and what it is measured by.
void stage_one(Steps& steps, const RecipeOptions& options, const Workspace& at, const Effort& effort) {
  const std::string db = at.database.string(), run = at.run.string();
  const fs::path learned = at.folder / "questions.jsonl", kept = at.folder / "questions_test.jsonl",
                 prior = at.folder / "runs/prior", results = at.folder / "results";
  fs::create_directories(results);
  steps.run(
      {"Questions to learn listening from",
       "questions",
       {"--db", db, "--out", learned.string(), "--count", effort.questions, "--seed", "1", "--show", "3"},
       {learned}});
  steps.run({"Questions in wordings that are never learned from",
             "questions",
             {"--db", db, "--out", kept.string(), "--count", effort.kept, "--split", "test_wording", "--seed",
              "2", "--show", "0"},
             {kept}});
  steps.run({"The count prior",
             "train",
             {"--db", db, "--run", prior.string(), "--preset", "best", "--model", "prior"},
             {prior}});
  Words walker{"--db",      db,       "--run",          run,           "--preset",
               "listening", "--text", at.text.string(), "--questions", "own=" + learned.string()};
  steps.run({"The walker, stage 1", "train", joined(walker, effort.walker), {at.run}});
  for (const auto& [title, of, file] : {std::tuple("Paths of the prior", prior, "prior.json"),
                                        {"Paths of the walker", at.run, "walker.json"}})
    steps.run(
        {title,
         "eval",
         {"paths", "--db", db, "--run", of.string(), "--split", "test", "--json", (results / file).string()},
         {results / file}});
  steps.run(
      {"Questions to the walker",
       "eval",
       {"questions", "--db", db, "--run", run, "--questions", kept.string(), "--start", "candidates",
        "--output", (at.folder / "answered.jsonl").string(), "--json", (results / "questions.json").string()},
       {results / "questions.json"}});
  Words listener{"train",  "--db",           db,       "--run", (at.folder / "runs/listener").string(),
                 "--made", effort.questions, "--show", "3"};
  if (!options.text.empty()) listener.insert(listener.end(), {"--text", at.text.string()});
  steps.run(
      {"What hears questions as forms over the graph", "listen", listener, {at.folder / "runs/listener"}});
}

void stage_two(Steps& steps, const Workspace& at, const Effort& effort) {
  const std::string db = at.database.string(), text = at.text.string();
  const fs::path agent = at.folder / "runs/agent", file = at.folder / "results/success.json";
  steps.run({"A walker that knows distances, before stage 2",
             "train",
             joined({"--db", db, "--run", at.pretrained.string(), "--preset", "stage2", "--text", text},
                    effort.pretrained),
             {at.pretrained}});
  steps.run({"A simulated user",
             "simulator",
             joined({"train", "--db", db, "--run", at.simulator.string()}, effort.simulator),
             {at.simulator}});
  steps.run({"Stage 2: towards goals",
             "rl",
             joined({"--db", db, "--run", agent.string(), "--from", at.pretrained.string(), "--simulator",
                     at.simulator.string()},
                    effort.agent),
             {agent}});
  steps.run({"A walk to a goal",
             "plan",
             {"--db", db, "--run", agent.string(), "--simulator", at.simulator.string(), "--from", "Iron Man",
              "--goal", "Roger Federer", "--turns", "10", "--out", (at.folder / "results/walk.txt").string()},
             {at.folder / "results/walk.txt"}});
  steps.run({"How often goals are reached",
             "eval",
             {"success", "--run", agent.string(), "--episodes", effort.pairs, "--stage1",
              at.pretrained.string(), "--simulator", at.simulator.string(), "--json", file.string()},
             {file}});
}

void run_recipe(const RecipeOptions& options, const Common& common) {
  Workspace at;
  at.folder = options.out;
  for (fs::path* path : {&at.database, &at.text, &at.run, &at.pretrained, &at.simulator, &at.responder})
    *path = at.folder / *path;
  if (!options.text.empty()) at.text = options.text;
  at.write();
  const fs::path model = at.folder / "opendialkg.tar.zst";
  const Effort effort = effort_of(options.quick);
  Steps steps(common, at.folder / "state.json");
  prepare(steps, options, at, effort);
  stage_one(steps, options, at, effort);
  stage_two(steps, at, effort);
  steps.run({"A model that can be moved",
             "pack",
             {"--db", at.database.string(), "--run", (at.folder / "runs/agent").string(), "--listener",
              (at.folder / "runs/listener").string(), "--simulator", at.simulator.string(), "--out",
              model.string(), "--replace", "--name", "opendialkg"},
             {model}});
  const fs::path page = at.folder / "summary.html";
  write_recipe_page(page,
                    {.title = "OpenDialKG", .folder = at.folder, .model = model, .seconds = steps.seconds()},
                    *common.reporter);
  print("\nsummary: {}\nmodel:   {}\n", page.string(), model.string());
  common.write_json({{"summary", page.string()}, {"model", model.string()}, {"seconds", steps.seconds()}});
}

Verb add_recipe(CLI::App& app, Common& common) {
  auto options = std::make_shared<RecipeOptions>();
  app.require_subcommand(1);
  CLI::App* opendialkg = app.add_subcommand(
      "opendialkg", "database, text encoder, walkers of both stages, simulator, evaluations, model, summary");
  opendialkg->add_option("--data", options->data, "folder of the official files")
      ->required()
      ->check(CLI::ExistingDirectory);
  opendialkg
      ->add_option("--out", options->out,
                   "folder for everything that is made, a workspace; a second call "
                   "goes on where the first was stopped")
      ->capture_default_str();
  opendialkg->add_option("--text", options->text, "text encoder, in place of one from the dialogues");
  opendialkg->add_flag("--quick", options->quick,
                       "trainings of a minute, to see that every step works; its figures say nothing");
  opendialkg->fallthrough();
  return [options, &common] { run_recipe(*options, common); };
}

const Registration kRecipeCommand(
    {.name = "recipe",
     .help = "everything from the official files of a data set to evaluated walkers and a packed model",
     .example = "opendialkg --data data/opendialkg --out opendialkg",
     .add = add_recipe,
     .group = Group::kBegin,
     .place = 2,
     .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
