#include "graph/distances/landmark_labels.h"

#include <algorithm>
#include <utility>

#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kMaxVertices = (std::size_t{1} << 24) - 2;
constexpr unsigned kMaxDistance = 126;  // two of them and their refinement stay below kFar
constexpr std::size_t kPollRoots = 256;

// Finds the labels vertex by vertex in order of falling degree.
class Labeling {
 public:
  explicit Labeling(const SearchGraph& graph)
      : graph_(graph), used_(graph.size()), distance_(graph.size(), kFar), to_hub_(graph.size(), kFar) {
    out_.roots.resize(graph.size());
    out_.labels.resize(graph.size());
    for (RootLabels& labels : out_.roots) {
      labels.distance.fill(kFar);
      for (auto& set : labels.sets) set = {0, 0};
    }
  }

  LandmarkLabels run(Reporter& reporter, const StopFlag& stop) {
    const auto n = static_cast<std::uint32_t>(graph_.size());
    std::uint32_t candidate = 0;
    for (std::size_t i = 0; i < kNumRoots; ++i) {
      while (candidate < n && used_[candidate]) ++candidate;
      if (candidate == n) break;
      search_root(i, candidate);
    }
    const auto progress = reporter.start("distance index", n, "vertices");
    for (std::uint32_t v = 0; v < n; ++v) {
      if (!used_[v]) search_pruned(v);
      if (v % kPollRoots != 0) continue;
      if (stop.requested()) throw Stopped("the distance index was stopped; start it again");
      progress->add(std::min<std::int64_t>(kPollRoots, n - v));
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] static void refuse_long() {
    throw Error(
        "the graph has vertices more than 126 hops apart; the distance index does not take such graphs");
  }

  // Breadth-first from a root and its first 64 unused neighbors at once.
  void search_root(std::size_t root, std::uint32_t source) {
    std::vector<std::uint32_t> level{source}, next;
    used_[source] = true;
    at(root, source) = 0;
    std::size_t chosen = 0;
    for (const std::uint32_t w : graph_.row(source)) {
      if (used_[w] || chosen == 64) continue;
      used_[w] = true;
      out_.roots[w].sets[root][0] = std::uint64_t{1} << chosen++;
    }
    for (unsigned d = 0; !level.empty(); ++d) {
      if (d > kMaxDistance) refuse_long();
      next.clear();
      for (const std::uint32_t v : level)
        for (const std::uint32_t w : graph_.row(v))
          if (at(root, w) == kFar) {
            at(root, w) = static_cast<std::uint8_t>(d + 1);
            next.push_back(w);
          }
      spread_sets(root, level, d);
      level.swap(next);
    }
  }

  // Sets of the level first grow along its own edges, then go down to the next.
  void spread_sets(std::size_t root, const std::vector<std::uint32_t>& level, unsigned d) {
    for (const std::uint32_t v : level)
      for (const std::uint32_t w : graph_.row(v))
        if (at(root, w) == d) out_.roots[v].sets[root][1] |= out_.roots[w].sets[root][0];
    for (const std::uint32_t v : level)
      for (const std::uint32_t w : graph_.row(v))
        if (at(root, w) == d + 1) {
          out_.roots[w].sets[root][0] |= out_.roots[v].sets[root][0];
          out_.roots[w].sets[root][1] |= out_.roots[v].sets[root][1];
        }
  }

  std::uint8_t& at(std::size_t root, std::uint32_t v) { return out_.roots[v].distance[root]; }

  // Whether what is known already gives a distance of at most d between the hub and v.
  [[nodiscard]] bool covered(const RootLabels& hub, std::uint32_t v, unsigned d) const {
    const RootLabels& mine = out_.roots[v];
    if (bound_by_roots(hub.distance, mine.distance, hub.sets.data(), mine.sets.data(), d + 1) <= d)
      return true;
    for (const std::uint32_t label : out_.labels[v])
      if (unsigned{to_hub_[label >> 8]} + (label & 0xff) <= d) return true;
    return false;
  }

  void search_pruned(std::uint32_t hub) {
    const RootLabels& roots = out_.roots[hub];
    for (const std::uint32_t label : out_.labels[hub]) to_hub_[label >> 8] = static_cast<std::uint8_t>(label);
    queue_.assign(1, hub);
    distance_[hub] = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const std::uint32_t v = queue_[i];
      const unsigned d = distance_[v];
      if (covered(roots, v, d)) continue;
      if (d > kMaxDistance) refuse_long();
      out_.labels[v].push_back(hub << 8 | d);
      for (const std::uint32_t w : graph_.row(v))
        if (w > hub && distance_[w] == kFar) {
          distance_[w] = static_cast<std::uint8_t>(d + 1);
          queue_.push_back(w);
        }
    }
    for (const std::uint32_t v : queue_) distance_[v] = kFar;
    for (const std::uint32_t label : out_.labels[hub]) to_hub_[label >> 8] = kFar;
  }

  const SearchGraph& graph_;
  std::vector<bool> used_;
  std::vector<std::uint8_t> distance_, to_hub_;
  std::vector<std::uint32_t> queue_;
  LandmarkLabels out_;
};

}  // namespace

LandmarkLabels build_landmark_labels(const SearchGraph& graph, Reporter& reporter, const StopFlag& stop) {
  if (graph.size() > kMaxVertices)
    throw Error("the distance index takes at most " + std::to_string(kMaxVertices) + " connected entities");
  return Labeling(graph).run(reporter, stop);
}

}  // namespace kgwalk::graph
