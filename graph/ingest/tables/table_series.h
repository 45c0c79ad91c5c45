// Tables with a row for each thing at each time: countries by years, players by seasons.
#pragma once

#include "graph/ingest/tables/table_draft.h"

namespace kgwalk::graph {

// Where no column alone tells the rows apart, and one of texts does with one of years or dates, of which
// there are few: the draft's id and name become the first, its times the second, and what differs among the
// rows of one thing is noted. By all rows.
void find_series(Draft& draft, const StopFlag& stop);

// Whether objects, of plain values all of them, are such a table: they are read as its rows then.
[[nodiscard]] bool is_series(const TableSource& objects, const StopFlag& stop);

}  // namespace kgwalk::graph
