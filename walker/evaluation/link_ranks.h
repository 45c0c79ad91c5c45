// Walks measured as link prediction is: where each right end stands among all entities of the graph. Filtered
// (other right ends are left out) and realistic under ties, as embeddings/links/ranking.h; a walk gives no
// score to what it did not find, so that all of that ties behind what it found. Torch-free.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/link_prediction.h"

namespace kgwalk::walker {

// An entity that was found, the higher the score the better.
struct FoundEnd {
  graph::EntityId entity = 0;
  double score = 0;
};

// Where one right end stood: (head, relation, ?) was asked, the rank is that of `tail`.
struct LinkRank {
  std::string head, relation, tail;  // names; several hops are joined by " / "
  double rank = 0;                   // from 1
};
void to_json(Json& json, const LinkRank& rank);
void from_json(const Json& json, LinkRank& rank);

// Ranks of the entities of `right`, in their order; `found` holds each entity once, in any order;
// `num_entities` are those that could be right. Equal scores are told to 1e-9 relative.
[[nodiscard]] std::vector<double> end_ranks(std::span<const FoundEnd> found,
                                            const std::set<graph::EntityId>& right, std::size_t num_entities);

[[nodiscard]] embeddings::RankMetrics summarize(std::span<const LinkRank> ranks);

// The layout of link prediction's test_ranks.tsv; head_rank stays empty, since a walk is asked for ends only.
[[nodiscard]] std::string table_of(std::span<const LinkRank> ranks);

// A line for people.
[[nodiscard]] std::string to_text(std::span<const LinkRank> ranks);

}  // namespace kgwalk::walker
