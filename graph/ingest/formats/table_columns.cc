#include "graph/ingest/formats/table_columns.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>

#include "graph/ingest/formats/id_map.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

// What a column is called where nobody says; the first there is counts.
constexpr const char* kUsual[3][6] = {{"head", "subject", "source", "from", "h", "s"},
                                      {"relation", "predicate", "property", "type", "r", "p"},
                                      {"tail", "object", "target", "to", "t", "o"}};
constexpr const char* kRoles[3] = {"head", "relation", "tail"};

std::string listed(const std::vector<std::string>& header) {
  std::string text;
  for (const std::string& name : header) text += (text.empty() ? "" : ", ") + name;
  return text;
}

bool same_name(const std::string& a, std::string_view b) { return fold_name(a) == fold_name(b); }

std::size_t usual_column(const std::vector<std::string>& header, std::size_t role, const std::string& file) {
  for (const char* name : kUsual[role])
    for (std::size_t i = 0; i < header.size(); ++i)
      if (same_name(header[i], name)) return i;
  throw DataError(file, 1,
                  "no column is known for the " + std::string(kRoles[role]) + "; say which, of " +
                      listed(header) + ", are head, relation and tail (columns)");
}

std::size_t named_column(const std::vector<std::string>& header, const std::string& name,
                         const std::string& file) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  throw DataError(file, 1,
                  "there is no column '" + name + "'" + did_you_mean(name, header) + "; the header has " +
                      listed(header));
}

std::size_t numbered_column(const std::string& text) {
  std::size_t column = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), column);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || column == 0)
    throw ConfigError("columns are counted from 1, '" + text + "' is none");
  return column - 1;
}

}  // namespace

bool is_neo4j_header(const std::vector<std::string>& header) {
  return std::any_of(header.begin(), header.end(), [](const std::string& name) {
    return name == "_id" || name == "_start" || name.find(":ID") != std::string::npos ||
           name.find(":START_ID") != std::string::npos;
  });
}

bool is_usual_name(std::size_t role, std::string_view name) {
  if (name.size() < 2) return false;
  const std::string folded = fold_name(name);
  return std::any_of(std::begin(kUsual[role]), std::end(kUsual[role]),
                     [&](const char* usual) { return folded == usual; });
}

bool are_numbers(const std::array<std::string, 3>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), is_number);
}

Columns find_columns(const std::vector<std::string>& header, const std::array<std::string, 3>& wanted,
                     const std::string& file) {
  Columns columns{};
  for (std::size_t role = 0; role < 3; ++role)
    columns[role] =
        wanted[role].empty() ? usual_column(header, role, file) : named_column(header, wanted[role], file);
  return columns;
}

Columns numbered_columns(const std::array<std::string, 3>& wanted) {
  return {numbered_column(wanted[0]), numbered_column(wanted[1]), numbered_column(wanted[2])};
}

namespace {

// `find` gives the place of a column by what is wanted.
template <class Find>
MoreColumns more_columns(const InputOptions& input, Find&& find) {
  const auto place = [&](std::string_view wanted) {
    return wanted.empty() ? kNoColumn : find(std::string(wanted));
  };
  const auto id = [&](std::size_t i) {
    return i < input.id_columns.size() ? place(input.id_columns[i]) : kNoColumn;
  };
  return {id(0), id(1), id(2), place(input.weight_column), place(input.source_column)};
}

}  // namespace

MoreColumns find_more_columns(const std::vector<std::string>& header, const InputOptions& input,
                              const std::string& file) {
  return more_columns(input, [&](const std::string& name) { return named_column(header, name, file); });
}

MoreColumns numbered_more_columns(const InputOptions& input) { return more_columns(input, numbered_column); }

std::optional<float> weight_in(std::string_view text) {
  float weight = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), weight);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole && std::isfinite(weight) && weight >= 0 ? std::optional(weight) : std::nullopt;
}

}  // namespace kgwalk::graph
