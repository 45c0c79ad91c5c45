#include "graph/ingest/formats/id_map.h"

#include <algorithm>
#include <string>
#include <vector>

#include "graph/ingest/lines.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

struct Pair {
  std::string_view first, second;
  std::size_t line;
};

std::vector<Pair> pairs_of(LineReader& lines, ProblemLog& log) {
  std::vector<Pair> pairs;
  for (std::string_view line; lines.next(line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos) {
      log.skip(lines.number(), Reason::kFieldCount,
               "not two fields; an id and a name are separated by a tab");
    } else if (invalid_utf8_at(line)) {
      log.skip(lines.number(), Reason::kInvalidUtf8, "not valid UTF-8");
    } else {
      pairs.push_back({line.substr(0, tab), line.substr(tab + 1), lines.number()});
    }
  }
  return pairs;
}

}  // namespace

bool is_number(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

IdMap::IdMap(std::string_view bytes, std::size_t max_line_bytes, ProblemLog& log) {
  LineReader lines(bytes, max_line_bytes, log);
  std::vector<Pair> pairs = pairs_of(lines, log);
  lines_ = lines.number();
  if (pairs.empty()) return;
  if (!is_number(pairs[0].first) && !is_number(pairs[0].second)) pairs.erase(pairs.begin());  // the header
  const auto all_numbers = [&](auto member) {
    return std::all_of(pairs.begin(), pairs.end(), [&](const Pair& p) { return is_number(p.*member); });
  };
  const bool ids_first = all_numbers(&Pair::first);
  if (!ids_first && !all_numbers(&Pair::second))
    throw DataError(log.file(), 0, "neither column has a number on every line; expected ids and their names");
  for (const Pair& pair : pairs) {
    const std::string_view id = ids_first ? pair.first : pair.second;
    const std::string_view name = ids_first ? pair.second : pair.first;
    if (!names_.emplace(id, name).second)
      log.skip(pair.line, Reason::kBadId, "the id " + std::string(id) + " was given before");
  }
}

std::optional<std::string_view> IdMap::name(std::string_view id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace kgwalk::graph
