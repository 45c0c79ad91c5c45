// What tables that are given together say of one another.
#pragma once

#include <vector>

#include "graph/ingest/tables/table_draft.h"

namespace kgwalk::graph {

// Whether a column of another table is called by its rows: "customer_id".
[[nodiscard]] bool is_called(const std::vector<Draft>& all, const Draft& draft);

// Whether other objects have its ids, which are numbers, and are other things: the first customer is not the
// first product. Those that have no name say more of the same things, unless they lead somewhere themselves.
[[nodiscard]] bool shares_numbers(const std::vector<Draft>& all, const Draft& draft);

}  // namespace kgwalk::graph
