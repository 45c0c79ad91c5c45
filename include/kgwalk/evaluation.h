// Measuring what was trained (kgwalk/training.h): paths that people walked, questions, goals, conversations.
//
// Example:
//   const auto paths = kgwalk::evaluate_paths({.of = {.runs = {"runs/walker"}}, .split = "test"});
//   std::cout << paths.path.at(1).percent << " % of people's paths come first\n" << paths.text;
//
//   const auto asked = kgwalk::evaluate_questions({.of = {.packed = "films.tar.zst"}, .questions =
//   "test.jsonl"}); std::cout << asked.rows.at("all").first << " % answered rightly\n";
//
// The json of a result holds all that must be told beside the numbers, as docs/results gives it; of a run
// that is measured alone it is kept in its results.json too.
//
// Where `shards` names one of several, only its units are done and its part is written: text and json say so,
// the numbers are 0 and no other file is written. With the parts of all shards the result is that of one run.
//
// Errors: those of opening a model (kgwalk/planner.h), DataError and FormatError for files, Error where there
// is nothing to measure; Stopped. Uses all threads; calls may be made from several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "kgwalk/settings.h"
#include "kgwalk/shards.h"

namespace kgwalk {

// What is measured: a packed model or runs, one needed.
struct MeasuredModel {
  std::filesystem::path packed = {};
  std::vector<std::string> runs = {};              // folders; see each function for several
  std::filesystem::path database = {}, text = {};  // empty: those that it was trained with
  // The database may hold another graph than the one trained on: questions are heard by the words of its
  // relations. Of paths and questions.
  bool other_graph = false;
};

// In percent, with its 95 % interval by bootstrap over dialogues.
struct RecallAt {
  double percent = 0, low = 0, high = 0;
};

struct EvaluatePathsOptions {
  MeasuredModel of = {};               // several runs are an ensemble
  std::string split = {};              // of the database; or
  std::filesystem::path dialogs = {};  // csv of dialogues
  bool candidate_starts =
      false;     // from all that was named, each as likely, in place of the start that people took
  int beam = 0;  // 0: the run's
  std::optional<double> length_weight = {};  // nullopt: the run's
  int resamples = 1000;                      // of the bootstrap; 0: no intervals
  bool readings = false;                     // other readings of path@k and tgt@k beside ours
  std::filesystem::path ranks = {};          // file for the rank of each right end, as test_ranks.tsv
  std::uint64_t seed = 1;
  Shards shards = {};
};

struct PathsEvaluated : Report {
  std::int64_t paths = 0;
  std::int64_t unreached = 0;  // that the search did not find
  // By k (1, 3, 5, 10, 25): the people's path is among the k best, the same with its relations, its last
  // entity is among the k best.
  std::map<int, RecallAt> path = {}, relation = {}, target = {};
};

PathsEvaluated evaluate_paths(const EvaluatePathsOptions& options, Reporter& reporter = silent_reporter(),
                              const StopFlag& stop = never_stop());

struct EvaluateQuestionsOptions {
  MeasuredModel of = {};                 // several runs are an ensemble; a walker that listens
  std::filesystem::path questions = {};  // of make_questions()
  bool candidate_starts = false;         // the start is chosen from what was said, not given
  int beam = 0;                          // 0: as usual
  std::filesystem::path output = {};     // file for the answer to each question, a json object each
  std::filesystem::path ranks = {};      // file for the rank of each right answer, as test_ranks.tsv
  Shards shards = {};
};

struct QuestionsEvaluated : Report {
  // Percent, each over the questions that it is asked of.
  struct Row {
    std::int64_t count = 0;
    double first = 0, first3 = 0;  // a right entity comes first, among the first three
    double list_precision = 0, list_f1 = 0;
    double verified = 0;                   // yes or no is right
    double absence_told = 0, refused = 0;  // of questions that cannot be answered, of those that can
    double start = 0;                      // the right start came first
    double act = 0;                        // asked or not is right
  };
  std::map<std::string, Row> rows = {};  // by kind, hops and mention, and "all"
};

QuestionsEvaluated evaluate_questions(const EvaluateQuestionsOptions& options,
                                      Reporter& reporter = silent_reporter(),
                                      const StopFlag& stop = never_stop());

struct EvaluateListenerOptions {
  std::filesystem::path database = {}, run = {};  // of train_listener()
  std::filesystem::path text = {};                // empty: the one trained with
  std::filesystem::path questions = {};           // that people wrote, with answers, count or yes; JSON Lines
  bool without_named = false;                     // the answers leave out what the questions name
  // Takes what was heard, a line a question: {"question", "kind", "right", "form", "words", "probability"};
  // empty: not written.
  std::filesystem::path heard = {};
};

struct ListenerEvaluated : Report {
  std::size_t questions = 0;
  double right = 0;  // percent whose likeliest answer is right
  double among = 0;  // percent with a right one among those that were weighed
};

ListenerEvaluated evaluate_listener(const EvaluateListenerOptions& options,
                                    Reporter& reporter = silent_reporter(),
                                    const StopFlag& stop = never_stop());

struct EvaluateSuccessOptions {
  // Runs of either stage, a table each; and names of searches: "shortest", "natural-shortest",
  // "natural-search" and "prior".
  MeasuredModel of = {};
  std::filesystem::path stage1 = {};     // walker whose log-probabilities are told; empty: none
  std::filesystem::path simulator = {};  // empty: the user says nothing
  std::vector<int> distances = {3, 5, 7, 9, 11};
  int episodes = 100;          // walks a distance
  int extra = 0;               // hops that a walk may take beyond twice the distance
  std::string goals = "test";  // split of the goals
  double ask = 0;  // share of the turns in which the user asks, which is answered before the walk goes on
  std::filesystem::path walks = {};  // file for all walks, a json object each
  std::filesystem::path plot = {};   // file of SVG: success over naturalness, a point a run; needs stage1
  std::uint64_t seed = 1;
  Settings settings = {};  // of the routes, in place of what the runs were trained with: "route.NAME"
  Shards shards = {};
};

struct SuccessEvaluated : Report {
  struct Row {
    int distance = 0;
    std::int64_t pairs = 0;
    // Walks that reached their goal within the distance, two hops more, and twice the distance.
    std::int64_t within_d = 0, within_d_plus_2 = 0, within_2d = 0;
    double log_prob = 0;  // mean of a hop by stage 1; 0 without it
  };
  struct OfRun {
    std::string run = {};
    std::vector<Row> rows = {};
  };
  std::vector<OfRun> runs = {};
};

SuccessEvaluated evaluate_success(const EvaluateSuccessOptions& options,
                                  Reporter& reporter = silent_reporter(),
                                  const StopFlag& stop = never_stop());

struct EvaluateRoutesOptions {
  MeasuredModel of = {};              // as of EvaluateSuccessOptions
  std::filesystem::path stage1 = {};  // likewise
  std::string split = "dev";          // of the dialogues
  std::filesystem::path walks = {};   // file for all walks, a json object each
  std::uint64_t seed = 1;
  Settings settings = {};  // likewise
  Shards shards = {};
};

// Walks between the ends of real dialogues beside what people did; json: "rows", people first.
Report evaluate_routes(const EvaluateRoutesOptions& options, Reporter& reporter = silent_reporter(),
                       const StopFlag& stop = never_stop());

struct EvaluateConversationsOptions {
  std::filesystem::path packed = {};  // or database and run
  std::filesystem::path database = {}, run = {};
  std::filesystem::path text = {}, listener = {}, simulator = {}, responder = {};  // in place of those known
  bool other_graph = false;
  std::filesystem::path exam =
      {};  // conversations with what makes an answer right: docs/reference/formats/exam.md
  std::filesystem::path log = {};  // file of Markdown for the whole conversations
  bool show = false;               // the report's text begins with every turn and its verdict
  std::uint64_t seed = 1;
  Shards shards = {};
};

struct ConversationsEvaluated : Report {
  struct Kind {
    std::string name = {};
    std::int64_t right = 0, turns = 0;
  };
  std::vector<Kind> kinds = {};  // in the order of the exam, and behind them all together under an empty name
  std::size_t conversations = 0;  // that were held
  std::size_t asked_for = 0;      // more than held where `stop` was requested: what is told is of those held
};

ConversationsEvaluated evaluate_conversations(const EvaluateConversationsOptions& options,
                                              Reporter& reporter = silent_reporter(),
                                              const StopFlag& stop = never_stop());

}  // namespace kgwalk
