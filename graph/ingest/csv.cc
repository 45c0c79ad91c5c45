#include "graph/ingest/csv.h"

#include <algorithm>

namespace kgwalk::graph {

bool CsvReader::at_row_end() const noexcept {
  if (position_ == text_.size() || text_[position_] == '\n') return true;
  return text_[position_] == '\r' && position_ + 1 < text_.size() && text_[position_ + 1] == '\n';
}

void CsvReader::skip_row_end() noexcept {
  if (position_ < text_.size() && text_[position_] == '\r') ++position_;
  if (position_ < text_.size()) {
    ++position_;
    ++line_;
  }
}

void CsvReader::recover(std::size_t row_begin, std::size_t row_line) noexcept {
  const std::size_t newline = text_.find('\n', row_begin);
  position_ = newline == std::string_view::npos ? text_.size() : newline + 1;
  line_ = row_line + 1;
}

bool CsvReader::read_quoted(std::string& field, std::string& error) {
  ++position_;  // the opening quote
  for (;;) {
    const std::size_t quote = text_.find(quote_, position_);
    if (quote == std::string_view::npos) {
      error = "a quoted field is never closed";
      return false;
    }
    const std::string_view part = text_.substr(position_, quote - position_);
    field.append(part);
    line_ += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    position_ = quote + 1;
    if (position_ == text_.size() || text_[position_] != quote_) break;
    field += quote_;
    ++position_;
  }
  if (at_row_end() || text_[position_] == separator_) return true;
  error = "text behind a closing quote; a quote inside a quoted field is written twice";
  return false;
}

bool CsvReader::read_field(std::string& field, std::string& error) {
  if (position_ < text_.size() && text_[position_] == quote_) return read_quoted(field, error);
  while (!at_row_end() && text_[position_] != separator_) {
    if (text_[position_] == quote_) {
      error = "a quote inside a field that does not begin with one";
      return false;
    }
    field += text_[position_++];
  }
  return true;
}

bool CsvReader::next(CsvRow& row) {
  row = CsvRow();
  while (position_ < text_.size() && at_row_end()) skip_row_end();
  if (position_ == text_.size()) return false;
  const std::size_t begin = position_;
  row.line = line_;
  for (;;) {
    std::string field;
    if (!read_field(field, row.error)) {
      row.fields.clear();
      recover(begin, row.line);
      row.bytes = position_ - begin;
      return true;
    }
    row.fields.push_back(std::move(field));
    if (at_row_end()) break;
    ++position_;  // the separator
  }
  row.bytes = position_ - begin;
  skip_row_end();
  return true;
}

}  // namespace kgwalk::graph
