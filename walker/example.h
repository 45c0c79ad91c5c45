// One question to a walker: what was said, what was walked, where to start; with the gold path when it is
// known. Made from dialogue's turn examples (walker/data/dataset.h) or from a plan request. Torch-free.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/dialogue.h"
#include "kgwalk/graph_types.h"

namespace kgwalk::walker {

// Longest path that a walker handles in one turn.
inline constexpr int kMaxHops = 4;

struct Example {
  std::vector<graph::Chat> context;      // all utterances so far, oldest first; models look at the last few
  std::vector<graph::Triple> walked;     // hops of all earlier paths of the dialogue, oldest first
  std::vector<std::uint32_t> path_ends;  // walked[0, path_ends[i]) are the hops of the first i + 1 paths
  graph::EntityId start = 0;
  std::vector<graph::Edge> gold;                        // hops of the path to predict; empty when unknown
  graph::Speaker speaker = graph::Speaker::kAssistant;  // who speaks next
  std::optional<graph::EntityId> goal;                  // stage 2 only
  std::uint32_t dialogue = 0;    // index in its split: examples of one dialogue are not independent
  bool annotation_only = false;  // the gold path uses a triple known only from an annotation
};

// A path from an example's start: the hops taken so far. The entity stood on is the last tail, or the start.
struct PartialPath {
  std::int32_t example = 0;  // place in the encoded batch
  std::int32_t num_hops = 0;
  std::array<graph::Edge, kMaxHops> hops{};
};

// A finished path with its score.
struct ScoredPath {
  std::array<graph::Edge, kMaxHops> hops{};
  std::int32_t num_hops = 0;
  double log_prob = 0;  // of all hops and of stopping after the last
};

}  // namespace kgwalk::walker
