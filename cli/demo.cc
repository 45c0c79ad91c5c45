// kgwalk demo: the whole main job on the embedded sample, each step as the command that a user would type.
#include <cstdio>
#include <filesystem>
#include <utility>

#include "cli/commands.h"
#include "runtime/error.h"
#include "runtime/reporter.h"

namespace kgwalk::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Parses `words` as the options of one verb and runs it, in this process.
class Steps {
 public:
  explicit Steps(const Common& common) : common_(common) {}

  void run(std::string_view title, const char* name, Register add, const Words& words) {
    std::printf("\n== %s\n$ kgwalk %s", std::string(title).c_str(), name);
    for (const std::string& word : words)
      std::printf(word.find_first_of(" ?'!") == std::string::npos ? " %s" : " \"%s\"", word.c_str());
    std::printf("\n");
    std::fflush(stdout);
    CLI::App app;
    Common common = common_;
    common.config_files.clear();
    common.assignments.clear();
    common.json_out.clear();
    app.add_option("--set", common.assignments)->allow_extra_args(false);
    const Verb verb = add(app, common);
    app.parse(Words(words.rbegin(), words.rend()));  // CLI11 takes a vector back to front
    verb();
    std::fflush(stdout);
  }

 private:
  const Common& common_;
};

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

void run_demo(const DemoOptions& options, const Common& common) {
  const fs::path data = options.data, out = options.out;
  check_data(data);
  for (const char* run : {"text", "walker", "prior"}) fs::remove_all(out / run);
  fs::create_directories(out);
  const std::string db = (out / "kg.db").string(), text = (out / "text").string(),
                    walker = (out / "walker").string();
  const auto file = [&](const char* name) { return (data / name).string(); };

  Steps steps(common);
  steps.run("Files into the database", "ingest", add_ingest,
            {"--db", db, "--replace", "--triples", file("triples.txt"), "--entities", file("entities.txt"),
             "--relations", file("relations.txt"), "--dialogs", "train=" + file("train.csv"), "--dialogs",
             "dev=" + file("dev.csv"), "--dialogs", "test=" + file("test.csv")});
  steps.run("What is in it", "stats", add_stats, {"--db", db});
  steps.run("Exact distances of all pairs, their index and factors", "distances", add_distances,
            {"--db", db, "--rank", "64"});
  steps.run("TransE embeddings of the graph", "embed", add_embed, {"--db", db, "--set", "dim=64"});
  steps.run("A small text encoder from the training dialogues", "pretrain-text", add_pretrain_text,
            {"--db", db, "--run", text, "--preset", "tiny", "--set", "trainer.max_epochs=3"});
  steps.run("The count prior that no walker should lose to", "train", add_train,
            {"--db", db, "--run", (out / "prior").string(), "--preset", "tiny", "--model", "prior"});
  steps.run("How good the prior is", "eval", add_eval,
            {"--db", db, "--run", (out / "prior").string(), "--split", "test"});
  steps.run("The walker, stage 1", "train", add_train,
            {"--db", db, "--run", walker, "--preset", "tiny", "--text", text});
  steps.run("How good the walker is", "eval", add_eval, {"--db", db, "--run", walker, "--split", "test"});
  steps.run("Ask it", "plan", add_plan,
            {"--db", db, "--run", walker, "--from", "Inception", "--say",
             "Do you know the film Inception? Who directed it?"});
  const std::string page = (out / "plan.html").string();
  const Words towards{"--db",      db,       "--run",         walker,  "--from",
                      "Inception", "--goal", "Roger Federer", "--say", "I liked Inception. Who stars in it?"};
  steps.run("The same towards a goal", "plan", add_plan, towards);
  Words html = towards;
  for (const char* word : {"--format", "html", "--out"}) html.emplace_back(word);
  html.push_back(page);
  steps.run("As a page", "plan", add_plan, html);
  std::printf("\nOpen %s in a browser; training curves are in %s.\n", page.c_str(),
              (walker + "/plots").c_str());
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
