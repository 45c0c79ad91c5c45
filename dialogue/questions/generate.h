// Question turns about a graph: wordings of the bank filled with what the graph says, as people would ask in
// a dialogue, with their right answers. Torch-free.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dialogue/questions/bank.h"
#include "dialogue/questions/question.h"
#include "kgwalk/knowledge_graph.h"
#include "runtime/config.h"

namespace kgwalk::dialogue {

// Which part of wordings and relations is asked with: those to learn from, wordings kept back (of relations
// that are learned), families of relations kept back (in all their wordings).
enum class QuestionSplit { kTrain, kTestWording, kTestRelation };
constexpr auto choice_names(QuestionSplit) {
  return choices_in_order<QuestionSplit>("train", "test_wording", "test_relation");
}

struct GenerateConfig {
  int count = 60000;
  Choice<QuestionSplit> split = QuestionSplit::kTrain;
  // Shares of the kinds, relative to each other.
  double one = 0.5, list = 0.1, verify = 0.12, missing = 0.08, nothing = 0.1, two_hops = 0.1;
  double pronouns = 0.25;    // share whose question names the entity only in a turn before
  double fillers = 0.3;      // of these, share with a turn in between
  double distractors = 0.2;  // of the others, share after a turn about another entity
  double chat = 0.2;         // share with small talk before
  double walks = 0.3;        // share after a path was walked and said
  double typos = 0.1;        // share with a typing error
  double lower_case = 0.15;  // share typed without capitals
  int held_families = 15;
  double held_wordings = 0.15;
  double other_relations = 0.1;  // share asked about relations that the bank does not know, by their words
  double composed = 0.25;        // share of wordings that is made of a noun phrase
  double by_name = 0.08;         // share that uses a relation's own words; in the train split alone
  double reworded = 0.2;         // share with a word that means the same; in the train split alone
  double remarks = 0.5;  // share of turns that ask for nothing that people said; in the train split alone
  bool weights = false;  // entities are asked about as often as their facts weigh
  bool single_answer =
      false;  // questions for one thing have one right answer, at entities with three relations or more
  template <class F>
  void fields(F& f) {
    f("count", count, "Number of questions.").range(1, 1e8);
    f("split", split, "Wordings and relations that are asked with: train, test_wording or test_relation.");
    f("one", one, "Share of questions for one thing.").range(0, 1e6);
    f("list", list, "Share of questions for all that is right.").range(0, 1e6);
    f("verify", verify, "Share of questions whether something is so.").range(0, 1e6);
    f("missing", missing, "Share of questions for what the graph does not say of the entity.").range(0, 1e6);
    f("nothing", nothing, "Share of turns that ask for nothing.").range(0, 1e6);
    f("two_hops", two_hops, "Share of questions that take two hops.").range(0, 1e6);
    f("pronouns", pronouns, "Share of questions that name their entity in a turn before only.").range(0, 1);
    f("fillers", fillers, "Share of those with another turn in between.").range(0, 1);
    f("distractors", distractors,
      "Share of the questions that name their entity which come after a turn about another one.")
        .range(0, 1);
    f("chat", chat, "Share of questions with small talk before.").range(0, 1);
    f("walks", walks, "Share of questions that come after a path was walked and said.").range(0, 1);
    f("typos", typos, "Share of questions with a typing error.").range(0, 1);
    f("lower_case", lower_case, "Share of questions typed without capitals.").range(0, 1);
    f("held_families", held_families, "Number of families of relations that are never learned from.")
        .range(0, 1e6);
    f("held_wordings", held_wordings, "Share of wordings that are never learned from.").range(0, 0.9);
    f("other_relations", other_relations, "Share of questions for relations that the bank does not know.")
        .range(0, 1);
    f("composed", composed, "Share of questions whose wording is made of a noun phrase of the bank.")
        .range(0, 1);
    f("by_name", by_name, "Share of questions in a relation's own words, of those to learn from.")
        .range(0, 1);
    f("reworded", reworded, "Share of questions to learn from in which a word gives way to one like it.")
        .range(0, 1);
    f("remarks", remarks,
      "Share of turns to learn from that ask for nothing and are taken from the dialogues of the database.")
        .range(0, 1);
    f("weights", weights,
      "Entities are asked about in proportion to the weights of their facts, as the graph's source gave "
      "them.");
    f("single_answer", single_answer,
      "Questions for one thing have one right answer, at entities with three relations or more.");
  }
};

// Deterministic by the seed. `remarks`: what people said without asking (remarks_of(),
// dialogue/questions/remarks.h). ConfigError when the graph has no relation that could be asked for in this
// split.
[[nodiscard]] std::vector<QuestionTurn> generate_questions(const graph::KnowledgeGraph& graph,
                                                           const Bank& bank, const GenerateConfig& config,
                                                           std::uint64_t seed,
                                                           std::span<const std::string> remarks = {});

// Names of the bank's families that are never learned from: those drawn by a hash of their names, and those
// that share a relation with one of them.
[[nodiscard]] std::vector<std::string> held_back(const Bank& bank, int families);

}  // namespace kgwalk::dialogue
