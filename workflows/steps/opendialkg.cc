// opendialkg(): everything from the official files of the data set to evaluated walkers and a packed model.
#include <string_view>
#include <tuple>

#include "kgwalk/error.h"
#include "kgwalk/workflows.h"
#include "workflows/steps/calls.h"
#include "workflows/steps/recipe_page.h"
#include "workflows/steps/steps.h"
#include "workflows/workspace.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

// How long the trainings are: as they were measured in docs/results, or minutes, to see that all steps work.
struct Effort {
  int questions, kept, heard, pairs;
  std::vector<std::string> text, walker, pretrained, simulator, agent;
};

Effort effort_of(bool quick) {
  if (!quick) return {50000, 2000, 60000, 100, {}, {}, {}, {}, {}};
  const auto minutes = [](const char* number) {
    return std::vector<std::string>{std::string("trainer.max_minutes=") + number};
  };
  return {4000, 200, 4000, 10, minutes("0.3"), minutes("1"), minutes("0.5"), minutes("0.5"), minutes("0.5")};
}

// The files of the published splits (train.csv, dev.csv, test.csv beside the lists).
graph::IngestOptions published_splits(const fs::path& data) {
  graph::IngestOptions ingest;
  const auto place = [&](const char* name, bool needed) {
    const fs::path file = data / name;
    if (fs::exists(file)) return file;
    if (needed)
      throw ConfigError(file.string() + ": is missing; the data are OpenDialKG's files in one folder");
    return fs::path();
  };
  ingest.triples = {place("opendialkg_triples.txt", true)};
  ingest.entities = place("opendialkg_entities.txt", true);
  ingest.relations = place("opendialkg_relations.txt", true);
  ingest.annotation_only = place("annotation_only_triples.txt", false);
  for (const char* split : {"train", "train_turns", "dev", "test"})
    if (const fs::path file = data / (std::string(split) + ".csv"); fs::exists(file))
      ingest.dialogues.push_back({split, file});
  return ingest;
}

class Recipe {
 public:
  Recipe(const OpenDialKgOptions& options, Steps& steps, const Calls& call, const Workspace& at)
      : options_(options), steps_(steps), call_(call), at_(at), effort_(effort_of(options.quick)) {}

  void prepare() {
    graph::IngestOptions ingest = fs::exists(options_.data / "opendialkg.csv")
                                      ? graph::opendialkg_release(options_.data)
                                      : published_splits(options_.data);
    ingest.database = at_.database;
    ingest.replace = true;
    steps_.run(call_("The official files into a database", ingest));
    steps_.run(call_("Exact distances, their index and factors",
                     ComputeDistancesOptions{
                         .database = at_.database, .index = true, .rank = 256, .seed = options_.seed}));
    // As wide as the preset stage2 reads it; the walker of stage 1 listens without vectors.
    steps_.run(call_("TransE", EmbedOptions{.database = at_.database,
                                            .seed = options_.seed,
                                            .settings = {.assignments = {"dim=256"}}}));
    if (options_.text.empty())
      steps_.run(call_("A text encoder from the dialogues",
                       PretrainTextOptions{.database = at_.database,
                                           .run = at_.text,
                                           .seed = options_.seed,
                                           .settings = {.assignments = effort_.text}}));
  }

  // A walker that listens, and what it is measured by.
  void stage_one() {
    questions_to_learn_from();
    const fs::path prior = at_.folder / "runs/prior";
    steps_.run(call_("The count prior", TrainWalkerOptions{.database = at_.database,
                                                           .run = prior,
                                                           .model = "prior",
                                                           .seed = options_.seed,
                                                           .settings = {.preset = "best"}}));
    steps_.run(call_("The walker, stage 1",
                     TrainWalkerOptions{.database = at_.database,
                                        .run = at_.run,
                                        .text = at_.text,
                                        .questions = {{"own", learned()}},
                                        .seed = options_.seed,
                                        .settings = {.preset = "listening", .assignments = effort_.walker}}));
    for (const auto& [title, run, file] : {std::tuple("Paths of the prior", prior, "prior.json"),
                                           {"Paths of the walker", at_.run, "walker.json"}})
      steps_.run(with_json(
          call_(title, EvaluatePathsOptions{.of = {.runs = {run.string()}, .database = at_.database},
                                            .split = "test",
                                            .seed = options_.seed}),
          at_.folder / "results" / file));
    steps_.run(
        with_json(call_("Questions to the walker",
                        EvaluateQuestionsOptions{.of = {.runs = {at_.run.string()}, .database = at_.database},
                                                 .questions = kept(),
                                                 .candidate_starts = true,
                                                 .output = at_.folder / "answered.jsonl"}),
                  at_.folder / "results/questions.json"));
    steps_.run(call_("What hears questions as forms over the graph",
                     TrainListenerOptions{.database = at_.database,
                                          .run = listener(),
                                          .text = options_.text,
                                          .made = effort_.heard,
                                          .shown = 3,
                                          .seed = options_.seed,
                                          .settings = {.assignments = {"listening.trainer.max_epochs=4"}}}));
  }

