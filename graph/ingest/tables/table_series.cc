#include "graph/ingest/tables/table_series.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "graph/ingest/tables/table_names.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kMostTimes = 80, kMostThings = 200'000;
constexpr std::size_t kFewestRows = 2;  // of a thing, on average
constexpr std::size_t kRowsBetweenLooks = 8192;

bool is_mostly_filled(const Draft& draft, std::size_t column) {
  return 10 * draft.profile.columns[column].filled >= 9 * draft.profile.rows;
}

bool says_when(const Draft& draft, std::size_t column) {
  constexpr std::string_view kTimes[] = {"year", "years",  "yr",      "season",
                                         "date", "period", "edition", "jahr"};
  const std::string words = folded(words_of_column(draft.columns()[column]));
  const ColumnProfile& profile = draft.profile.columns[column];
  const ValueType type = profile.types.type();
  const bool fits = type == ValueType::kInteger || type == ValueType::kDate ||
                    (type == ValueType::kText && words == "season");
  return fits && is_mostly_filled(draft, column) && profile.repeats && profile.values.size() <= kMostTimes &&
         std::find(std::begin(kTimes), std::end(kTimes), words) != std::end(kTimes);
}

bool may_be_things(const Draft& draft, std::size_t column) {
  const ColumnProfile& profile = draft.profile.columns[column];
  return profile.types.type() == ValueType::kText && profile.list_separator.empty() && profile.repeats &&
         is_mostly_filled(draft, column) && !draft.links.contains(column);
}

// What rows are told apart by so far, and what is known of the things of one column.
struct Tally {
  std::size_t thing = kNoPlace;
  bool fits = true;
  std::set<std::pair<std::string, std::string>> met = {};  // things with times
  std::unordered_map<std::string, std::vector<std::string>> first = {};
  std::vector<bool> varies = {};

  void add(const std::vector<std::string>& row, std::size_t when) {
    if (is_empty_cell(row[thing]) || is_empty_cell(row[when])) return;
    fits = fits && first.size() <= kMostThings && met.emplace(row[thing], row[when]).second;
    if (!fits) return;
    const auto [known, is_new] = first.try_emplace(row[thing], row);
    for (std::size_t i = 0; !is_new && i < row.size(); ++i)
      if (i != when && row[i] != known->second[i]) varies[i] = true;
  }
};

}  // namespace

void find_series(Draft& draft, const StopFlag& stop) {
  const std::size_t width = draft.columns().size();
  std::size_t when = 0;
  while (when < width && !says_when(draft, when)) ++when;
  if (when == width || draft.profile.rows < 2) return;
  std::vector<Tally> tallies;
  for (std::size_t i = 0; i < width; ++i)
    if (i != when && may_be_things(draft, i))
      tallies.push_back({.thing = i, .varies = std::vector<bool>(width, false)});
  ProblemLog log(draft.source.place(), false, 0, silent_reporter());
  const auto cursor = draft.source.rows(log);
  std::size_t rows = 0;
  for (std::vector<std::string> row; !tallies.empty() && cursor->next(row);) {
    if (++rows % kRowsBetweenLooks == 0 && stop.requested())
      throw Stopped("the ingestion was stopped and nothing was written");
    for (Tally& tally : tallies) tally.add(row, when);
    std::erase_if(tallies, [](const Tally& tally) { return !tally.fits; });
  }
  const auto most = std::max_element(tallies.begin(), tallies.end(), [](const Tally& a, const Tally& b) {
    return a.first.size() < b.first.size();
  });
  // Films of one name are few; whatever has a row for each year has several.
  if (most == tallies.end() || kFewestRows * most->first.size() > rows) return;
  draft.id = most->thing;
  draft.name = {most->thing};
  draft.when = when;
  draft.varies = std::move(most->varies);
  if (std::string kind = draft.kind_by_name(); !kind.empty()) draft.type = std::move(kind);
}

bool is_series(const TableSource& objects, const StopFlag& stop) {
  const TableHeader& header = objects.header();
  const auto is_id = [](const std::string& column) {
    return folded(column) == "id" || folded(column) == "@id";
  };
  if (!header.holds_things.empty() || std::any_of(header.columns.begin(), header.columns.end(), is_id))
    return false;
  Draft draft{objects, profile_of(objects, header.list_separator), type_of_table(header.name)};
  find_series(draft, stop);
  return draft.when != kNoPlace;
}

}  // namespace kgwalk::graph
