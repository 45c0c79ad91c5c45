// How well questions are answered: first right entities, lists, yes and no, and what the graph does not say.
// Torch-free.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "dialogue/questions/question.h"
#include "kgwalk/progress.h"
#include "runtime/config.h"
#include "walker/evaluation/link_ranks.h"
#include "walker/model.h"
#include "walker/search/answers.h"

namespace kgwalk {
class ShardedWork;
}

namespace kgwalk::walker {

// Shares in percent, each over the questions that it is asked of.
struct QuestionRow {
  std::int64_t count = 0;
  double first = 0, first3 = 0;  // one thing, lists: a right entity first, among the first three
  std::int64_t lists = 0;
  double list_precision = 0,
         list_f1 = 0;  // right ones among the first n, n their number; of what the list holds
  std::int64_t claims = 0;
  double verified = 0;  // yes or no right
  std::int64_t absent = 0, answerable = 0;
  double absence_told = 0, refused = 0;  // of questions that cannot be answered; of those that can
  double start = 0;                      // the right start came first
  double act = 0;                        // asked or not is right
  [[nodiscard]] Json to_json() const;
};

// What was answered to one question, in names.
struct QuestionOutcome {
  std::string start;               // that was answered from; empty where none was found
  std::string answered, heard;     // the first entity; the likeliest relation that the start has
  std::vector<std::string> asked;  // the likeliest relations of the whole graph, at most three
  double missing = 0;              // probability that the start lacks what is asked for
  std::size_t listed = 0;          // entities that the answer holds
  bool right = false;              // first entity, yes or no, absence or nothing told
};
void to_json(Json& json, const QuestionOutcome& outcome);
void from_json(const Json& json, QuestionOutcome& outcome);

struct QuestionEvaluation {
  std::vector<QuestionOutcome> outcomes;    // one a question
  std::vector<LinkRank> link_ranks;         // of the right answers to questions for one thing or a list
  std::int64_t unknown = 0;                 // questions about what the graph does not have
  std::map<std::string, QuestionRow> rows;  // by kind, hops and mention, and "all"
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] std::string to_text() const;
};

// `given`: the start is given; otherwise it is chosen from what was said. ConfigError when the model
// does not listen or a question names what the graph does not have. `work` as of evaluate_paths().
[[nodiscard]] QuestionEvaluation evaluate_questions(const WalkModel& model,
                                                    std::span<const dialogue::QuestionTurn> questions,
                                                    bool given, const AnswerConfig& config,
                                                    Reporter& reporter = silent_reporter(),
                                                    const StopFlag& stop = never_stop(),
                                                    ShardedWork* work = nullptr);

}  // namespace kgwalk::walker
