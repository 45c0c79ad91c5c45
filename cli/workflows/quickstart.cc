// kgwalk quickstart: from the files of a graph to a packed model that answers questions.
#include <unistd.h>

#include <algorithm>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/parsing/workspace.h"
#include "cli/workflows/model_summary.h"
#include "cli/workflows/steps.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"

namespace kgwalk::cli {
namespace {

namespace fs = std::filesystem;

struct QuickstartOptions {
  std::vector<std::string> files;
  std::string out, format, columns, separator, language, literals;
  std::vector<std::string> labels, aliases, descriptions, dialogues;
  std::string split, text, about, license;
  std::vector<std::string> ask;
  int questions = 0, walks = 6000;
  bool serve = false, no_chat = false;
};

void give(Words& words, const char* option, const std::string& value) {
  if (!value.empty()) words.insert(words.end(), {option, value});
}

Step ingestion(const QuickstartOptions& options, const Workspace& at) {
  Words words = options.files;
  give(words, "--db", at.database.string());
  words.emplace_back("--replace");
  give(words, "--format", options.format);
  give(words, "--columns", options.columns);
  give(words, "--separator", options.separator);
  give(words, "--language", options.language);
  give(words, "--literals", options.literals);
  for (const std::string& label : options.labels) give(words, "--label", label);
  for (const std::string& alias : options.aliases) give(words, "--alias", alias);
  for (const std::string& description : options.descriptions) give(words, "--description", description);
  for (const std::string& dialogues : options.dialogues) give(words, "--dialogs", dialogues);
  give(words, "--split", options.split);
  std::vector<fs::path> inputs(options.files.begin(), options.files.end());
  for (const std::string& dialogues : options.dialogues)
    inputs.emplace_back(dialogues.substr(dialogues.find('=') + 1));
  return {"The graph into a database", "ingest", words, {at.database}, inputs};
}

// What follows from the database alone: nothing here depends on dialogues.
void read_graph(Steps& steps, const Workspace& at) {
  const std::string db = at.database.string();
  steps.run({"Exact distances", "distances", {"--db", db, "--index", "--rank", "32"}});
  steps.run(
      {"Vectors of entities and relations", "embed", {"--db", db, "--set", "dim=32", "--set", "epochs=10"}});
}

// What leads a talk on where nothing is asked: by the habits of dialogues, else by what questions about the
// graph walk.
void train_walker(Steps& steps, const QuickstartOptions& options, const Workspace& at,
                  const fs::path& walks) {
  const std::string db = at.database.string();
  steps.run({"Walks to learn from",
             "questions",
             {"--db", db, "--set", "held_families=0", "--set", "other_relations=0.3", "--show", "0", "--out",
              walks.string(), "--count", std::to_string(options.walks)},
             {walks}});
  const bool talks = !options.dialogues.empty();
  Words words{"--db",        db,
              "--run",       at.run.string(),
              "--preset",    talks ? "listening" : "graph",
              "--questions", "own=" + walks.string()};
  if (talks) words.insert(words.end(), {"--set", "listen.text=false"});
  steps.run({"The walker", "train", words, {at.run}});
}

// Five questions an edge, as far as more of them teach more.
int questions_for(const Workspace& at) {
  constexpr std::size_t kFewest = 12000, kMost = 20000;
  const graph::Store store = graph::Store::open(at.database, graph::Store::Mode::kReadOnly);
  return static_cast<int>(std::clamp(5 * store.load_graph().num_edges(), kFewest, kMost));
}

// What hears a question as a form over the graph; it lies in the walker's run and goes with it.
Step listener(const QuickstartOptions& options, const Workspace& at) {
  const fs::path run = at.run / "listener";
  Words words{"--db",   at.database.string(),
              "--run",  run.string(),
              "--made", std::to_string(options.questions > 0 ? options.questions : questions_for(at)),
              "--show", "0",
              "--set",  "listening.trainer.max_epochs=4"};
  give(words, "--text", options.text);
  words.insert(words.begin(), "train");
  return {"The listener", "listen", words, {run}};
}

void summarize(const QuickstartOptions& options, const Workspace& at, const fs::path& model, double seconds,
               const Common& common) {
  const ModelSummary summary = summarize_model(
      {.model = model, .seconds = seconds, .ask = options.ask, .stop = common.stop}, *common.reporter);
  const fs::path page = at.folder / "summary.md";
  write_summary(page, summary);
  print("\n{}", summary.text);
  print("\nsummary: {}\ntalk to it: kgwalk chat {}\non a page: kgwalk serve {}\n", page.string(),
        model.string(), model.string());
  common.write_json(summary.json);
}

void run_quickstart(const QuickstartOptions& options, const Common& common) {
  fs::path stem = fs::path(options.files.front()).filename();
  while (stem.has_extension()) stem = stem.stem();
  Workspace at;
  at.folder = options.out.empty() ? stem : fs::path(options.out);
  if (options.out.empty() && options.files.front() == "-")
    throw CLI::ValidationError("--out", "is needed when the graph comes from standard input");
  for (fs::path* path : {&at.database, &at.text, &at.run, &at.pretrained, &at.simulator, &at.responder})
    *path = at.folder / *path;
  if (!options.text.empty()) at.text = options.text;
  at.write();
  const fs::path model = at.folder / "model";
  Steps steps(common, at.folder / "state.json");
  steps.run(ingestion(options, at));
  read_graph(steps, at);
  train_walker(steps, options, at, at.folder / "walks.jsonl");
  steps.run(listener(options, at));
  Words pack{"--db",   at.database.string(), "--run",     at.run.string(), "--out",    model.string(),
             "--name", stem.string(),        "--replace", "--table",       "transe/32"};
  give(pack, "--about", options.about);
  give(pack, "--license", options.license);
  steps.run({"A model that can be moved", "pack", pack, {model}});
  summarize(options, at, model, steps.seconds(), common);
  Steps last(common);
  if (options.serve) {
    last.run("The page", "serve", {model.string()});
    return;
  }
  const bool typed_at = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
  if (typed_at && !options.no_chat && options.ask.empty()) last.run("Talk to it", "chat", {model.string()});
}

Verb add_quickstart(CLI::App& app, Common& common) {
  auto options = std::make_shared<QuickstartOptions>();
  app.add_option("files", options->files, "files of the graph, in any format that 'kgwalk ingest' reads")
      ->required();
  app.add_option("--out", options->out,
                 "folder for everything that is made, a workspace (the first file's name unless given)");
  app.add_option("--format", options->format, "format of the files, when their extension does not tell it");
  app.add_option("--columns", options->columns, "of csv and tsv: HEAD,RELATION,TAIL");
  app.add_option("--separator", options->separator, "of csv and tsv: one character, or tab");
  app.add_option("--language", options->language, "language of labels that is preferred");
  app.add_option("--literals", options->literals, "entities, values or drop");
  app.add_option("--label", options->labels, "property that names entities; found unless given; repeatable")
      ->allow_extra_args(false);
  app.add_option("--alias", options->aliases, "property that gives other names; repeatable")
      ->allow_extra_args(false);
  app.add_option("--description", options->descriptions, "property that describes entities; repeatable")
      ->allow_extra_args(false);
  app.add_option("--dialogs", options->dialogues, "dialogues to learn habits from, NAME=FILE; repeatable")
      ->allow_extra_args(false);
  app.add_option("--split", options->split, "of dialogues without a name: shares of train, dev and test");
  app.add_option("--text", options->text, "text encoder: hears words that no question taught, takes longer");
  app.add_option("--questions", options->questions,
                 "number of questions that are made to learn from (by the number of facts unless given)")
      ->check(CLI::Range(100, 10000000));
  app.add_option("--walks", options->walks, "number of walks that are made to learn from")
      ->check(CLI::Range(100, 10000000))
      ->capture_default_str();
  app.add_option("--about", options->about, "a sentence on the data, for the model");
  app.add_option("--license", options->license, "license of the data, for the model");
  app.add_option("--ask", options->ask, "a question to answer at the end, in place of a chat; repeatable")
      ->allow_extra_args(false);
  app.add_flag("--serve", options->serve, "serve the model's page at the end");
  app.add_flag("--no-chat", options->no_chat, "no chat at the end");
  return [options, &common] { run_quickstart(*options, common); };
}

const Registration kQuickstartCommand({.name = "quickstart",
                                       .help = "from the files of a graph to a model that answers questions",
                                       .example = "films.ttl --out films",
                                       .add = add_quickstart,
                                       .group = Group::kBegin,
                                       .place = 1,
                                       .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
