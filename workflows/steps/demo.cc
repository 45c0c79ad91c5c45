// demo(): both stages on the embedded sample.
#include <fmt/format.h>

#include <utility>

#include "kgwalk/error.h"
#include "kgwalk/workflows.h"
#include "runtime/files.h"
#include "workflows/steps/calls.h"
#include "workflows/steps/steps.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

void check_sample(const fs::path& data) {
  for (const char* name :
       {"triples.txt", "entities.txt", "relations.txt", "train.csv", "dev.csv", "test.csv"})
    if (!fs::exists(data / name))
      throw ConfigError((data / name).string() +
                        " is missing; the demo needs the sample of kgwalk's sources");
}

// What was learned in a step, told from its json.
std::string vectors_learned(const Json& result) {
  const Json& held = result.at("held_out").at("both");
  return fmt::format("of {} facts kept apart, {:.0f} % have their end among the ten likeliest",
                     held.at("ranks").get<std::int64_t>() / 2, 100 * held.at("hits@10").get<double>());
}

const Json& best_of(const Json& result) {
  return result.contains("training") ? result.at("training").at("best") : result.at("best");
}

std::string pieces_learned(const Json& result) {
  return fmt::format("of the pieces of words that were hidden, it finds {:.0f} % again",
                     100 * best_of(result).at("accuracy").get<double>());
}

std::string paths_learned(const Json& result) {
  const Json& best = best_of(result);
  std::string text =
      fmt::format("of paths not seen, {:.0f} % are the first that it names, {:.0f} % among five",
                  best.at("path@1").get<double>(), best.at("path@5").get<double>());
  if (best.contains("asked@1 own"))
    text +=
        fmt::format("; of questions not seen, {:.0f} % are answered", best.at("asked@1 own").get<double>());
  return text;
}

std::string questions_learned(const Json& result) {
  return fmt::format("of questions not seen, {:.0f} % are answered rightly",
                     best_of(result).at("score").get<double>());
}

std::string speech_learned(const Json& result) {
  return fmt::format("each piece of a word is as hard to guess as one of {:.0f}",
                     best_of(result).at("perplexity").get<double>());
}

std::string goals_learned(const Json& result) {
  const Json& best = best_of(result);
  for (const char* name : {"success_d+2@3", "success_d+2@2"})
    if (best.contains(name))
      return fmt::format("{:.0f} % of its walks reach their goal with two steps to spare",
                         best.at(name).get<double>());
  return "";
}

Step learning(Step step, std::string (*learned)(const Json&)) {
  step.learned = learned;
  return step;
}

class Demo {
 public:
  Demo(const DemoOptions& options, const Calls& call)
      : data_(options.data), out_(options.folder), seed_(options.seed), call_(call) {}

