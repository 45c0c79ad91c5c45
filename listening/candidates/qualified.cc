// What statements say beside their facts and a value in the text asks for: "the population in 2010", "the
// mayor in 1992".
#include <algorithm>
#include <set>

#include "forms/fitted.h"
#include "kgwalk/graph_details.h"
#include "listening/candidates/candidate_sets.h"

namespace kgwalk::listening {
namespace {

using graph::RelationId;

constexpr std::size_t kMostQualifiers = 6;    // relations of what is said beside a fact
constexpr std::size_t kMostQualified = 2000;  // facts of one relation of a thing

bool says_one(const std::vector<std::string>& words, std::initializer_list<std::string_view> list) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  });
}

bool begins(const std::vector<std::string>& words) {
  return says_one(words, {"start", "begin", "begins", "beginning", "from", "since", "took", "started"});
}
bool ends(const std::vector<std::string>& words) {
  return says_one(words, {"end", "ends", "ending", "until", "to", "left", "ended", "finish"});
}

bool is_one(const std::vector<RelationId>& list, RelationId relation) {
  return std::find(list.begin(), list.end(), relation) != list.end();
}

}  // namespace

std::vector<QualifiedStep> qualified_steps(const Lexicon& lexicon, const HeardParts& parts,
                                           graph::EntityId entity, RelationId relation) {
  const graph::KnowledgeGraph& graph = lexicon.graph();
  const graph::GraphDetails& details = graph::details(graph);
  std::vector<QualifiedStep> steps;
  if (!details.has_qualifiers() || parts.values.empty()) return steps;
  const auto edges = graph.out_edges(entity);
  const auto first = std::lower_bound(edges.begin(), edges.end(), graph::Edge{relation, 0});
  const auto last =
      std::find_if(first, edges.end(), [&](const auto& edge) { return edge.relation != relation; });
  if (static_cast<std::size_t>(last - first) > kMostQualified) return steps;
  const auto number = [&](auto edge) {
    return graph.first_edge(entity) + static_cast<std::uint64_t>(edge - edges.begin());
  };
  std::set<RelationId> said;
  for (auto edge = first; edge != last; ++edge)
    for (const auto& statement : details.qualifiers(number(edge)))
      for (const graph::Qualifier& each : statement)
        if (said.size() < kMostQualifiers) said.insert(each.relation);
  std::vector<RelationId> from, to;
  for (const RelationId each : said) {
    if (begins(lexicon.relation(each).words)) from.push_back(each);
    if (ends(lexicon.relation(each).words)) to.push_back(each);
  }
  const auto add = [&](std::uint32_t value, std::vector<forms::Qualified> asked) {
    QualifiedStep step{value, std::move(asked), {}};
    for (auto edge = first; edge != last; ++edge)
      if (forms::is_qualified(step.said, number(edge), lexicon.values())) step.answers.push_back(edge->tail);
    if (!step.answers.empty()) steps.push_back(std::move(step));
  };
  for (std::uint32_t v = 0; v < parts.values.size(); ++v) {
    const HeardValue& value = parts.values[v];
    if (!graph::is_time(value.value.kind)) continue;
    const bool lasts = !from.empty() && !to.empty();
    for (const RelationId each : said)
      if (!lasts || (!is_one(from, each) && !is_one(to, each)))
        add(v, {{{each}, condition_of(Asked::kAt, value)}});
    // Whoever had begun by then and had not ended.
    if (lasts)
      add(v, {{from, {graph::Comparison::kAtMost, value.upper.value_or(value.value)}},
              {to, {graph::Comparison::kAtLeast, value.value}}});
  }
  return steps;
}

}  // namespace kgwalk::listening
