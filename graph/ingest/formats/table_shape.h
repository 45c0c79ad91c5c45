// How the cells of a table of text are separated.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/input_text.h"
#include "graph/ingest/table_rows.h"

namespace kgwalk::graph {

// As the options say; where they do not: as a first line "sep=;" says, else the one of tab, comma, semicolon
// and bar that cuts the first line into most cells, `usual` among equals. What was guessed and is not `usual`
// is noted in the log. Quotes count as quotes where `quoted`.
struct GuessedShape {
  TableShape shape;
  std::string_view bytes;  // behind "sep=;"
};
[[nodiscard]] GuessedShape shape_of(const InputText& text, char usual, bool quoted);

}  // namespace kgwalk::graph
