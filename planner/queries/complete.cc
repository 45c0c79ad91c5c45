#include "kgwalk/complete.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "graph/entity_named.h"
#include "kgwalk/embeddings.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "planner/queries/names.h"
#include "runtime/config.h"

namespace kgwalk {
namespace {

using embeddings::EmbeddingTables;
using embeddings::NearEntity;
using graph::EntityId;
using graph::RelationId;
using graph::Triple;

constexpr int kMaxAnswers = 10'000;

void check(const CompleteRequest& request) {
  Problems problems;
  const int missing = request.head.empty() + request.relation.empty() + request.tail.empty();
  if (missing != 1)
    problems.add("head, relation, tail", "one of them is asked for and left out, the others are given");
  if (request.k < 1 || request.k > kMaxAnswers)
    problems.add("k", fmt::format("must be from 1 to {}", kMaxAnswers));
  if (request.having_relation.empty() && !request.having_entity.empty())
    problems.add("having_entity", "needs having_relation");
  if (request.relation.empty() && !request.having_relation.empty())
    problems.add("having_relation", "restricts entities, but a relation is asked for");
  problems.throw_if_any("complete");
}

// Which entities may be answered.
struct Restriction {
  std::optional<RelationId> relation;
  std::optional<EntityId> entity;
  [[nodiscard]] bool allows(const graph::KnowledgeGraph& graph, EntityId candidate) const {
    if (!relation) return true;
    if (entity) return graph.has_edge({candidate, *relation, *entity});
    const auto edges = graph.out_edges(candidate);
    const auto at = std::lower_bound(edges.begin(), edges.end(), graph::Edge{*relation, 0});
    return at != edges.end() && at->relation == *relation;
  }
};

}  // namespace

struct Completer::Impl {
  std::shared_ptr<const graph::KnowledgeGraph> graph;
  EmbeddingTables tables;

  [[nodiscard]] EntityId entity(const std::string& name, std::string_view what) const {
    const EntityId found = graph::entity_named(*graph, name, what);
    if (found >= tables.num_entities())
      throw ConfigError(
          fmt::format("{} '{}' has no edges in the graph: nothing is known to complete from", what, name));
    return found;
  }
  [[nodiscard]] std::vector<Completion> entities(const CompleteRequest& request) const;
  [[nodiscard]] std::vector<Completion> relations(const CompleteRequest& request) const;
  struct Found {
    Triple fact;
    double distance = 0;
    bool known = false;
  };
  [[nodiscard]] std::vector<Completion> best(std::vector<Found> found, const char* asked,
                                             const CompleteRequest& request) const;
  [[nodiscard]] double scale_of(const char* asked) const;
};

// A missing head or tail: all entities are weighed, since a probability is a share of all.
std::vector<Completion> Completer::Impl::entities(const CompleteRequest& request) const {
  const RelationId relation = relation_named(*graph, request.relation);
  const bool tails = request.tail.empty();
  const EntityId given = tails ? entity(request.head, "head") : entity(request.tail, "tail");
  Restriction only;
  if (!request.having_relation.empty()) only.relation = relation_named(*graph, request.having_relation);
  if (!request.having_entity.empty()) only.entity = graph::entity_named(*graph, request.having_entity);
  const std::size_t all = tables.num_entities();
  std::vector<Found> found;
  for (const NearEntity& near :
       tails ? tables.nearest_tails(given, relation, all) : tables.nearest_heads(relation, given, all)) {
    if (!only.allows(*graph, near.entity)) continue;
    found.push_back(
        {tails ? Triple{given, relation, near.entity} : Triple{near.entity, relation, given}, near.distance});
  }
  return best(std::move(found), tails ? "tail" : "head", request);
}

std::vector<Completion> Completer::Impl::relations(const CompleteRequest& request) const {
  const EntityId head = entity(request.head, "head"), tail = entity(request.tail, "tail");
  std::vector<Found> found;
  for (RelationId relation = 0; relation < tables.num_relations(); ++relation)
    if (const Triple fact{head, relation, tail}; !graph->relation_name(relation).starts_with('~'))
      found.push_back({fact, tables.distance(fact)});
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.distance < b.distance; });
  return best(std::move(found), "relation", request);
}

// The first of them, with their share of what the graph does not hold.
std::vector<Completion> Completer::Impl::best(std::vector<Found> found, const char* asked,
                                              const CompleteRequest& request) const {
  const double scale = scale_of(asked);
  double sum = 0, nearest = 0;
  for (Found& one : found) one.known = graph->has_edge(one.fact);
  const auto first = std::find_if(found.begin(), found.end(), [](const Found& one) { return !one.known; });
  if (first != found.end()) nearest = first->distance;
  for (const Found& one : found)
    if (!one.known) sum += std::exp(-scale * (one.distance - nearest));
  std::vector<Completion> out;
  for (const Found& one : found) {
    if (out.size() == static_cast<std::size_t>(request.k)) break;
    if (one.known && !request.known) continue;
    Completion completion{named_hop(*graph, one.fact), one.distance, one.known};
    if (scale > 0 && !one.known) completion.probability = std::exp(-scale * (one.distance - nearest)) / sum;
    out.push_back(std::move(completion));
  }
  return out;
}

// 0 where the tables know none.
double Completer::Impl::scale_of(const char* asked) const {
  const auto& meta = tables.meta();
  if (!meta.contains("calibration")) return 0;
  return meta.at("calibration").at(asked).at("scale");
}

Completer::Completer(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Completer::Completer(Completer&&) noexcept = default;
Completer& Completer::operator=(Completer&&) noexcept = default;
Completer::~Completer() = default;

Completer Completer::open(const std::filesystem::path& database, int dim, const std::string& model) {
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  return open(store, std::make_shared<const graph::KnowledgeGraph>(store.load_graph()), dim, model);
}

Completer Completer::open(const graph::Store& store, std::shared_ptr<const graph::KnowledgeGraph> graph,
                          int dim, const std::string& model) {
  EmbeddingTables tables = EmbeddingTables::open_best(store, model, dim);
  return Completer(std::unique_ptr<const Impl>(new Impl{std::move(graph), std::move(tables)}));
}

std::vector<Completion> Completer::complete(const CompleteRequest& request) const {
  check(request);
  return request.relation.empty() ? impl_->relations(request) : impl_->entities(request);
}

}  // namespace kgwalk
