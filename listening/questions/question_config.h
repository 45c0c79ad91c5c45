// How questions are made from a graph. Torch-free.
#pragma once

#include "runtime/config.h"

namespace kgwalk::listening {

struct QuestionConfig {
  int count = 5000;
  int most_answers = 1000;  // of a question; facts of greater hubs are drawn again
  // Shares of the kinds, relative to each other; what a graph has no values for is left out.
  double one = 0.25, two = 0.29, both = 0.21, counted = 0.14, check = 0.11;
  double first = 0.09, filter = 0.1, compare = 0.07, but = 0.05;
  double of_type = 0.08;       // of questions about all of a type
  double conversations = 0.5;  // share of questions that stand in a conversation
  double again = 0.2;          // of these, share that asks the same of another thing: "and Y?"
  double those = 0.4;   // of these, share about several answers of before, where there are: "which ones?"
  double unsaid = 0.2;  // share of all that the graph has no answer to
  double school = 0.4;  // questions about a made-up graph beside these, as a share of their number
  double bank = 0.25;   // share in the bank's own wordings, where it has some
  double typos = 0.1, lower_case = 0.15;
  double asides = 0.15;
  template <class F>
  void fields(F& f) {
    f("count", count, "Number of questions.").range(1, 1e7);
    f("most_answers", most_answers, "Answers that a question may have.").range(1, 1e6);
    f("one", one, "Share of questions of one hop.").range(0, 1e6);
    f("two", two, "Share of questions of two hops.").range(0, 1e6);
    f("both", both, "Share of questions with two conditions.").range(0, 1e6);
    f("counted", counted, "Share of questions how many there are.").range(0, 1e6);
    f("check", check, "Share of questions whether something is so.").range(0, 1e6);
    f("first", first, "Share of questions for the first or last by a value or by a count.").range(0, 1e6);
    f("filter", filter, "Share of questions for those after, before or at a value.").range(0, 1e6);
    f("compare", compare, "Share of questions that compare two things, or one with a value.").range(0, 1e6);
    f("but", but, "Share of questions for those that something else does not lead to.").range(0, 1e6);
    f("of_type", of_type,
      "Share of questions about all of a type: the first of them, those after a value, how many.")
        .range(0, 1e6);
    f("conversations", conversations,
      "Share of questions that stand in a conversation, where what was spoken of before is not named again.")
        .range(0, 1);
    f("again", again, "Of these, share that asks the same of another thing, whose name alone is said.")
        .range(0, 1);
    f("those", those, "Of these, where several answers were told, share that asks about these.").range(0, 1);
    f("unsaid", unsaid,
      "Share of questions that the graph has no answer to, single ones and in conversations.")
        .range(0, 1);
    f("school", school,
      "Questions about a made-up graph of everyday relations that are learned from beside these, as a share "
      "of their "
      "number.")
        .range(0, 10);
    f("bank", bank, "Share of questions in wordings of the bank, of relations that it has some for.")
        .range(0, 1);
    f("typos", typos, "Share of names that are mistyped or shortened; words are in proportion.").range(0, 1);
    f("lower_case", lower_case, "Share of questions typed without a capital at the beginning.").range(0, 1);
    f("asides", asides, "Share of questions with words that ask nothing, before, in or behind them.")
        .range(0, 1);
  }
};

}  // namespace kgwalk::listening
