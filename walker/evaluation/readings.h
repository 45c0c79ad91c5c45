// Other readings of path@k and tgt@k (walker/evaluation/path_metrics.h): what published tables may have
// meant, so that one sees which of them compare. Each takes the same paths and gold and changes one thing.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "walker/evaluation/path_metrics.h"

namespace kgwalk::walker {

enum class Reading {
  kStated,           // as path_metrics.h says
  kLengthKnown,      // only paths as long as the gold one
  kLengthByHead,     // only paths of the length that the length head finds likeliest
  kRelations,        // path@k asks for the relations too, parallel edges apart
  kSummed,           // a target has the sum of all paths that end in it
  kRelationsSummed,  // both
  kOnTheWay,         // a target is found by a path that passes it
  kAnyOfGold,        // any entity of the gold path is a right target
  kTurnTargets,      // so are the targets of the same turn's other paths
  kDialogueTargets,  // so are the targets of all paths of the dialogue
  kFirstHop,         // path and target end with the first hop
  kNoReturn,         // paths that end where they start are left out
};
inline constexpr int kNumReadings = 12;
[[nodiscard]] std::string_view name_of(Reading reading);

// What a reading needs beside the paths.
struct ReadingContext {
  graph::EntityId start = 0;
  std::span<const graph::Edge> gold;
  std::span<const graph::EntityId> turn,
      dialogue;              // targets of the turn's paths and the dialogue's, the gold one among them
  int likeliest_length = 0;  // by the length head; 0 without one
};

// GoldRanks::relation is as always. Nothing for kLengthByHead without a length head.
[[nodiscard]] GoldRanks rank_by(Reading reading, std::span<const StartedPath> paths,
                                const ReadingContext& context);

// Targets of the same turn's paths and of the same dialogue's, for each example: distinct, ascending.
struct OtherTargets {
  std::vector<std::vector<graph::EntityId>> turn, dialogue;
};
[[nodiscard]] OtherTargets other_targets(std::span<const Example> examples);

}  // namespace kgwalk::walker
