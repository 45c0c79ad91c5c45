// Everything from files to a model that answers, in one call: what `kgwalk quickstart`, `recipe`, `demo` and
// `pack` run.
//
// Example:
//   kgwalk::SignalGuard signals;
//   const auto reporter = kgwalk::make_console_reporter({});
//   kgwalk::QuickstartOptions options{.folder = "films"};
//   options.graph.triples = {"films.ttl"};
//   const auto made = kgwalk::quickstart(options, {}, *reporter, signals.stop());
//   std::cout << made.summary.text << made.model << '\n';  // open it with Planner::open(made.model)
//
// A workflow is a row of steps, each a call of kgwalk/ingest.h, training.h, evaluation.h or packed_model.h.
// Its folder remembers the steps that are done, what they were given and what their input files hold: the
// same call again goes on behind them, also after a stop in the middle of a training, and does anew what
// comes behind a change. A workspace file beside them (kgwalk.json) tells the command line where the parts
// lie.
//
// Errors and threads are those of the steps (kgwalk/training.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kgwalk/ingest.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/progress.h"
#include "kgwalk/settings.h"

namespace kgwalk {

// A step as it begins.
struct WorkflowStep {
  std::string title = {};     // "The walker"
  std::string function = {};  // that is called: "train_walker"
  // Members of its options that differ from their defaults, as text, in the order in which they are best
  // told; a list is one entry an element, a flag "true". Members of nested structs bear their own names.
  std::vector<std::pair<std::string, std::string>> arguments = {};
  std::size_t number = 1;  // from 1
  std::size_t of = 0;      // steps of the workflow; 0: not known
  bool done = false;  // by a call before, with the same arguments behind the same steps: it is passed over
};

struct WorkflowResult : Report {
  std::string learned = {};  // by a training, in a sentence; empty elsewhere
};

// Who is told of steps, from the thread that called. What it throws ends the workflow.
struct WorkflowObserver {
  std::function<void(const WorkflowStep&)> begins = {};
  std::function<void(const WorkflowStep&, const WorkflowResult&)> ends = {};  // not of those that were done
};

// What a packed model is about, what it can be asked and how it answers, measured by new questions in the
// wordings that it learned and in wordings that nothing is learned from.
struct ModelSummary : Report {
  std::string title = {};
};
struct SummarizeOptions {
  std::filesystem::path model = {};   // packed
  std::vector<std::string> ask = {};  // questions to answer too
  double seconds = 0;                 // that making it took; 0: not told
};
[[nodiscard]] ModelSummary summarize_model(const SummarizeOptions& options,
                                           Reporter& reporter = silent_reporter(),
                                           const StopFlag& stop = never_stop());

struct QuickstartOptions {
  // Files of the graph, how they are read, and dialogues. Its database is made in `folder`.
  graph::IngestOptions graph = {};
  std::filesystem::path folder = {};  // empty: the first file's name without its extensions
  // Text encoder: hears words that no question taught, takes longer. Empty: the listener learns words of its
  // own.
  std::filesystem::path text = {};
  int questions = 0;                     // made to learn hearing from; 0: by the number of facts
  int walks = 6000;                      // made to learn walking from
  std::string about = {}, license = {};  // of the data, for the model
  std::vector<std::string> ask = {};     // questions that the summary answers
  std::uint64_t seed = 1;
};

struct QuickstartResult {
  std::filesystem::path folder = {}, database = {}, run = {};
  std::filesystem::path model = {};  // packed, a folder
  std::filesystem::path page = {};   // the summary as Markdown
  ModelSummary summary = {};
  double seconds = 0;  // of all steps, those of calls before counted
};

// From the files of a graph to a packed model: database, distances, embeddings, a walker, a listener. Without
// dialogues the walker learns from walks over the graph.
QuickstartResult quickstart(const QuickstartOptions& options, const WorkflowObserver& observer = {},
                            Reporter& reporter = silent_reporter(), const StopFlag& stop = never_stop());

struct OpenDialKgOptions {
  std::filesystem::path data = {};  // folder of the official files, or of their published splits
  std::filesystem::path folder = "opendialkg";
  std::filesystem::path text = {};  // text encoder; empty: one is made from the dialogues
  bool quick = false;  // trainings of a minute, to see that every step works; figures say nothing
  std::uint64_t seed = 1;
};

struct OpenDialKgResult {
  std::filesystem::path folder = {}, model = {};  // the model in one file
  std::filesystem::path page = {};                // html: tables, curves, answers
  double seconds = 0;                             // as of QuickstartResult
};

// From the files of OpenDialKG to evaluated walkers of both stages and a packed model.
OpenDialKgResult opendialkg(const OpenDialKgOptions& options, const WorkflowObserver& observer = {},
                            Reporter& reporter = silent_reporter(), const StopFlag& stop = never_stop());

struct DemoOptions {
  std::filesystem::path data = "data/sample";  // folder of the embedded sample
  std::filesystem::path folder = "runs/demo";  // its demo runs are replaced
  std::uint64_t seed = 1;
};

struct DemoResult {
  std::filesystem::path database = {}, agent = {}, listener = {}, simulator = {};
  std::filesystem::path model = {};               // a file that names the parts, for `kgwalk serve`
  std::vector<std::filesystem::path> pages = {};  // html: a plan, a walk to a goal, dialogues
};

// Both stages on the sample, with a measure of each: some minutes, nothing is passed over.
DemoResult demo(const DemoOptions& options, const WorkflowObserver& observer = {},
                Reporter& reporter = silent_reporter(), const StopFlag& stop = never_stop());

struct Packed : Report {
  PackReport report = {};
};

// pack_model() with an introduction for newcomers, for which the model is opened and tried; the version of
// kgwalk is noted where none is given.
Packed pack(const PackOptions& options, Reporter& reporter = silent_reporter(),
            const StopFlag& stop = never_stop());

}  // namespace kgwalk
