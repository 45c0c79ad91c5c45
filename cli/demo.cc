// kgwalk demo: both stages on the embedded sample, each step as the command that a user would type.
#include <filesystem>
#include <utility>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/steps.h"
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

void prepare(Steps& steps, const Places& at) {
  const std::string db = at.made("kg.db");
  steps.run(
      "Files into the database", "ingest", add_ingest,
      {"--db", db, "--replace", "--triples", at.file("triples.txt"), "--entities", at.file("entities.txt"),
       "--relations", at.file("relations.txt"), "--dialogs", "train=" + at.file("train.csv"), "--dialogs",
       "dev=" + at.file("dev.csv"), "--dialogs", "test=" + at.file("test.csv")});
  steps.run("What is in it", "stats", add_stats, {"--db", db});
  steps.run("Exact distances of all pairs, their index and factors", "distances", add_distances,
            {"--db", db, "--rank", "64", "--index"});
  steps.run("TransE embeddings of the graph", "embed", add_embed, {"--db", db, "--set", "dim=64"});
  steps.run("A small text encoder from the training dialogues", "pretrain-text", add_pretrain_text,
            {"--db", db, "--run", at.made("text"), "--preset", "tiny", "--set", "trainer.max_epochs=3"});
}

void stage_one(Steps& steps, const Places& at) {
  const std::string db = at.made("kg.db"), prior = at.made("prior"), walker = at.made("walker");
  steps.run("The count prior that no walker should lose to", "train", add_train,
            {"--db", db, "--run", prior, "--preset", "tiny", "--model", "prior"});
  steps.run("How good the prior is", "eval", add_eval, {"--db", db, "--run", prior, "--split", "test"});
  const std::string questions = at.made("questions.jsonl"), asked = at.made("questions_test.jsonl");
  steps.run("Questions about the graph to learn listening from", "questions", add_questions,
            {"--db", db, "--out", questions, "--count", "8000", "--set", "held_families=0"});
  steps.run("Others in wordings that are not learned from", "questions", add_questions,
            {"--db", db, "--out", asked, "--count", "400", "--split", "test_wording", "--set",
             "held_families=0", "--show", "0"});
  steps.run("The walker, stage 1", "train", add_train,
            {"--db", db, "--run", walker, "--preset", "tiny", "--text", at.made("text"), "--set",
             "listen.on=true", "--questions", "own=" + questions});
  steps.run("How good the walker is", "eval", add_eval, {"--db", db, "--run", walker, "--split", "test"});
  steps.run("How well it listens, the start not given", "eval", add_eval,
            {"--db", db, "--run", walker, "--questions", asked, "--start", "candidates"});
  const Words said{"--db",  db,        "--run", walker, "--say", "I liked Inception a lot.",
                   "--say", "Me too.", "--say"};
  for (const char* question : {"Who directed it?", "What genre is it?", "Name all actors in it."}) {
    Words ask = said;
    for (const char* word : {question, "--k", "3"}) ask.emplace_back(word);
    steps.run("Ask it", "plan", add_plan, ask);
  }
  const Words ask{"--db",   db,          "--run", walker,
                  "--from", "Inception", "--say", "Do you know the film Inception? Who directed it?"};
  Words page = ask;
  for (const char* word : {"--format", "html", "--out"}) page.emplace_back(word);
  page.push_back(at.made("plan.html"));
  steps.run("As a page", "plan", add_plan, page);
}

void stage_two(Steps& steps, const Places& at) {
  const std::string db = at.made("kg.db"), pretrained = at.made("pretrained"),
                    simulator = at.made("simulator"), agent = at.made("agent");
  steps.run("A walker whose MetaPaths hold distances, before stage 2", "train", add_train,
            {"--db", db, "--run", pretrained, "--preset", "stage2_tiny", "--text", at.made("text")});
  steps.run("A simulated user", "simulator", add_simulator,
            {"train", "--db", db, "--run", simulator, "--preset", "tiny", "--set", "trainer.max_epochs=2"});
  steps.run("What it says, by wordings: the sample is too small to learn speech from", "simulator",
            add_simulator, {"say", "--run", simulator, "--about", "Inception", "--count", "3"});
  steps.run("Stage 2: towards goals, by A2C", "rl", add_rl,
            {"--db", db, "--run", agent, "--preset", "tiny", "--from", pretrained, "--simulator", simulator});
  for (const std::string& run : {pretrained, agent})
    steps.run(run == agent ? "How often it does after stage 2" : "How often it reaches goals before stage 2",
              "eval", add_eval,
              {"--run", run, "--success", "--distances", "3,5", "--episodes", "50", "--stage1", pretrained,
               "--simulator", simulator});
  const Words towards{"--db",        db,        "--run",         agent,      "--from",
                      "Inception",   "--goal",  "Roger Federer", "--turns",  "8",
                      "--simulator", simulator, "--speak",       "templates"};
  steps.run("A whole walk to a goal, the simulated user speaking", "plan", add_plan, towards);
  Words page = towards;
  for (const char* word : {"--format", "html", "--out"}) page.emplace_back(word);
  page.push_back(at.made("trajectory.html"));
  steps.run("As a page", "plan", add_plan, page);
  steps.run("Dialogues between the simulated user and the assistant", "selfplay", add_selfplay,
            {"--db", db, "--run", agent, "--simulator", simulator, "--dialogues", "40", "--distances",
             "2,3,4", "--out", at.made("dialogues.jsonl"), "--html", at.made("dialogues.html")});
}

void run_demo(const DemoOptions& options, const Common& common) {
  const Places at{options.data, options.out};
  check_data(at.data);
  for (const char* run : {"text", "walker", "prior", "pretrained", "simulator", "agent"})
    fs::remove_all(at.out / run);
  fs::create_directories(at.out);
  Steps steps(common);
  prepare(steps, at);
  stage_one(steps, at);
  stage_two(steps, at);
  // What the page is served from: one file that names the parts.
  write_file_atomically(at.made("films.json"),
                        Json{{"database", "kg.db"},
                             {"run", "agent"},
                             {"simulator", "simulator"},
                             {"text", "text"},
                             {"about", "Films, books, music and sport: kgwalk's own sample."},
                             {"license", "Apache-2.0"}}
                                .dump(1) +
                            "\n");
  print(
      "\nOpen {}, {} and {} in a browser; training curves are in {}.\nTalk to it: kgwalk chat --db {} --run "
      "{} "
      "--simulator {} --goal \"Roger Federer\"\nOn a page: kgwalk serve {}\n",
      at.made("plan.html"), at.made("trajectory.html"), at.made("dialogues.html"), at.made("agent/plots"),
      at.made("kg.db"), at.made("agent"), at.made("simulator"), at.made("films.json"));
}

}  // namespace

Verb add_demo(CLI::App& app, Common& common) {
  auto options = std::make_shared<DemoOptions>();
  app.add_option("--data", options->data, "folder of the embedded sample")->capture_default_str();
  app.add_option("--out", options->out, "folder for the database and the runs; its demo runs are replaced")
      ->capture_default_str();
  return [options, &common] { run_demo(*options, common); };
}

}  // namespace kgwalk::cli
