// Training: what a graph, questions about it and dialogues teach, from a program as from the command line.
//
// Example:
//   kgwalk::SignalGuard signals;  // Ctrl-C saves what a training has reached
//   const auto reporter = kgwalk::make_console_reporter({});
//   kgwalk::embed({.database = "kg.db", .settings = {.assignments = {"dim=64"}}}, *reporter, signals.stop());
//   kgwalk::make_questions({.database = "kg.db", .out = "questions.jsonl", .count = 8000});
//   const auto walker = kgwalk::train_walker({.database = "kg.db",
//                                             .run = "runs/walker",
//                                             .questions = {{"own", "questions.jsonl"}},
//                                             .settings = {.preset = "graph"}},
//                                            *reporter, signals.stop());
//   std::cout << walker.text << walker.best.dump() << '\n';
//
// kgwalk/workflows.h does all of it in the usual order; kgwalk/evaluation.h measures what was trained.
// Embeddings and factors of distances with their options as structs: kgwalk/embeddings.h,
// kgwalk/distance_factors.h.
//
// Databases are those of kgwalk/ingest.h. A run is a folder that a training makes: configuration,
// checkpoints, metrics.jsonl, curves. A training that was stopped in it goes on there, on one thread to the
// same bits; one that is finished is only read.
//
// Errors: ConfigError for settings (kgwalk/settings.h) and for what is missing; StoreError for the database;
// FormatError for a run of another kind, or beside another graph, encoder or configuration; DataError for
// files; NumericError where a loss is not finite. On `stop`: Interrupted where the run has what is needed to
// go on, else Stopped. A Reporter's or Progress's own exception comes out as it is and saves nothing; to stop
// from there set the flag.
//
// Threads: a training uses all threads of kgwalk/threads.h and the device of kgwalk/device.h, and LibTorch's
// generator, of which a process has one: train one after the other. Planners that are open may be asked
// meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/embeddings.h"
#include "kgwalk/link_prediction.h"
#include "kgwalk/progress.h"
#include "kgwalk/settings.h"
#include "kgwalk/shards.h"

