#include "kgwalk/complete.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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

using embeddings::NearEntity;
using embeddings::TransETables;
using graph::EntityId;
using graph::RelationId;
using graph::Triple;

constexpr int kMaxAnswers = 10'000;

// Of tables named "transe/DIM/entities"; 0 when there are none.
int widest_tables(const graph::Store& store) {
  constexpr std::string_view kBefore = "transe/", kAfter = "/entities";
  int widest = 0;
  for (const std::string& name : store.table_names()) {
    if (!name.starts_with(kBefore) || !name.ends_with(kAfter)) continue;
    int dim = 0;
    std::from_chars(name.data() + kBefore.size(), name.data() + name.size(), dim);
    widest = std::max(widest, dim);
  }
  return widest;
}

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
  TransETables tables;

  [[nodiscard]] EntityId entity(const std::string& name, std::string_view what) const {
    const EntityId found = graph::entity_named(*graph, name, what);
    if (found >= tables.num_entities())
      throw ConfigError(
          fmt::format("{} '{}' has no edges in the graph: nothing is known to complete from", what, name));
    return found;
  }
  [[nodiscard]] std::vector<Completion> entities(const CompleteRequest& request) const;
  [[nodiscard]] std::vector<Completion> relations(const CompleteRequest& request) const;
  [[nodiscard]] Completion completion(const Triple& fact, double distance) const {
    return {named_hop(*graph, fact), distance, graph->has_edge(fact)};
  }
};

// A missing head or tail. More are fetched until enough pass what is asked of them.
std::vector<Completion> Completer::Impl::entities(const CompleteRequest& request) const {
  const RelationId relation = relation_named(*graph, request.relation);
  const bool tails = request.tail.empty();
  const EntityId given = tails ? entity(request.head, "head") : entity(request.tail, "tail");
  Restriction only;
  if (!request.having_relation.empty()) only.relation = relation_named(*graph, request.having_relation);
  if (!request.having_entity.empty()) only.entity = graph::entity_named(*graph, request.having_entity);
  const std::size_t all = tables.num_entities(), wanted = static_cast<std::size_t>(request.k);
  std::vector<Completion> out;
  for (std::size_t count = std::min(all, 4 * wanted);; count = std::min(all, 8 * count)) {
    out.clear();
    const std::vector<NearEntity> near =
        tails ? tables.nearest_tails(given, relation, count) : tables.nearest_heads(relation, given, count);
    for (const NearEntity& found : near) {
      const Triple fact =
          tails ? Triple{given, relation, found.entity} : Triple{found.entity, relation, given};
      if (out.size() == wanted) break;
      if (!only.allows(*graph, found.entity) || (!request.known && graph->has_edge(fact))) continue;
      out.push_back(completion(fact, found.distance));
    }
    if (out.size() == wanted || count == all) return out;
  }
}

std::vector<Completion> Completer::Impl::relations(const CompleteRequest& request) const {
  const EntityId head = entity(request.head, "head"), tail = entity(request.tail, "tail");
  std::vector<Completion> out;
  for (RelationId relation = 0; relation < tables.num_relations(); ++relation) {
    const Triple fact{head, relation, tail};
    if (graph->relation_name(relation).starts_with('~') || (!request.known && graph->has_edge(fact)))
      continue;
    out.push_back(completion(fact, tables.distance(fact)));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Completion& a, const Completion& b) { return a.distance < b.distance; });
  out.resize(std::min(out.size(), static_cast<std::size_t>(request.k)));
  return out;
}

Completer::Completer(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Completer::Completer(Completer&&) noexcept = default;
Completer& Completer::operator=(Completer&&) noexcept = default;
Completer::~Completer() = default;

Completer Completer::open(const std::filesystem::path& database, int dim) {
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  return open(store, std::make_shared<const graph::KnowledgeGraph>(store.load_graph()), dim);
}

Completer Completer::open(const graph::Store& store, std::shared_ptr<const graph::KnowledgeGraph> graph,
                          int dim) {
  if (dim == 0) dim = widest_tables(store);
  std::optional<TransETables> tables;
  if (dim > 0) tables = TransETables::open(store, dim);
  if (!tables) {
    Remedy remedy{Remedy::kEmbed, store.path().string()};
    if (dim > 0) remedy.arguments.emplace_back("dim", std::to_string(dim));
    throw StoreError(fmt::format("{}: there are no TransE tables{}, which complete facts",
                                 store.path().string(), dim > 0 ? fmt::format(" {} wide", dim) : ""),
                     std::move(remedy));
  }
  return Completer(std::unique_ptr<const Impl>(new Impl{std::move(graph), std::move(*tables)}));
}

std::vector<Completion> Completer::complete(const CompleteRequest& request) const {
  check(request);
  return request.relation.empty() ? impl_->relations(request) : impl_->entities(request);
}

}  // namespace kgwalk