  [[nodiscard]] std::vector<Step> steps() const {
    std::vector<Step> all;
    for (auto part : {of_the_graph(), of_the_walker(), of_the_listener(), of_goals()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }
  [[nodiscard]] fs::path made(const char* name) const { return out_ / name; }
  [[nodiscard]] fs::path database() const { return made("kg.db"); }

 private:
  [[nodiscard]] std::vector<Step> of_the_graph() const {
    graph::IngestOptions files{.database = database(), .replace = true, .triples = {data_ / "triples.txt"}};
    files.entities = data_ / "entities.txt";
    files.relations = data_ / "relations.txt";
    files.dialogues = {
        {"train", data_ / "train.csv"}, {"dev", data_ / "dev.csv"}, {"test", data_ / "test.csv"}};
    return {
        call_("Files into the database", files),
        call_("Exact distances of all pairs, their index and factors",
              ComputeDistancesOptions{.database = database(), .index = true, .rank = 64, .seed = seed_}),
        learning(call_("TransE embeddings of the graph",
                       EmbedOptions{
                           .database = database(), .seed = seed_, .settings = {.assignments = {"dim=64"}}}),
                 vectors_learned),
        learning(call_("A small text encoder from the training dialogues",
                       PretrainTextOptions{
                           .database = database(),
                           .run = made("text"),
                           .seed = seed_,
                           .settings = {.preset = "tiny", .assignments = {"trainer.max_epochs=3"}}}),
                 pieces_learned)};
  }

  [[nodiscard]] std::vector<Step> of_the_walker() const {
    const fs::path questions = made("questions.jsonl"), asked = made("questions_test.jsonl");
    const MeasuredModel walker{.runs = {made("walker").string()}, .database = database()};
    const Settings all_families{.assignments = {"held_families=0"}};
    return {
        call_("Questions about the graph to learn listening from",
              MakeQuestionsOptions{.database = database(),
                                   .out = questions,
                                   .count = 8000,
                                   .shown = 5,
                                   .seed = seed_,
                                   .settings = all_families}),
        call_("Others in wordings that are not learned from", MakeQuestionsOptions{.database = database(),
                                                                                   .out = asked,
                                                                                   .count = 400,
                                                                                   .split = "test_wording",
                                                                                   .seed = seed_,
                                                                                   .settings = all_families}),
        learning(call_("The walker, stage 1",
                       TrainWalkerOptions{.database = database(),
                                          .run = made("walker"),
                                          .text = made("text"),
                                          .questions = {{"own", questions}},
                                          .seed = seed_,
                                          .settings = {.preset = "tiny", .assignments = {"listen.on=true"}}}),
                 paths_learned),
        call_("How good the walker is", EvaluatePathsOptions{.of = walker, .split = "test", .seed = seed_}),
        call_("How well it listens, the start not given",
              EvaluateQuestionsOptions{.of = walker, .questions = asked, .candidate_starts = true})};
  }

  [[nodiscard]] std::vector<Step> of_the_listener() const {
    return {
        learning(call_("What hears questions as forms over the graph",
                       TrainListenerOptions{.database = database(),
                                            .run = made("listener"),
                                            .made = 4000,
                                            .seed = seed_,
                                            .settings = {.assignments = {"listening.trainer.max_epochs=2"}}}),
                 questions_learned),
        call_("Ask the graph as a whole",
              AskListenerOptions{.database = database(),
                                 .run = made("listener"),
                                 .say = {"Which films by Christopher Nolan came out after 2008?"}}),
        call_("Ask it, the answer as a page",
              PlanPageOptions{.database = database(),
                              .run = made("walker"),
                              .start = "Inception",
                              .say = "Do you know the film Inception? Who directed it?",
                              .format = "html",
                              .speak = true,
                              .out = made("plan.html")})};
  }

  [[nodiscard]] Step success_of(const char* title, const char* run) const {
    return call_(title, EvaluateSuccessOptions{.of = {.runs = {made(run).string()}},
                                               .stage1 = made("pretrained"),
                                               .simulator = made("simulator"),
                                               .distances = {3, 5},
                                               .episodes = 50,
                                               .seed = seed_});
  }

  [[nodiscard]] std::vector<Step> of_goals() const {
    return {
        learning(call_("A walker whose MetaPaths hold distances, before stage 2",
                       TrainWalkerOptions{.database = database(),
                                          .run = made("pretrained"),
                                          .text = made("text"),
                                          .seed = seed_,
                                          .settings = {.preset = "stage2_tiny"}}),
                 paths_learned),
        learning(call_("A simulated user",
                       TrainSimulatorOptions{
                           .database = database(),
                           .run = made("simulator"),
                           .seed = seed_,
                           .settings = {.preset = "tiny", .assignments = {"trainer.max_epochs=2"}}}),
                 speech_learned),
        learning(call_("Stage 2: towards goals, by A2C", TrainStage2Options{.database = database(),
                                                                            .run = made("agent"),
                                                                            .from = made("pretrained"),
                                                                            .simulator = made("simulator"),
                                                                            .seed = seed_,
                                                                            .settings = {.preset = "tiny"}}),
                 goals_learned),
        success_of("How often it reaches goals before stage 2", "pretrained"),
        success_of("How often it does after stage 2", "agent"),
        call_("A whole walk to a goal, the simulated user speaking, as a page",
              PlanPageOptions{.database = database(),
                              .run = made("agent"),
                              .start = "Inception",
                              .goal = "Roger Federer",
                              .turns = 8,
                              .simulator = made("simulator"),
                              .format = "html",
                              .speak = true,
                              .out = made("trajectory.html"),
                              .seed = seed_}),
        call_("Dialogues between the simulated user and the assistant",
              DialoguesPageOptions{.database = database(),
                                   .run = made("agent"),
                                   .listener = made("listener"),
                                   .simulator = made("simulator"),
                                   .dialogues = 40,
                                   .distances = {2, 3, 4},
                                   .out = made("dialogues.jsonl"),
                                   .html = made("dialogues.html"),
                                   .seed = seed_})};
  }

  fs::path data_, out_;
  std::uint64_t seed_;
  const Calls& call_;
};

// What the page is served from: one file that names the parts.
void write_parts(const fs::path& file) {
  const Json parts = {
      {"database", "kg.db"},    {"run", "agent"},
      {"listener", "listener"}, {"simulator", "simulator"},
      {"text", "text"},         {"about", "Films, books, music and sport: kgwalk's own sample."},
      {"license", "Apache-2.0"}};
  write_file_atomically(file, parts.dump(1) + "\n");
}

}  // namespace

DemoResult demo(const DemoOptions& options, const WorkflowObserver& observer, Reporter& reporter,
                const StopFlag& stop) {
  check_sample(options.data);
  const Calls call(reporter, stop);
  const Demo demo(options, call);
  for (const char* run : {"text", "walker", "listener", "pretrained", "simulator", "agent"})
    fs::remove_all(demo.made(run));
  fs::create_directories(options.folder);
  const std::vector<Step> all = demo.steps();
  Steps steps(observer);
  steps.count(all.size());
  for (const Step& step : all) steps.run(step);
  write_parts(demo.made("films.json"));
  return {.database = demo.database(),
          .agent = demo.made("agent"),
          .listener = demo.made("listener"),
          .simulator = demo.made("simulator"),
          .model = demo.made("films.json"),
          .pages = {demo.made("plan.html"), demo.made("trajectory.html"), demo.made("dialogues.html")}};
}

}  // namespace kgwalk