  void stage_two() {
    steps_.run(
        call_("A walker that knows distances, before stage 2",
              TrainWalkerOptions{.database = at_.database,
                                 .run = at_.pretrained,
                                 .text = at_.text,
                                 .seed = options_.seed,
                                 .settings = {.preset = "stage2", .assignments = effort_.pretrained}}));
    steps_.run(
        call_("A simulated user", TrainSimulatorOptions{.database = at_.database,
                                                        .run = at_.simulator,
                                                        .seed = options_.seed,
                                                        .settings = {.assignments = effort_.simulator}}));
    steps_.run(
        call_("Stage 2: towards goals", TrainStage2Options{.database = at_.database,
                                                           .run = agent(),
                                                           .from = at_.pretrained,
                                                           .simulator = at_.simulator,
                                                           .seed = options_.seed,
                                                           .settings = {.assignments = effort_.agent}}));
    steps_.run(call_("A walk to a goal", PlanPageOptions{.database = at_.database,
                                                         .run = agent(),
                                                         .start = "Iron Man",
                                                         .goal = "Roger Federer",
                                                         .turns = 10,
                                                         .simulator = at_.simulator,
                                                         .out = at_.folder / "results/walk.txt",
                                                         .seed = options_.seed}));
    steps_.run(with_json(
        call_("How often goals are reached", EvaluateSuccessOptions{.of = {.runs = {agent().string()}},
                                                                    .stage1 = at_.pretrained,
                                                                    .simulator = at_.simulator,
                                                                    .episodes = effort_.pairs,
                                                                    .seed = options_.seed}),
        at_.folder / "results/success.json"));
  }

  void pack_into(const fs::path& model) {
    steps_.run(call_("A model that can be moved", PackOptions{.database = at_.database,
                                                              .run = agent(),
                                                              .simulator = at_.simulator,
                                                              .listener = listener(),
                                                              .out = model,
                                                              .replace = true,
                                                              .name = "opendialkg"}));
  }

 private:
  [[nodiscard]] fs::path learned() const { return at_.folder / "questions.jsonl"; }
  [[nodiscard]] fs::path kept() const { return at_.folder / "questions_test.jsonl"; }
  [[nodiscard]] fs::path listener() const { return at_.folder / "runs/listener"; }
  [[nodiscard]] fs::path agent() const { return at_.folder / "runs/agent"; }

  void questions_to_learn_from() {
    steps_.run(call_("Questions to learn listening from", MakeQuestionsOptions{.database = at_.database,
                                                                               .out = learned(),
                                                                               .count = effort_.questions,
                                                                               .shown = 3,
                                                                               .seed = options_.seed}));
    // Another seed than that of what is learned from.
    steps_.run(call_("Questions in wordings that are never learned from",
                     MakeQuestionsOptions{.database = at_.database,
                                          .out = kept(),
                                          .count = effort_.kept,
                                          .split = "test_wording",
                                          .seed = options_.seed + 1}));
  }

  const OpenDialKgOptions& options_;
  Steps& steps_;
  const Calls& call_;
  const Workspace& at_;
  Effort effort_;
};

}  // namespace

OpenDialKgResult opendialkg(const OpenDialKgOptions& options, const WorkflowObserver& observer,
                            Reporter& reporter, const StopFlag& stop) {
  Workspace at = Workspace::in(options.folder);
  if (!options.text.empty()) at.text = options.text;
  at.write();
  fs::create_directories(at.folder / "results");
  OpenDialKgResult made{
      .folder = at.folder, .model = at.folder / "opendialkg.tar.zst", .page = at.folder / "summary.html"};
  Steps steps(observer, at.folder / "state.json");
  const Calls call(reporter, stop);
  Recipe recipe(options, steps, call, at);
  recipe.prepare();
  recipe.stage_one();
  recipe.stage_two();
  recipe.pack_into(made.model);
  made.seconds = steps.seconds();
  write_recipe_page(
      made.page, {.title = "OpenDialKG", .folder = at.folder, .model = made.model, .seconds = made.seconds},
      reporter, stop);
  return made;
}

}  // namespace kgwalk