namespace kgwalk {

// ---- What a graph tells by itself ----

struct ComputeDistancesOptions {
  std::filesystem::path database = {};
  bool histogram = true;                   // count the ordered pairs of entities at each distance
  std::optional<int> sample = {};          // sources that the histogram is estimated from; 0: all. By default
                                           // 1,000 above 100,000 entities with an edge, else all
  bool index = false;                      // store the index of single pairs where it fits
  int rank = 0;                            // store low-rank factors of this rank; 0: none
  std::optional<std::uint64_t> seed = {};  // of sample and factors, in place of that of the settings
  Settings settings = {};                  // of the factors ("kgwalk distances")
  Shards shards = {};                      // of the histogram, which then is all that may be asked for
};

// Distances of the graph; json: "histogram" {HOPS: pairs}, "sample" {"sources", "margin" {HOPS: pairs}} where
// the histogram is an estimate, "index" {"bytes"} or, where it would take more than
// graph::IndexLimits, {"expected_seconds", "expected_bytes"}; "factors" {...}; as asked for.
Report compute_distances(const ComputeDistancesOptions& options, Reporter& reporter = silent_reporter(),
                         const StopFlag& stop = never_stop());

struct EmbedOptions {
  std::filesystem::path database = {};
  std::filesystem::path run = {};          // folder to go on from; empty: nothing is kept before the end
  std::optional<std::uint64_t> seed = {};  // in place of that of the settings
  std::string model = {};                  // likewise: transe, complex, rotate or distmult
  // "kgwalk embed"; "model", "dim" and "epochs" are short for "embedding.model" and so on. What is not set is
  // what suits the model (embeddings::default_graph_embedding()).
  Settings settings = {};
};

// Trains embeddings on the graph and stores the tables beside it. The json is EmbeddingTables::meta().
Report embed(const EmbedOptions& options, Reporter& reporter = silent_reporter(),
             const StopFlag& stop = never_stop());

struct PredictLinksOptions {
  std::filesystem::path train = {}, valid = {}, test = {};  // lines of head TAB relation TAB tail
  std::filesystem::path run = {};                           // as of EmbedOptions
  std::optional<std::uint64_t> seed = {};                   // likewise
  std::string model = {};                                   // likewise
  Settings settings = {};                                   // "kgwalk link-prediction"
  Shards shards = {};  // of the ranks; a shard needs a run whose training has ended, and only reads it
};

struct LinkPrediction : Report {
  embeddings::LinkPredictionReport report = {};
};

// Trains embeddings on one file and ranks both ends of every fact of another, filtered by all three.
LinkPrediction predict_links(const PredictLinksOptions& options, Reporter& reporter = silent_reporter(),
                             const StopFlag& stop = never_stop());

// ---- Questions to learn from ----

struct MakeQuestionsOptions {
  // One of the three: a database whose graph is asked about, a file of SimpleQuestions (relation TAB
  // question), a file of MetaQA (question with [start] TAB answers TAB type).
  std::filesystem::path database = {}, simplequestions = {}, metaqa = {};
  std::filesystem::path out = {};   // needed: JSON Lines, whole after a kill
  std::filesystem::path bank = {};  // wordings in place of the built-in ones
  int count = 0;                    // of a database; 0: that of the settings
  std::string split = {};     // likewise: train, test_wording or test_relation; empty: that of the settings
  int hops = 1;               // of MetaQA's questions
  bool path_labels = false;   // MetaQA: keep the relations that the type of a question tells
  bool without_held = false;  // SimpleQuestions: leave out relations that questions of databases keep back
  std::size_t shown = 0;      // questions that the report's text shows
  std::uint64_t seed = 1;
  Settings settings = {};  // "kgwalk questions"
  Shards shards = {};      // of questions about a database, 65,536 a unit
};

struct QuestionsMade : Report {
  std::size_t questions = 0;
};

QuestionsMade make_questions(const MakeQuestionsOptions& options, Reporter& reporter = silent_reporter(),
                             const StopFlag& stop = never_stop());

// ---- Models ----

struct Trained : Report {
  std::filesystem::path run = {};
  // What was written to be used by itself: a folder of the text encoder, of the simulator or the response
  // model. Empty: the run is what is used.
  std::filesystem::path model = {};
  std::int64_t steps = 0;      // updates, those of earlier calls counted; 0 where there is nothing to train
  int epochs = 0;              // likewise
  std::int64_t best_step = 0;  // whose weights are used
  Json best =
      Json::object();  // measured there on what was kept back: "score", the higher the better, and more
  double seconds = 0;  // wall, over all calls
  double processor_seconds = 0;
};

struct PretrainTextOptions {
  std::filesystem::path database = {}, run = {};
  std::uint64_t seed = 1;
  Settings settings = {};  // presets default and tiny
};

// A small ALBERT from the training dialogues of a database, for walkers and listeners to read with.
// ConfigError without the program spm_train.
Trained pretrain_text(const PretrainTextOptions& options, Reporter& reporter = silent_reporter(),
                      const StopFlag& stop = never_stop());

// A file of make_questions().
struct QuestionSource {
  std::string name = {};
  std::filesystem::path file = {};
  double weight = 1;  // share of a batch, relative to the other files'
};

struct TrainWalkerOptions {
  std::filesystem::path database = {}, run = {};
  std::filesystem::path text =
      {};  // run of pretrain_text() or a Hugging Face folder; empty: it reads no text
  std::vector<QuestionSource> questions = {};  // need a preset that listens: best, listening, graph
  std::string model = {};                      // hitkg, lstm, scorer or prior; empty: that of the settings
  std::uint64_t seed = 1;
  // Presets default, best, listening, graph (without dialogues), tiny, hitkg_paper; stage2 and stage2_tiny
  // before stage 2.
  Settings settings = {};
};

// Stage 1: a walker by the paths of dialogues and by questions.
Trained train_walker(const TrainWalkerOptions& options, Reporter& reporter = silent_reporter(),
                     const StopFlag& stop = never_stop());

struct TrainListenerOptions {
  std::filesystem::path database = {}, run = {};  // without a database it learns from made-up graphs alone
  std::filesystem::path text = {};                // encoder that it reads beside its own words; may be empty
  int made = 5000;                                // questions made from the graph, 1 or more
  std::filesystem::path questions = {};           // that people wrote, to learn from beside them; JSON Lines
  bool without_named = false;                     // their answers leave out what the questions name
  // The run of a listener, or the file of its `weights`, that is begun with; "schooled" (what comes with the
  // program and has learned from made-up graphs, taken when this is empty) or "nothing".
  std::filesystem::path from = {};
  std::filesystem::path weights = {};  // a file that takes them, for others to begin with; empty: none
  std::size_t shown = 0;               // questions made that the report's text shows
  std::uint64_t seed = 1;
  Settings settings = {};  // "kgwalk listen train"
};

// What hears a question as a form over the graph. A walker finds it where it lies in the folder "listener" of
// its run.
Trained train_listener(const TrainListenerOptions& options, Reporter& reporter = silent_reporter(),
                       const StopFlag& stop = never_stop());

struct TrainSimulatorOptions {
  std::filesystem::path database = {}, run = {};
  std::uint64_t seed = 1;
  Settings settings = {};  // presets default and tiny
};

// The simulated user, by the training dialogues. ConfigError without the program spm_train.
Trained train_simulator(const TrainSimulatorOptions& options, Reporter& reporter = silent_reporter(),
                        const StopFlag& stop = never_stop());

struct TrainResponderOptions {
  std::filesystem::path database = {}, run = {};
  std::uint64_t seed = 1;
  Settings settings = {};  // "kgwalk respond train"
};

// What puts paths and answers into sentences (kgwalk/responder.h). ConfigError without the program spm_train.
Trained train_responder(const TrainResponderOptions& options, Reporter& reporter = silent_reporter(),
                        const StopFlag& stop = never_stop());

struct TrainStage2Options {
  // The database has tables of embeddings, distance factors and the index: compute_distances(), embed().
  std::filesystem::path database = {}, run = {};
  std::filesystem::path from = {};       // run of train_walker() with a preset of stage 2
  std::filesystem::path text = {};       // text encoder, where it has moved since
  std::filesystem::path simulator = {};  // run of train_simulator(); empty: the user says nothing
  std::uint64_t seed = 1;
  Settings settings = {};  // presets default, natural, paper and tiny
};

// Stage 2: a walker that reaches goals, by A2C with the simulated user.
Trained train_stage2(const TrainStage2Options& options, Reporter& reporter = silent_reporter(),
                     const StopFlag& stop = never_stop());

}  // namespace kgwalk
