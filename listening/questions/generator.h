// Training questions from a graph alone: a form is drawn, put into words by general wordings, and typed as people type.
// Torch-free.
#pragma once

#include <cstdint>
#include <vector>

#include "kgwalk/query.h"
#include "listening/candidates/lexicon.h"
#include "listening/candidates/question.h"
#include "runtime/config.h"

namespace kgwalk::listening {

struct QuestionConfig {
  int count = 5000;
  int most_answers = 1000;  // of a question; facts of greater hubs are drawn again
  // Shares of the kinds, relative to each other; what a graph has no values for is left out.
  double one = 0.25, two = 0.29, both = 0.21, counted = 0.14, check = 0.11;
  double first = 0.06, filter = 0.07, compare = 0.06, but = 0.03;
  template <class F>
  void fields(F& f) {
    f("count", count, "Number of questions.").range(1, 1e7);
    f("most_answers", most_answers, "Answers that a question may have.").range(1, 1e6);
    f("one", one, "Share of questions of one hop.").range(0, 1e6);
    f("two", two, "Share of questions of two hops.").range(0, 1e6);
    f("both", both, "Share of questions with two conditions.").range(0, 1e6);
    f("counted", counted, "Share of questions how many there are.").range(0, 1e6);
    f("check", check, "Share of questions whether something is so.").range(0, 1e6);
    f("first", first, "Share of questions for the first or last by a value.").range(0, 1e6);
    f("filter", filter, "Share of questions for those after, before or at a value.").range(0, 1e6);
    f("compare", compare, "Share of questions that compare two.").range(0, 1e6);
    f("but", but, "Share of questions for those that something else does not lead to.").range(0, 1e6);
  }
};

// Deterministic by the seed. ConfigError when the graph has no facts to ask about. Fewer than the count where too few
// can be drawn.
[[nodiscard]] std::vector<FormQuestion> make_form_questions(const Lexicon& lexicon,
                                                            const forms::Engine& engine,
                                                            const QuestionConfig& config, std::uint64_t seed);

}  // namespace kgwalk::listening
