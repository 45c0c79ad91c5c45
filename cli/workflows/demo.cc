// kgwalk demo: both stages on the embedded sample, each step as the command that a user would type.
#include <filesystem>
#include <utility>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/workflows/steps.h"
#include "kgwalk/error.h"
#include "kgwalk/json.h"
#include "kgwalk/progress.h"
#include "runtime/files.h"

namespace kgwalk::cli {
namespace {

namespace fs = std::filesystem;
struct DemoOptions {
  std::string data = "data/sample";
  std::string out = "runs/demo";
};

void check_data(const fs::path& data) {
  for (const char* name :
       {"triples.txt", "entities.txt", "relations.txt", "train.csv", "dev.csv", "test.csv"})
    if (!fs::exists(data / name))
      throw ConfigError((data / name).string() +
                        " is missing; run the demo from the checkout or give --data DIR");
}

// Where the steps read and write.
struct Places {
  fs::path data, out;
  [[nodiscard]] std::string file(const char* name) const { return (data / name).string(); }
  [[nodiscard]] std::string made(const char* name) const { return (out / name).string(); }
};

// A step and, behind a training, what was learned in it, told from what the verb gives to --json.
struct DemoStep {
  const char* title;
  const char* verb;
  Words words;
  std::string (*learned)(const Json& result) = nullptr;
};

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

std::vector<DemoStep> graph_steps(const Places& at) {
  const std::string db = at.made("kg.db");
  return {
      {"Files into the database",
       "ingest",
       {"--db", db, "--replace", "--triples", at.file("triples.txt"), "--entities", at.file("entities.txt"),
        "--relations", at.file("relations.txt"), "--dialogs", "train=" + at.file("train.csv"), "--dialogs",
        "dev=" + at.file("dev.csv"), "--dialogs", "test=" + at.file("test.csv")}},
      {"Exact distances of all pairs, their index and factors",
       "distances",
       {"--db", db, "--rank", "64", "--index"}},
      {"TransE embeddings of the graph", "embed", {"--db", db, "--set", "dim=64"}, vectors_learned},
      {"A small text encoder from the training dialogues",
       "pretrain-text",
       {"--db", db, "--run", at.made("text"), "--preset", "tiny", "--set", "trainer.max_epochs=3"},
       pieces_learned}};
}

std::vector<DemoStep> walker_steps(const Places& at) {
  const std::string db = at.made("kg.db"), walker = at.made("walker");
  const std::string questions = at.made("questions.jsonl"), asked = at.made("questions_test.jsonl");
  return {{"Questions about the graph to learn listening from",
           "questions",
           {"--db", db, "--out", questions, "--count", "8000", "--set", "held_families=0"}},
          {"Others in wordings that are not learned from",
           "questions",
           {"--db", db, "--out", asked, "--count", "400", "--split", "test_wording", "--set",
            "held_families=0", "--show", "0"}},
          {"The walker, stage 1",
           "train",
           {"--db", db, "--run", walker, "--preset", "tiny", "--text", at.made("text"), "--set",
            "listen.on=true", "--questions", "own=" + questions},
           paths_learned},
          {"How good the walker is", "eval", {"paths", "--db", db, "--run", walker, "--split", "test"}},
          {"How well it listens, the start not given",
           "eval",
           {"questions", "--db", db, "--run", walker, "--questions", asked, "--start", "candidates"}},
          {"What hears questions as forms over the graph",
           "listen",
           {"train", "--db", db, "--run", at.made("listener"), "--made", "12000", "--show", "0"},
           questions_learned},
          {"Ask the graph as a whole",
           "listen",
           {"ask", "--db", db, "--run", at.made("listener"),
            "Which films by Christopher Nolan came out after 2008?"}},
          {"Ask it, the answer as a page",
           "plan",
           {"--db", db, "--run", walker, "--from", "Inception", "--say",
            "Do you know the film Inception? Who directed it?", "--format", "html", "--out",
            at.made("plan.html")}}};
}

std::vector<DemoStep> goal_steps(const Places& at) {
  const std::string db = at.made("kg.db"), pretrained = at.made("pretrained"),
                    simulator = at.made("simulator"), agent = at.made("agent");
  const auto success = [&](const std::string& run) {
    return Words{"success", "--run",    run,        "--distances", "3,5",    "--episodes",
                 "50",      "--stage1", pretrained, "--simulator", simulator};
  };
  return {{"A walker whose MetaPaths hold distances, before stage 2",
           "train",
           {"--db", db, "--run", pretrained, "--preset", "stage2_tiny", "--text", at.made("text")},
           paths_learned},
          {"A simulated user",
           "simulator",
           {"train", "--db", db, "--run", simulator, "--preset", "tiny", "--set", "trainer.max_epochs=2"},
           speech_learned},
          {"Stage 2: towards goals, by A2C",
           "rl",
           {"--db", db, "--run", agent, "--preset", "tiny", "--from", pretrained, "--simulator", simulator},
           goals_learned},
          {"How often it reaches goals before stage 2", "eval", success(pretrained)},
          {"How often it does after stage 2", "eval", success(agent)},
          {"A whole walk to a goal, the simulated user speaking, as a page",
           "plan",
           {"--db", db, "--run", agent, "--from", "Inception", "--goal", "Roger Federer", "--turns", "8",
            "--simulator", simulator, "--speak", "templates", "--format", "html", "--out",
            at.made("trajectory.html")}},
          {"Dialogues between the simulated user and the assistant",
           "selfplay",
           {"--db", db, "--run", agent, "--listener", at.made("listener"), "--simulator", simulator,
            "--dialogues", "40", "--distances", "2,3,4", "--out", at.made("dialogues.jsonl"), "--html",
            at.made("dialogues.html")}}};
}

void run_steps(const Places& at, const Common& common) {
  std::vector<DemoStep> all;
  for (const auto& part : {graph_steps(at), walker_steps(at), goal_steps(at)})
    all.insert(all.end(), part.begin(), part.end());
  print("{} steps, about two minutes on two free cores. Each is shown as the command that does it.\n",
        all.size());
  Steps steps(common);
  steps.count(all.size());
  for (const DemoStep& step : all) {
    const Json result = steps.run(step.title, step.verb, step.words);
    if (step.learned != nullptr) print("learned: {}\n", step.learned(result));
  }
}

void run_demo(const DemoOptions& options, const Common& common) {
  const Places at{options.data, options.out};
  check_data(at.data);
  for (const char* run : {"text", "walker", "listener", "pretrained", "simulator", "agent"})
    fs::remove_all(at.out / run);
  fs::create_directories(at.out);
  run_steps(at, common);
  // What the page is served from: one file that names the parts.
  write_file_atomically(at.made("films.json"),
                        Json{{"database", "kg.db"},
                             {"run", "agent"},
                             {"listener", "listener"},
                             {"simulator", "simulator"},
                             {"text", "text"},
                             {"about", "Films, books, music and sport: kgwalk's own sample."},
                             {"license", "Apache-2.0"}}
                                .dump(1) +
                            "\n");
  print(
      "\nOpen {}, {} and {} in a browser; training curves are in {}.\nTalk to it: kgwalk chat --db {} --run "
      "{} "
      "--listener {} --simulator {} --goal \"Roger Federer\"\nOn a page: kgwalk serve {}\n",
      at.made("plan.html"), at.made("trajectory.html"), at.made("dialogues.html"), at.made("agent/plots"),
      at.made("kg.db"), at.made("agent"), at.made("listener"), at.made("simulator"), at.made("films.json"));
}

Verb add_demo(CLI::App& app, Common& common) {
  auto options = std::make_shared<DemoOptions>();
  app.add_option("--data", options->data, "folder of the embedded sample")->capture_default_str();
  app.add_option("--out", options->out, "folder for the database and the runs; its demo runs are replaced")
      ->capture_default_str();
  return [options, &common] { run_demo(*options, common); };
}

const Registration kDemoCommand({.name = "demo",
                                 .help = "the whole main job on the embedded sample",
                                 .example = "",
                                 .add = add_demo,
                                 .group = Group::kBegin,
                                 .place = 3,
                                 .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
