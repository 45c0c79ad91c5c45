#include "dialogue/linking/everyday_words.h"

#include <unordered_map>

namespace kgwalk::dialogue {

extern const std::string_view kEverydayWords;  // the file's text

namespace {

using Table = std::unordered_map<std::string_view, Everyday>;

void add_words(std::string_view line, Everyday kind, Table& table) {
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    if (end > at) table.try_emplace(line.substr(at, end - at), kind);
    at = end + 1;
  }
}

Table read_words() {
  Table table;
  Everyday kind = Everyday::kNo;
  for (std::string_view rest = kEverydayWords; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.starts_with('#')) continue;
    if (line.starts_with('['))
      kind = line == "[function]" ? Everyday::kFunction : Everyday::kCommon;
    else
      add_words(line, kind, table);
  }
  return table;
}

}  // namespace

Everyday everyday(std::string_view word) {
  static const Table words = read_words();
  const auto found = words.find(word);
  return found == words.end() ? Everyday::kNo : found->second;
}

}  // namespace kgwalk::dialogue
