// The features of the walker, one table a set: enumerator, name and meaning of each, in the order in which
// they lie in tensors and checkpoints. Whoever reads a feature reads it by its enumerator.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace kgwalk::walker {

struct FeatureInfo {
  std::string_view name, meaning;
};

// A candidate: what the graph, the training statistics and the history say of its tail
// (walker/features/features.h). Counts leave the example's own group out. After these come kNumTypeFlags
// flags: the tail has an out-edge of the graph's commonest, second commonest, ... relation.
// clang-format off
#define KGWALK_CANDIDATE_FEATURES(X) \
  X(kStop, "stop", "the candidate is the end of the path") \
  X(kTargets, "targets", "log count of training paths that end at the tail") \
  X(kNeverTarget, "never_target", "no training path ends there") \
  X(kMiddles, "middles", "log count of training paths that pass through it") \
  X(kStarts, "starts", "log count of training paths that start at it") \
  X(kMessages, "messages", "log count of training messages that name it") \
  X(kNeverNamed, "never_named", "no training message names it") \
  X(kDegree, "degree", "log count of its out-edges") \
  X(kRelationFanOut, "relation_fan_out", "log count of out-edges of the entity stood on with the same relation") \
  X(kParallel, "parallel_edges", "log count of edges to the same tail") \
  X(kHopWalked, "hop_walked", "log count of training paths with this hop, between these entities") \
  X(kRelationWalked, "relation_walked_here", "share of training hops from here with this relation, logarithmic") \
  X(kEndWalked, "end_walked_from_start", "log count of training paths from the start that end at the tail") \
  X(kNumber, "number", "the name is a number") \
  X(kYear, "year", "the name is a year, scaled") \
  X(kReleaseYear, "release_year", "its year of release, scaled") \
  X(kNoReleaseYear, "no_release_year", "it has no year of release") \
  X(kNameWords, "name_words", "number of words of its name, scaled") \
  X(kBracket, "name_has_bracket", "its name has something in brackets") \
  X(kNumberSign, "name_has_number_sign", "its name has a number sign") \
  X(kNamed1, "named_1", "the newest utterance names it") \
  X(kOverlap1, "overlap_1", "share of its name in the newest utterance, by rarity of the words") \
  X(kNamed2, "named_2", "the second newest utterance names it") \
  X(kOverlap2, "overlap_2", "share of its name in the second newest utterance") \
  X(kNamed3, "named_3", "the third newest utterance names it") \
  X(kOverlap3, "overlap_3", "share of its name in the third newest utterance") \
  X(kNamedEarlier, "named_earlier", "an earlier utterance names it") \
  X(kOnPath, "on_path", "it was walked through, the more lately the more") \
  X(kPreviousStart, "is_previous_start", "the previous path started at it") \
  X(kPreviousMiddle, "is_previous_middle", "the previous path passed through it") \
  X(kPreviousEnd, "is_previous_end", "the previous path ended at it") \
  X(kIsStart, "is_start", "it is the start of this path") \
  X(kHalfNamed, "half_named", "at least half of its name is in one of the last three utterances") \
  X(kNeighborNamed, "neighbor_named", "it neighbors an entity that was named") \
  X(kNeighborOnPath, "neighbor_on_path", "it neighbors an entity of the last two paths, by how lately") \
  X(kHereStarts, "here_starts", "log count of training paths that start at the entity stood on") \
  X(kHereDegree, "here_degree", "log count of out-edges of the entity stood on") \
  X(kTargetShare, "target_share", "share of its training paths that end at it") \
  X(kOverlapEarlier, "overlap_earlier", "share of its name in earlier utterances") \
  X(kWalkedBefore, "walked_before", "an earlier path has the same hop") \
  X(kWalkedBack, "walked_back", "an earlier path has the hop back") \
  X(kCommonPath, "common_with_path", "log count of neighbors in common with the path") \
  X(kCommonNamed, "common_with_named", "log count of neighbors in common with named entities") \
  X(kOverlapHere, "overlap_here", "share of its name that is the name of the entity stood on") \
  X(kSameNames, "same_names", "number of entities with the same plain name, logarithmic") \
  X(kNonLatin, "non_latin", "its name is not written in Latin letters") \
  X(kNamedLikePath, "named_like_path", "its name is that of an entity of the path") \
  X(kProfilePrevious, "profile_previous", "likeness of its relations to those of the previous path's end") \
  X(kProfileStart, "profile_start", "likeness of its relations to those of the start") \
  X(kHopAnywhere, "hop_walked_anywhere", "log count of training hops with this relation to it, from anywhere") \
  X(kNeighborNamed1, "neighbor_named_1", "it neighbors an entity that the newest utterance names") \
  X(kNeighborsOnPath, "neighbors_on_path", "log count of entities of the path that it neighbors") \
  X(kNamedAnywhere, "named_anywhere", "any utterance names it")
