#include "planner/answering/said_years.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "graph/values/relation_words.h"

namespace kgwalk {
namespace {

// "In 1800", "how about 1800"; "over 2000" limits.
std::optional<std::string> year_said(const listening::SaidText& said) {
  for (std::size_t i = 1; i < said.words.size(); ++i)
    if (graph::is_year(said.words[i].folded) && said.is_behind(i, {"in", "during", "for", "of", "about"}))
      return said.words[i].folded;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> year_not_told(const graph::KnowledgeGraph& graph, const listening::HeardForm& form,
                                         const listening::HeardParts& parts) {
  const std::optional<std::string> year = year_said(parts.said);
  if (!year) return std::nullopt;
  for (const graph::RelationId asked : form.relations) {
    std::string_view name = graph.relation_name(asked);
    if (name.starts_with('~')) name.remove_prefix(1);
    const std::string_view base = graph::without_year(name);
    if (graph.find_relation(fmt::format("{} {}", *year, base))) return std::nullopt;
    std::string first, last;
    for (graph::RelationId r = 0; r < graph.num_relations(); ++r) {
      const std::string_view other = graph.relation_name(r);
      if (other == base || graph::without_year(other) != base) continue;
      const std::string of(other.substr(0, other.find(' ')));
      first = first.empty() ? of : std::min(first, of);
      last = std::max(last, of);
    }
    if (!first.empty())
      return first == last
                 ? fmt::format("I have no {} of {}, but of {}.", base, *year, first)
                 : fmt::format("I have no {} of {}: I know some of {} to {}.", base, *year, first, last);
  }
  return std::nullopt;
}

}  // namespace kgwalk
