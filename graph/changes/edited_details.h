// Details of an edited graph, from those of its base.
#pragma once

#include "graph/changes/delta.h"
#include "graph/changes/row_merge.h"
#include "graph/snapshot.h"

namespace kgwalk::graph {

// Laid out; empty where neither base nor edits have any.
[[nodiscard]] AlignedBytes edited_details(const Delta& delta, const MergedRows& rows);

}  // namespace kgwalk::graph
