// quickstart(): from the files of a graph to a packed model that answers questions.
#include <algorithm>

#include "kgwalk/embeddings.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "kgwalk/workflows.h"
#include "workflows/steps/calls.h"
#include "workflows/steps/model_summary.h"
#include "workflows/steps/steps.h"
#include "workflows/workspace.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

std::string name_of(const QuickstartOptions& options) {
  if (options.graph.triples.empty()) throw ConfigError("a quickstart needs a file of the graph");
  fs::path stem = options.graph.triples.front().filename();
  while (stem.has_extension()) stem = stem.stem();
  return stem.string();
}

fs::path folder_of(const QuickstartOptions& options) {
  if (!options.folder.empty()) return options.folder;
  if (options.graph.triples.empty() || options.graph.triples.front() == "-")
    throw ConfigError("a quickstart needs a folder when the graph comes from standard input");
  return name_of(options);
}

// What leads a talk on where nothing is asked: by the habits of dialogues, else by what questions about the
// graph walk.
void run_walker(Steps& steps, const Calls& call, const QuickstartOptions& options, const Workspace& at) {
  const fs::path walks = at.folder / "walks.jsonl";
  steps.run(
      call("Walks to learn from",
           MakeQuestionsOptions{.database = at.database,
                                .out = walks,
                                .count = options.walks,
                                .seed = options.seed,
                                .settings = {.assignments = {"held_families=0", "other_relations=0.3"}}}));
  TrainWalkerOptions walker{.database = at.database,
                            .run = at.run,
                            .questions = {{"own", walks}},
                            .seed = options.seed,
                            .settings = {.preset = "graph"}};
  if (!options.graph.dialogues.empty())
    walker.settings = {.preset = "listening", .assignments = {"listen.text=false"}};
  steps.run(call("The walker", walker));
}

// Five questions an edge, as far as more of them teach more.
int questions_for(const fs::path& database) {
  constexpr std::size_t kFewest = 6000, kMost = 10000;
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  return static_cast<int>(std::clamp(5 * store.load_graph().num_edges(), kFewest, kMost));
}

// What hears a question as a form over the graph; it lies in the walker's run and goes with it.
TrainListenerOptions listener_of(const QuickstartOptions& options, const Workspace& at) {
  return {.database = at.database,
          .run = at.run / "listener",
          .text = options.text,
          .made = options.questions > 0 ? options.questions : questions_for(at.database),
          .seed = options.seed,
          .settings = {.assignments = {"listening.trainer.max_epochs=2"}}};
}

void run_all(Steps& steps, const Calls& call, const QuickstartOptions& options, const Workspace& at,
             const fs::path& model) {
  graph::IngestOptions graph = options.graph;
  graph.database = at.database;
  graph.replace = true;
  steps.run(call("The graph into a database", graph));
  // What follows from the database alone: nothing of it depends on dialogues.
  steps.run(call(
      "Exact distances",
      ComputeDistancesOptions{.database = at.database, .index = true, .rank = 32, .seed = options.seed}));
  steps.run(call("Vectors of entities and relations",
                 EmbedOptions{.database = at.database,
                              .seed = options.seed,
                              .settings = {.assignments = {"dim=32", "epochs=10"}}}));
  run_walker(steps, call, options, at);
  steps.run(call("The listener", listener_of(options, at)));
  steps.run(call("A model that can be moved",
                 PackOptions{.database = at.database,
                             .run = at.run,
                             .out = model,
                             .replace = true,
                             .name = name_of(options),
                             .about = options.about,
                             .license = options.license,
                             .tables = {embeddings::StoredEmbedding{.dim = 32}.name()}}));
}

// Before anything is made: the folder has the name of the first file unless another is given, so that it
// would stand where the file was meant to.
void refuse_missing(const graph::IngestOptions& graph) {
  for (const fs::path& file : graph.triples)
    if (file != "-" && !fs::exists(file)) throw IoError(file.string() + ": there is no such file or folder");
}

}  // namespace

QuickstartResult quickstart(const QuickstartOptions& options, const WorkflowObserver& observer,
                            Reporter& reporter, const StopFlag& stop) {
  refuse_missing(options.graph);
  Workspace at = Workspace::in(folder_of(options));
  if (!options.text.empty()) at.text = options.text;
  at.write();
  QuickstartResult made{.folder = at.folder,
                        .database = at.database,
                        .run = at.run,
                        .model = at.folder / "model",
                        .page = at.folder / "summary.md"};
  Steps steps(observer, at.folder / "state.json");
  run_all(steps, Calls(reporter, stop), options, at, made.model);
  made.seconds = steps.seconds();
  made.summary =
      summarize_model({.model = made.model, .ask = options.ask, .seconds = made.seconds}, reporter, stop);
  write_summary(made.page, made.summary);
  return made;
}

}  // namespace kgwalk
