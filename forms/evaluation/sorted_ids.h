// Sets of ids as ascending vectors.
#pragma once

#include <span>
#include <vector>

#include "kgwalk/graph_types.h"

namespace kgwalk::forms {

using Ids = std::vector<graph::EntityId>;

void sort_ids(Ids& ids);  // ascending, each once
// Gallops through the larger one: time in proportion to the smaller one, times a logarithm.
[[nodiscard]] Ids intersection(const Ids& a, const Ids& b);
// Those of `ids` that are a tail of the edges, which are of one row and relation.
void keep_tails(Ids& ids, std::span<const graph::Edge> edges);
[[nodiscard]] Ids union_of(const Ids& a, const Ids& b);
[[nodiscard]] Ids difference_of(const Ids& a, const Ids& b);
[[nodiscard]] bool has_id(const Ids& ids, graph::EntityId id) noexcept;

}  // namespace kgwalk::forms
