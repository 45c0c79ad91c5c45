// Candidates of what statements say beside their facts.
#include <gtest/gtest.h>

#include "kgwalk/form_text.h"
#include "listening/candidates/candidate_sets.h"
#include "listening/candidates/features.h"
#include "listening/candidates/said_parts.h"
#include "tests/forms/film_world.h"

namespace kgwalk::listening {
namespace {

constexpr const char* kTown = R"(@prefix : <http://example.org/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Skipton :population 900 , 1200 ; :mayor :Ada , :Ben .
[] a rdf:Statement ; rdf:subject :Skipton ; rdf:predicate :population ; rdf:object 900 ; :date "1990"^^xsd:gYear .
[] a rdf:Statement ; rdf:subject :Skipton ; rdf:predicate :population ; rdf:object 1200 ; :date "2010-05-01"^^xsd:date .
[] a rdf:Statement ; rdf:subject :Skipton ; rdf:predicate :mayor ; rdf:object :Ada ; :start 1990 ; :end 1994 .
[] a rdf:Statement ; rdf:subject :Skipton ; rdf:predicate :mayor ; rdf:object :Ben ; :start 1995 ; :end 2002 .
)";

class QualifiedCandidates : public ::testing::Test {
 protected:
  // The answers of the candidates of the relation that ask for what is said beside its facts.
  [[nodiscard]] std::vector<std::string> answers(const std::string& relation, const std::string& text) const {
    const Prepared heard = prepare(lexicon_, engine_, heard_parts(lexicon_, finder_, text));
    std::vector<std::string> found;
    for (const Candidate& candidate : heard.candidates) {
      if (candidate.qualified.empty() || candidate.asked != Asked::kSet ||
          candidate.slots.front().relation != *graph_.find_relation(relation))
        continue;
      const forms::Answer answer = engine_.answer(form_of(candidate, heard.parts, lexicon_, false));
      EXPECT_EQ(answer.entities.size(), candidate.answers.size());
      for (const graph::EntityId id : candidate.answers) found.emplace_back(graph_.entity_name(id));
    }
    return found;
  }
  using Names = std::vector<std::string>;

  graph::KnowledgeGraph graph_ = forms::testing::graph_of(kTown);
  graph::TypedValues values_{graph_};
  forms::Engine engine_{values_};
  Lexicon lexicon_{graph_, values_};
  dialogue::MentionFinder finder_{graph_};
};

TEST_F(QualifiedCandidates, AYearTakesTheFactsOfThatYear) {
  EXPECT_EQ(answers("population", "What was the population of Skipton in 2010?"), Names{"1200"});
  EXPECT_EQ(answers("population", "the population of Skipton in the nineties"), Names{"900"});
  EXPECT_EQ(answers("population", "What is the population of Skipton?"), Names{});
}

TEST_F(QualifiedCandidates, WhatHadBegunAndNotEndedWasSo) {
  EXPECT_EQ(answers("mayor", "Who was the mayor of Skipton in 1998?"), Names{"Ben"})
      << "no date is that year";
  EXPECT_EQ(answers("mayor", "Who was the mayor of Skipton in 2020?"), Names{});
}

}  // namespace
}  // namespace kgwalk::listening
