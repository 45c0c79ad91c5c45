// What a walker heard in an example: what is done by saying it, and which relations it asks for. Torch-free.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "kgwalk/graph_types.h"
#include "walker/question.h"

namespace kgwalk::walker {

struct HeardRelation {
  graph::RelationId relation = 0;
  double probability = 0;
};

struct Hearing {
  std::array<double, kNumActs> acts{};  // probability of each Act
  double missing = 0;                   // that the start has no relation of the kind that is asked for
  double missing_from =
      0.5;  // from which probability on it is to be said: few that can be answered lie above
  std::vector<HeardRelation>
      present;                       // all that the start has, likeliest first; the probabilities sum to one
  std::vector<HeardRelation> asked;  // the likeliest of the whole graph, whether the start has them or not
  [[nodiscard]] double asks() const { return 1 - acts[static_cast<std::size_t>(Act::kNothing)]; }
};

// How well each relation was heard at a hop, for each of the relations that may have been walked last (the
// number of relations at the first hop): rows of [relations + 1] logits, stopping last.
using RelationHearing =
    std::function<std::vector<std::vector<float>>(int hop, std::span<const graph::RelationId> before)>;

// A start with its probability.
struct ChosenStart {
  graph::EntityId entity = 0;
  double log_prob = 0;
  bool named = false;  // in the last utterance
};

// What the judgement that a relation is missing goes by. How the start's relations stand, kNumStanding: by
// what was heard and how usual each relation is at such an entity, the log of the share that the start's
// relations have of all; the same of the likeliest among them; whether the likeliest of all is one of them;
// the entropy of all. By what was heard alone, and by the likeness of words alone: the first three again. And
// whether the start lacks the likeliest of all and has its inverse. Then the probabilities of what is asked
// for (all acts but kNothing), and for each of the three the log-share of the likeliest relation of all, how
// far the likeliest of the start lies behind, and what both have by each of the three.
inline constexpr int kNumStanding = 11, kNumAbsence = kNumStanding + (kNumActs - 1) + 3 * (2 + 2 * 3);

// Relations of the graph that Hearing::asked holds.
inline constexpr std::size_t kAskedRelations = 8;

}  // namespace kgwalk::walker
