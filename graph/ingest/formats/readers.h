// The formats in which graphs are read: a row each, with what names it and who reads it.
#pragma once

#include <span>
#include <string_view>

#include "graph/ingest/input_text.h"
#include "kgwalk/input_format.h"

namespace kgwalk::graph {

struct InputFormatRow {
  InputFormat format;
  std::string_view extensions, media_types;  // words between spaces; the first is the one to write
  ReadText read;
  bool has_blank_nodes = false;  // which are of their file alone
};

[[nodiscard]] std::span<const InputFormatRow> input_formats() noexcept;
// That of one format, which is not kAuto.
[[nodiscard]] const InputFormatRow& input_format_row(InputFormat format) noexcept;

}  // namespace kgwalk::graph
