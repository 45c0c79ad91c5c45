#include "listening/questions/graph_draws.h"

#include <algorithm>

#include "forms/rows.h"
#include "kgwalk/error.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kSampled = 30;  // members that a type is looked for at

bool has(const std::vector<std::uint32_t>& ascending, std::uint32_t item) {
  return std::binary_search(ascending.begin(), ascending.end(), item);
}

}  // namespace

GraphDraws::GraphDraws(const Lexicon& lexicon, std::size_t most_answers)
    : lexicon_(lexicon), most_answers_(most_answers) {
  const auto edges = graph().edges();
  for (std::uint64_t i = 0; i < edges.size(); ++i)
    if (!lexicon_.is_inverse(edges[i].relation) && lexicon_.is_askable(edges[i].relation))
      facts_.push_back(i);
  std::stable_sort(facts_.begin(), facts_.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return edges[a].relation < edges[b].relation; });
  for (std::uint64_t i = 0; i < facts_.size(); ++i) {
    const RelationId relation = edges[facts_[i]].relation;
    if (!relations_.empty() && relations_.back() == relation) continue;
    relations_.push_back(relation);
    begins_.push_back(i);
    if (is_measure(relation)) measures_.push_back(relation);
  }
  begins_.push_back(facts_.size());
  if (facts_.empty()) throw ConfigError("the graph has no facts to ask questions about");
}

graph::Triple GraphDraws::fact_at(std::uint64_t edge) const {
  const auto offsets = graph().offsets();
  const auto after = std::upper_bound(offsets.begin(), offsets.end(), edge);
  const auto head = static_cast<EntityId>(after - offsets.begin() - 1);
  const graph::Edge& found = graph().edges()[edge];
  return {head, found.relation, found.tail};
}

graph::Triple GraphDraws::fact(Random& random) const {
  if (random.uniform() < 0.5) return fact_of(relations_[random.below(relations_.size())], random);
  return fact_at(facts_[random.below(facts_.size())]);
}

graph::Triple GraphDraws::fact_of(RelationId relation, Random& random) const {
  const auto at = static_cast<std::size_t>(std::lower_bound(relations_.begin(), relations_.end(), relation) -
                                           relations_.begin());
  return fact_at(facts_[begins_[at] + random.below(begins_[at + 1] - begins_[at])]);
}

bool GraphDraws::is_asked_about(RelationId relation) const noexcept {
  const RelationId forward = lexicon_.is_inverse(relation) ? graph().inverse(relation) : relation;
  return std::binary_search(relations_.begin(), relations_.end(), forward);
}

bool GraphDraws::is_measure(RelationId relation) const noexcept {
  return !lexicon_.is_inverse(relation) && lexicon_.values().group(relation) != 0 &&
         !lexicon_.relation(relation).yes;
}

bool GraphDraws::is_value(EntityId entity) const noexcept {
  return lexicon_.values().kind(entity) != graph::ValueKind::kThing;
}

EntityId GraphDraws::entity(Random& random) const {
  return fact_at(facts_[random.below(facts_.size())]).head;
}

std::size_t GraphDraws::num_tails(EntityId entity, RelationId relation) const noexcept {
  return forms::row(graph(), entity, relation).size();
}

std::optional<EntitySet> GraphDraws::tails(EntityId entity, RelationId relation) const {
  const auto row = forms::row(graph(), entity, relation);
  if (row.size() > most_answers_) return std::nullopt;
  EntitySet set;
  set.reserve(row.size());
  for (const graph::Edge& edge : row) set.push_back(edge.tail);
  return set;
}

std::optional<EntitySet> GraphDraws::tails(const EntitySet& set, RelationId relation) const {
  EntitySet all;
  for (const EntityId member : set) {
    const auto row = forms::row(graph(), member, relation);
    if (all.size() + row.size() > 4 * most_answers_) return std::nullopt;
    for (const graph::Edge& edge : row) all.push_back(edge.tail);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > most_answers_) return std::nullopt;
  return all;
}

std::vector<RelationId> GraphDraws::relations_of(EntityId entity) const {
  std::vector<RelationId> found = told_of(entity);
  std::erase_if(found, [&](RelationId r) { return !lexicon_.is_askable(r); });
  return found;
}

std::vector<RelationId> GraphDraws::told_of(EntityId entity) const {
  std::vector<RelationId> found;
  const auto edges = graph().out_edges(entity);
  const auto below = [](const graph::Edge& edge, RelationId r) { return edge.relation < r; };
  for (auto at = edges.begin(); at != edges.end();
       at = std::lower_bound(at, edges.end(), found.back() + 1, below)) {
    found.push_back(at->relation);  // jumps over the rows of hubs
  }
  std::erase_if(found, [&](RelationId r) { return !lexicon_.is_askable(r) && !lexicon_.tells_types(r); });
  return found;
}

EntitySet GraphDraws::of_type(const EntitySet& set, std::uint32_t type) const {
  EntitySet kept;
  std::copy_if(set.begin(), set.end(), std::back_inserter(kept),
               [&](EntityId e) { return has(lexicon_.types_of(e), type); });
  return kept;
}

std::optional<std::uint32_t> GraphDraws::some_type(const EntitySet& set, Random& random) const {
  std::vector<std::uint32_t> types;
  for (std::size_t i = 0; i < std::min(set.size(), kSampled); ++i) {
    const auto& own = lexicon_.types_of(set[i]);
    types.insert(types.end(), own.begin(), own.end());
  }
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  if (types.empty()) return std::nullopt;
  return types[random.below(types.size())];
}

std::vector<std::uint32_t> GraphDraws::common_types(const EntitySet& set) const {
  if (set.empty()) return {};
  std::vector<std::uint32_t> types = lexicon_.types_of(set.front());
  for (std::size_t i = 1; i < set.size() && !types.empty(); ++i)
    std::erase_if(types, [&](std::uint32_t type) { return !has(lexicon_.types_of(set[i]), type); });
  return types;
}

}  // namespace kgwalk::listening
