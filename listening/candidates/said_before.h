// What was said before, as far as an utterance may mean it without saying it again. Torch-free.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "kgwalk/graph_types.h"
#include "listening/acts/act.h"

namespace kgwalk::listening {

// How an entity was spoken of that may be meant without being named.
struct FocusNote {
  bool topic = false;        // asked about; else an answer
  int turns_ago = 0;         // 0: the last turn
  std::size_t answers = 1;   // of the answer that it belongs to
  bool first_topic = false;  // of the conversation
  // Of two that were compared: the one that was the answer, and the other one.
  bool chosen = false, left = false;
  std::size_t place = 0;  // among the answers as they were told, from 1; 0: none
};

struct SaidBefore {
  std::vector<std::pair<graph::EntityId, FocusNote>> focus = {};
  // Of the last question: its relations in the order of its form, and what it asked.
  std::vector<graph::RelationId> relations = {};
  bool counted = false, checked = false;  // it asked how many, whether
  // What was answered last with several: "those", "of them", ascending; and how many turns ago, 0: by the
  // last.
  std::vector<graph::EntityId> answers = {};
  int answers_ago = 0;
  bool capitals = false;  // whoever speaks has written names with capitals
  ActContext context = {};
};

// A turn that asked something of the graph.
struct AskedTurn {
  std::span<const graph::EntityId> named = {};    // what it asked about, values left out
  std::span<const graph::EntityId> answers = {};  // ascending
  std::span<const graph::EntityId> told =
      {};  // these in the order in which they were told, as far as they were
  std::vector<graph::RelationId> relations = {};
  bool counted = false;
  bool checked = false;
  bool values = false;  // the answers are values, which nothing is asked about
};
// What was said before the turn becomes what was said before the next one. `context` stays.
void remember(const AskedTurn& turn, SaidBefore& before);

}  // namespace kgwalk::listening
