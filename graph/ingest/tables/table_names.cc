#include "graph/ingest/tables/table_names.h"

#include <algorithm>
#include <cctype>

#include "graph/ingest/iri_names.h"
#include "runtime/english.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::string_view kBy = " by ";
constexpr std::size_t kShortestKind = 3;  // letters, where digits stand behind them

}  // namespace

std::string words_of_column(std::string_view column) {
  const bool is_address = column.find_first_of("/#:%") != std::string_view::npos;
  return is_address ? name_text(column) : relation_words_of(column);
}

std::string type_of_table(std::string_view table) {
  std::string words = words_of_column(table);
  // "cars93" holds cars.
  const std::size_t letters = words.find_last_not_of("0123456789 ") + 1;
  if (letters >= kShortestKind) words.resize(letters);
  const std::size_t last = words.rfind(' ') + 1;  // 0 where there is one word
  return words.substr(0, last) + singular_word(words.substr(last));
}

std::string kind_of_key(std::string_view key) {
  constexpr std::string_view kGeneral[] = {
      "object", "record", "result", "item",    "row",    "entry",      "value",   "node",     "thing",
      "list",   "line",   "tuple",  "entity",  "fact",   "page",       "file",    "export",   "document",
      "sample", "hit",    "datum",  "child",   "link",   "edge",       "data",    "response", "array",
      "body",   "output", "all",    "content", "set",    "collection", "dataset", "payload",  "graph",
      "index",  "table",  "info",   "batch",   "feature"};
  if (invalid_utf8_at(key)) return {};
  if (std::any_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; })) return {};
  const std::string kind = type_of_table(key);
  const std::string last = kind.substr(kind.rfind(' ') + 1);
  return std::find(std::begin(kGeneral), std::end(kGeneral), last) != std::end(kGeneral) ? std::string()
                                                                                         : kind;
}

std::optional<TableBy> table_by(std::string_view table, std::string_view name_column) {
  const std::string words = words_of_column(table);
  const std::size_t by = words.find(kBy);
  if (by == std::string::npos) return std::nullopt;
  const std::string first = words.substr(0, by), second = words.substr(by + kBy.size());
  const std::string things = type_of_table(name_column);
  if (type_of_table(first) == things) return TableBy{things, second};
  if (type_of_table(second) == things) return TableBy{things, first};
  return std::nullopt;
}

std::string relation_told(const std::string& told, const std::string& column) {
  constexpr std::string_view kValue[] = {"value", "values", "number", "amount", "count", "total", "figure"};
  if (std::find(std::begin(kValue), std::end(kValue), column) != std::end(kValue)) return told;
  const std::string one = type_of_table(told);
  const bool says_more = one.ends_with(" " + column) || one.starts_with(column + " ") ||
                         told.ends_with(" " + column) || told.starts_with(column + " ");
  return says_more ? one : column;
}

std::string kind_of_list(std::string_view list) {
  const std::string kind = kind_of_key(list);
  const bool by = words_of_column(list).find(kBy) != std::string::npos;
  return by || kind.empty() || kind == words_of_column(list) ? std::string() : kind;
}

bool leads_to_own_kind(std::string_view words) {
  constexpr std::string_view kWhole[] = {"parent",   "manager",  "boss",        "supervisor",  "superior",
                                         "mother",   "father",   "ancestor",    "predecessor", "successor",
                                         "mentor",   "spouse",   "partner",     "previous",    "next",
                                         "replaces", "reply to", "derived from"};
  for (const std::string_view end : {" to", " by", " of"})
    if (words.ends_with(end)) return true;
  return std::find(std::begin(kWhole), std::end(kWhole), words) != std::end(kWhole);
}

std::string name_of_row(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return std::string(key);
  return type_of_table(key.substr(0, slash)) + " " + std::string(key.substr(slash + 1));
}

}  // namespace kgwalk::graph
