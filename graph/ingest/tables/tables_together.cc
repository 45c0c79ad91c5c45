#include "graph/ingest/tables/tables_together.h"

#include <algorithm>
#include <string>

namespace kgwalk::graph {
namespace {

bool is_numbered(const Draft& draft) {
  return draft.source.header().is_read_by_format && draft.id != kNoPlace &&
         draft.profile.columns[draft.id].types.type() == ValueType::kInteger;
}

bool share_names(const Draft& a, const Draft& b) {
  return a.name.size() == 1 && b.name.size() == 1 &&
         shares_a_value(a.profile.columns[a.name[0]], b.profile.columns[b.name[0]]);
}

}  // namespace

bool is_called(const std::vector<Draft>& all, const Draft& draft) {
  return std::any_of(all.begin(), all.end(), [&](const Draft& other) {
    return &other != &draft &&
           std::any_of(other.columns().begin(), other.columns().end(), [&](const std::string& column) {
             const std::string stem = stem_of(column);
             return !stem.empty() && draft.is_named(stem);
           });
  });
}

bool shares_numbers(const std::vector<Draft>& all, const Draft& draft) {
  const auto is_own = [&](const Draft& each) {
    return !each.name.empty() || each.source.header().says_names || is_called(all, each) ||
           !each.links.empty();
  };
  if (!is_numbered(draft) || !is_own(draft)) return false;
  return std::any_of(all.begin(), all.end(), [&](const Draft& other) {
    return &other != &draft && is_numbered(other) && is_own(other) && !share_names(draft, other) &&
           shares_a_value(draft.profile.columns[draft.id], other.profile.columns[other.id]);
  });
}

}  // namespace kgwalk::graph
