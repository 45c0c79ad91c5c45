#include "graph/ingest/table_rows.h"

#include <algorithm>

#include "runtime/text.h"

namespace kgwalk::graph {

TableRows::TableRows(std::string_view bytes, const TableShape& shape, ProblemLog& log)
    : shape_(shape), log_(log) {
  if (shape.quoted)
    csv_.emplace(without_byte_order_mark(bytes, log), shape.separator, shape.quote);
  else
    lines_.emplace(bytes, shape.max_row_bytes, log);
}

std::size_t TableRows::position() const noexcept { return csv_ ? csv_->position() : lines_->position(); }

bool TableRows::next(std::vector<std::string>& fields) {
  while (csv_ ? next_quoted(fields) : next_plain(fields))
    if (is_good(fields)) return true;
  return false;
}

bool TableRows::next_quoted(std::vector<std::string>& fields) {
  while (csv_->next(row_)) {
    line_ = row_.line + shape_.lines_before;
    if (!row_.error.empty()) {
      log_.skip(line_, Reason::kQuotes, row_.error);
    } else if (row_.bytes > shape_.max_row_bytes) {
      log_.skip(line_, Reason::kLongLine,
                "the row has " + std::to_string(row_.bytes) + " bytes; at most " +
                    std::to_string(shape_.max_row_bytes) + " are taken");
    } else {
      fields.swap(row_.fields);
      return true;
    }
  }
  return false;
}

bool TableRows::next_plain(std::vector<std::string>& fields) {
  std::string_view text;
  if (!lines_->next(text)) return false;
  line_ = lines_->number() + shape_.lines_before;
  fields.clear();
  for (;;) {
    const std::size_t end = text.find(shape_.separator);
    fields.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool TableRows::is_good(const std::vector<std::string>& fields) {
  if (columns_ > 0 && fields.size() != columns_) {
    log_.skip(line_, Reason::kFieldCount,
              std::to_string(fields.size()) + (fields.size() == 1 ? " field" : " fields") +
                  ", the header has " + std::to_string(columns_));
    return false;
  }
  for (const std::string& field : fields) {
    if (field.find('\0') != std::string::npos) return log_.skip(line_, Reason::kNulByte, "a NUL byte"), false;
    if (invalid_utf8_at(field)) return log_.skip(line_, Reason::kInvalidUtf8, "not valid UTF-8"), false;
  }
  return true;
}

}  // namespace kgwalk::graph
