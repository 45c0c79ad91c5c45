// Building pruned landmark labels (Akiba, Iwata, Yoshida, SIGMOD 2013, algorithms 1-3).
// For distance_index.cc only.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "graph/distances/lane_search.h"
#include "kgwalk/distances.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {

// Trees from a root and up to 64 of its neighbors, searched together: 16 of them.
inline constexpr std::size_t kNumRoots = 16;
inline constexpr std::uint8_t kFar = 255;

// What one vertex knows of the roots: its distance to each, and which of the root's chosen neighbors are one
// nearer (`nearer`) or just as far (`level`) as the root.
struct RootLabels {
  std::array<std::uint8_t, kNumRoots> distance;
  std::array<std::array<std::uint64_t, 2>, kNumRoots> sets;  // [root][0 nearer, 1 level]
};

// A label is hub << 8 | distance; hubs are numbers by falling degree.
struct LandmarkLabels {
  std::vector<RootLabels> roots;                   // by number
  std::vector<std::vector<std::uint32_t>> labels;  // by number, ascending
};

// Bytes of an index beside its labels, four each: the roots of a vertex, its head and what fills the blocks.
inline constexpr std::size_t kFixedBytesAVertex = kNumRoots * 16 + 64 + 32;

// Where a labeling keeps what it has done when it is stopped, and every minute; the next one of the same
// graph, which `graph` tells in at most 64 bytes, goes on with that. Empty: nowhere.
struct KeptLabels {
  std::filesystem::path file;
  std::string graph;
};

// Finds the labels by all threads; they do not depend on their number. At most 2^24 - 2 vertices (Error);
// distances must stay below 127 (Error). nullopt as soon as what was labeled so far tells that the limits
// would be passed; `estimate` tells what is expected, or at the end what was needed.
[[nodiscard]] std::optional<LandmarkLabels> build_landmark_labels(const SearchGraph& graph,
                                                                  const IndexLimits& limits,
                                                                  IndexEstimate& estimate,
                                                                  const KeptLabels& kept, Reporter& reporter,
                                                                  const StopFlag& stop);

// The bound that the roots give for a pair, starting from `best`.
[[nodiscard]] inline unsigned bound_by_roots(const std::array<std::uint8_t, kNumRoots>& a,
                                             const std::array<std::uint8_t, kNumRoots>& b,
                                             const std::array<std::uint64_t, 2>* sets_a,
                                             const std::array<std::uint64_t, 2>* sets_b,
                                             unsigned best) noexcept {
  for (std::size_t i = 0; i < kNumRoots; ++i) {
    const unsigned through = unsigned{a[i]} + b[i];
    if (through >= best + 2) continue;
    const std::uint64_t both_nearer = sets_a[i][0] & sets_b[i][0];
    const std::uint64_t one_nearer = (sets_a[i][0] & sets_b[i][1]) | (sets_a[i][1] & sets_b[i][0]);
    const unsigned refined = through - (both_nearer ? 2 : one_nearer ? 1 : 0);
    best = refined < best ? refined : best;
  }
  return best;
}

}  // namespace kgwalk::graph