// clang-format on

// A state: where the dialogue and the path stand.
// clang-format off
#define KGWALK_STATE_FEATURES(X) \
  X(kUserNext, "user_next", "the user speaks next") \
  X(kNoPath, "no_path", "no path was walked before") \
  X(kPaths, "paths", "number of paths before, scaled") \
  X(kUtterances, "utterances", "number of utterances before, scaled") \
  X(kFanOut, "fan_out", "log count of out-edges of the entity stood on") \
  X(kHopsTaken, "hops_taken", "hops taken in this path") \
  X(kTwoHops, "two_hops", "the previous path had two hops") \
  X(kTwoHopShare, "two_hop_share", "share of such paths among all earlier ones") \
  X(kLedBack, "led_back", "the previous path led back to a start")
// clang-format on

// A candidate and the goal (walker/features/goal_features.h). d^(a, b) is the estimate left[a] . right[b],
// and 0 for a = b; s and z are neighbor sketches, compared by cosines in their standard deviations, less
// four, not below zero.
// clang-format off
#define KGWALK_GOAL_FEATURES(X) \
  X(kIsGoal, "is_goal", "the tail is the goal") \
  X(kNearer, "nearer", "d^(here, goal) - d^(tail, goal)") \
  X(kEstimate, "estimate", "d^(tail, goal)") \
  X(kEstimateRank, "estimate_rank", "d^(tail, goal) less the least among the candidates") \
  X(kRowDistance, "row_distance", "10 |left[tail] - left[goal]|, left of mean length one") \
  X(kKgDistance, "kg_distance", "|e[tail] - e[goal]|") \
  X(kLink, "link", "least |e[tail] - e[goal] - r| over the relations r that leave the goal") \
  X(kLinkRank, "link_rank", "the same less the least among the candidates") \
  X(kTailDegree, "degree", "log of the tail's out-edges") \
  X(kVisited, "visited", "log of 1 + times the walk has stood on the tail") \
  X(kVisitedAny, "visited_any", "the walk has stood on it") \
  X(kCameFrom, "came_from", "the last hop came from it") \
  X(kHereEstimate, "here_estimate", "d^(here, goal)") \
  X(kExactNearer, "exact_nearer", "d(here, goal) - d(tail, goal); 0 unless `exact`") \
  X(kExact, "exact", "d(tail, goal) / 4; 0 unless `exact`") \
  X(kCommon, "common", "of s(tail) and s(goal): neighbors that both have") \
  X(kCommonRank, "common_rank", "the greatest among the candidates less the same") \
  X(kCommonScale, "common_scale", "log(|s(tail)| |s(goal)| / 16): what of a shared neighbor's weight can be seen") \
  X(kAdjacent, "adjacent", "of s(tail) and z(goal): the goal is a neighbor of the tail") \
  X(kAdjacentRank, "adjacent_rank", "the greatest among the candidates less the same") \
  X(kAdjacentBack, "adjacent_back", "of s(goal) and z(tail): the tail is a neighbor of the goal") \
  X(kAdjacentBackRank, "adjacent_back_rank", "the greatest among the candidates less the same")
// clang-format on

#define KGWALK_ENUMERATOR(enumerator, name, meaning) enumerator,
#define KGWALK_INFO(enumerator, name, meaning) FeatureInfo{name, meaning},

struct CandidateFeature {
  enum Index : std::size_t { KGWALK_CANDIDATE_FEATURES(KGWALK_ENUMERATOR) kTypeFlags };
};
inline constexpr std::array kCandidateFeatures{KGWALK_CANDIDATE_FEATURES(KGWALK_INFO)};

struct StateFeature {
  enum Index : std::size_t { KGWALK_STATE_FEATURES(KGWALK_ENUMERATOR) kCount };
};
inline constexpr std::array kStateFeatures{KGWALK_STATE_FEATURES(KGWALK_INFO)};

struct GoalFeature {
  enum Index : std::size_t { KGWALK_GOAL_FEATURES(KGWALK_ENUMERATOR) kCount };
};
inline constexpr std::array kGoalFeatures{KGWALK_GOAL_FEATURES(KGWALK_INFO)};

#undef KGWALK_ENUMERATOR
#undef KGWALK_INFO

inline constexpr int kNumTypeFlags = 24;
inline constexpr int kNumFeatures = static_cast<int>(kCandidateFeatures.size()) + kNumTypeFlags;
inline constexpr int kNumStateFeatures = static_cast<int>(kStateFeatures.size());
inline constexpr int kNumGoalFeatures = static_cast<int>(kGoalFeatures.size());

}  // namespace kgwalk::walker
