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
#include "walker/features/graph_profiles.h"

namespace kgwalk::walker {

// Names of the candidate features, in order; part of the checkpoint format. After them come kNumTypeFlags
// flags: the tail has an out-edge of the graph's commonest, second commonest, ... relation.
inline constexpr std::array<std::string_view, 53> kFeatureNames{"stop",
                                                                "targets",
                                                                "never_target",
                                                                "middles",
                                                                "starts",
                                                                "messages",
                                                                "never_named",
                                                                "degree",
                                                                "relation_fan_out",
                                                                "parallel_edges",
                                                                "hop_walked",
                                                                "relation_walked_here",
                                                                "end_walked_from_start",
                                                                "number",
                                                                "year",
                                                                "release_year",
                                                                "no_release_year",
                                                                "name_words",
                                                                "name_has_bracket",
                                                                "name_has_number_sign",
                                                                "named_1",
                                                                "overlap_1",
                                                                "named_2",
                                                                "overlap_2",
                                                                "named_3",
                                                                "overlap_3",
                                                                "named_earlier",
                                                                "on_path",
                                                                "is_previous_start",
                                                                "is_previous_middle",
                                                                "is_previous_end",
                                                                "is_start",
                                                                "half_named",
                                                                "neighbour_named",
                                                                "neighbour_on_path",
                                                                "here_starts",
                                                                "here_degree",
                                                                "target_share",
                                                                "overlap_earlier",
                                                                "walked_before",
                                                                "walked_back",
                                                                "common_with_path",
                                                                "common_with_named",
                                                                "overlap_here",
                                                                "same_names",
                                                                "non_latin",
                                                                "named_like_path",
                                                                "profile_previous",
                                                                "profile_start",
                                                                "hop_walked_anywhere",
                                                                "neighbour_named_1",
                                                                "neighbours_on_path",
                                                                "named_anywhere"};
inline constexpr int kNumTypeFlags = 24;
inline constexpr int kNumFeatures = static_cast<int>(kFeatureNames.size()) + kNumTypeFlags;
// Features of a state: user speaks next, no path before, paths before, utterances before, log fan-out, hops
// taken, the previous path had two hops, share of those among all earlier paths, the previous path led back
// to a start.
inline constexpr int kNumStateFeatures = 9;

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
  void extract_state(const FeatureContext& context, int hops, graph::EntityId here, float* rows) const;
  void fill_counts(const FeatureContext& context, graph::EntityId here, graph::EntityId tail,
                   float* row) const;
  void fill_name(graph::EntityId tail, float* row) const;
  void fill_history(const FeatureContext& context, graph::EntityId tail, float* row) const;
  [[nodiscard]] Near near(const FeatureContext& context, graph::EntityId here) const;
  void fill_neighbors(const FeatureContext& context, const Near& near, graph::EntityId here,
                      graph::EntityId tail, float* row) const;
  void fill_graph(const FeatureContext& context, graph::EntityId here, graph::EntityId tail,
                  float* row) const;
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
