// What a walker answers to what was said: one entity, all that are right, yes or no, or that the graph does
// not say. Torch-free.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "walker/config.h"
#include "walker/hearing.h"
#include "walker/model.h"
#include "walker/search/ways.h"

namespace kgwalk::walker {

struct AnswerConfig {
  int beam = 64;
  int max_hops = 2;
  double missing = 0;     // from this probability on the graph does not say what is asked for; 0 = as fitted
  double verified = 0.5;  // from this probability on the answer is yes
};

// An entity that may be right, with the likeliest path to it.
struct AnsweredEntity {
  graph::EntityId entity = 0;
  double probability = 0;  // that it is a right answer; where nothing is asked, of all paths to it
  ScoredPath path;
};

struct Answer {
  Hearing hearing;
  Act act = Act::kNothing;  // the likeliest; a list rather than one thing where either may be meant
  bool missing = false;     // what is asked for is not there
  std::vector<AnsweredEntity> entities;  // likeliest first; of a list its right ones first
  std::size_t right = 0;                 // how many of them a list holds
  double verified = 0;                   // probability that the claim is so
  std::optional<graph::Edge> fact;       // the edge from the start that decides, where one does
};

// What else was named is what may have to be verified; of what was said before, if the last utterance names
// nothing.
[[nodiscard]] std::optional<graph::EntityId> claim_among(std::span<const ChosenStart> starts,
                                                         graph::EntityId start);

// All ends of the ways by how likely each is a right answer, equal ones by what `paths` (may be empty) make
// of them, then by the share of walks that end there.
[[nodiscard]] std::vector<AnsweredEntity> right_answers(const std::vector<Way>& ways,
                                                        const std::vector<ScoredPath>& paths);

// From what was heard in an example, the ways that were heard from its start and the paths that a search
// found there, which order what is equally right. `claim` is the entity that it asks to have verified,
// nullopt where none is.
[[nodiscard]] Answer answer_of(graph::EntityId start, const Hearing& heard,
                               const std::vector<ScoredPath>& paths, const std::vector<Way>& ways,
                               std::optional<graph::EntityId> claim, const AnswerConfig& config);

// Answers to examples; claims[i] is the claim of example i (claims may be empty). Empty when the model does
// not listen.
[[nodiscard]] std::vector<Answer> answer(const WalkModel& model, std::span<const Example> examples,
                                         std::span<const std::optional<graph::EntityId>> claims,
                                         const AnswerConfig& config);

}  // namespace kgwalk::walker
