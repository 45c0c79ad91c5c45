// What the graph, the training statistics and the history say about each candidate: dense vectors beside the
// MetaPath scores (our best walker; HiTKG of the paper goes without). Torch-free, computed over ragged
// candidates in parallel.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialogue/linking/name_index.h"
#include "kgwalk/knowledge_graph.h"
#include "walker/data/statistics.h"
#include "walker/example.h"
#include "walker/features/candidates.h"
#include "walker/features/entity_facts.h"
#include "walker/features/feature_table.h"
#include "walker/features/graph_profiles.h"

namespace kgwalk::walker {

// What the features of one example need, made once.
struct FeatureContext {
  struct Heard {
    std::uint8_t words = 0;  // bit k: in the last but k-th utterance (k < 3), bit 3: earlier
  };
  using Filter = std::array<std::uint64_t, 16>;  // a bit for every id, modulo 1,024
  GroupId group = kNoGroup;                      // left out of the counts
  graph::EntityId start = 0;
  std::unordered_map<dialogue::WordId, Heard> heard;
  std::unordered_map<graph::EntityId, std::uint8_t> named;  // same bits, whole names
  Filter heard_filter{}, named_filter{};                    // keys of the two
  Filter path_filter{};                                     // entities of on_path, which all of `walked` are
  std::vector<std::pair<graph::EntityId, float>> on_path;   // 1 / (1 + age / 2), nearest paths first
  std::vector<std::pair<graph::Triple, float>> walked;      // hops of earlier paths with the same values
  std::vector<std::uint64_t> near_path, near_named;  // bits: neighbors of entities of the last two paths, of
                                                     // named entities; empty = none
  std::vector<graph::EntityId> like_path;            // other entities named like one of the path
  std::vector<float> previous_profile, start_profile;  // GraphProfiles::dense
  std::int64_t previous_start = -1, previous_middle = -1, previous_end = -1;
  float user = 0, no_path = 0, paths = 0, utterances = 0, two_hops = 0, two_hop_share = 0, led_back = 0;
};

class FeatureExtractor {
 public:
  // All references are borrowed and must outlive this object.
  FeatureExtractor(const graph::KnowledgeGraph& graph, const dialogue::NameIndex& names,
                   const Statistics& statistics);

  [[nodiscard]] FeatureContext context(const Example& example, GroupId group) const;

  // Rows for every candidate of `states[i]` standing on candidates.entities[i]: out [K,
  // kNumFeatures]; and for every state: state_out [N, kNumStateFeatures]. contexts[i] belongs to
  // states[i]. Parallel over states.
  void extract(std::span<const FeatureContext* const> contexts, std::span<const std::int32_t> hops_taken,
               const Candidates& candidates, std::span<float> out, std::span<float> state_out) const;

 private:
  struct Near;
  struct Here;
  void add_edges(std::span<const graph::Edge> edges, std::vector<graph::EntityId>& tails);
  void extract_state(const FeatureContext& context, int hops, graph::EntityId here, float* rows) const;
  void fill_counts(const FeatureContext& context, graph::EntityId here, graph::EntityId tail,
                   float* row) const;
  void fill_name(graph::EntityId tail, float* row) const;
  void fill_history(const FeatureContext& context, graph::EntityId tail, float* row) const;
  [[nodiscard]] Near near(const FeatureContext& context, graph::EntityId here) const;
  void fill_neighbors(const FeatureContext& context, const Near& near, graph::EntityId here,
                      graph::EntityId tail, float* row) const;
  void fill_path(const FeatureContext& context, graph::EntityId here, graph::EntityId tail, float* row) const;
  void fill_graph(const FeatureContext& context, const Here& here, graph::EntityId tail, float* row) const;
  void fetch_ahead(std::span<const graph::Edge> edges, std::size_t j) const;
  void note_paths(const Example& example, FeatureContext& context) const;
  void note_neighborhoods(const Example& example, FeatureContext& context) const;

  const graph::KnowledgeGraph& graph_;
  const dialogue::NameIndex& names_;
  const Statistics& statistics_;
  GraphProfiles profiles_;
  std::vector<EntityFacts> facts_;                  // [E]
  std::vector<float> relation_fan_out_, parallel_;  // log counts, one an edge of the whole graph
};

}  // namespace kgwalk::walker
