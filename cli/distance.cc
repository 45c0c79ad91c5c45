// kgwalk distance: hops between two entities, and one shortest path.
#include <optional>

#include "cli/commands.h"
#include "cli/print.h"
#include "graph/entity_named.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"

namespace kgwalk::cli {
namespace {

using graph::EntityId;

struct DistanceOptions {
  std::string database, from, to;
};

// Entities of a shortest path, both ends included; empty when there is none.
std::vector<EntityId> shortest_path(const graph::KnowledgeGraph& graph, EntityId from, EntityId to) {
  constexpr EntityId kNobody = 0xffffffffu;
  // Searched from the goal, so that parents lead forward.
  std::vector<EntityId> towards(graph.num_entities(), kNobody);
  std::vector<EntityId> queue{to};
  towards[to] = to;
  for (std::size_t i = 0; i < queue.size() && towards[from] == kNobody; ++i)
    for (const EntityId w : graph.neighbors(queue[i]))
      if (towards[w] == kNobody) {
        towards[w] = queue[i];
        queue.push_back(w);
      }
  std::vector<EntityId> path;
  if (towards[from] == kNobody) return path;
  for (EntityId v = from; v != to; v = towards[v]) path.push_back(v);
  path.push_back(to);
  return path;
}

// The first relation that leads from one entity to the other.
std::string_view relation_between(const graph::KnowledgeGraph& graph, EntityId from, EntityId to) {
  for (const graph::Edge& edge : graph.out_edges(from))
    if (edge.tail == to) return graph.relation_name(edge.relation);
  return "";
}

void run(const DistanceOptions& options, Common& common) {
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  const EntityId from = graph::entity_named(graph, options.from), to = graph::entity_named(graph, options.to);
  const std::vector<EntityId> path = shortest_path(graph, from, to);
  const std::optional<graph::DistanceIndex> index = graph::DistanceIndex::load(store);
  const std::size_t hops = path.empty() ? graph::kUnreachable : path.size() - 1;
  if (index && index->distance(from, to) != hops)
    throw StoreError(options.database + ": the stored distance index is wrong for this pair",
                     Remedy{Remedy::kIndexDistances, options.database});
  Json json = {{"from", graph.entity_name(from)}, {"to", graph.entity_name(to)}};
  if (path.empty()) {
    print("no path leads from {} to {}\n", graph.entity_name(from), graph.entity_name(to));
    json["distance"] = nullptr;
    return common.write_json(json);
  }
  json["distance"] = hops;
  json["path"] = Json::array();
  print("{}\n{}", hops, graph.entity_name(from));
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const std::string relation(relation_between(graph, path[i], path[i + 1]));
    json["path"].push_back({graph.entity_name(path[i]), relation, graph.entity_name(path[i + 1])});
    print(" -[{}]-> {}", relation, graph.entity_name(path[i + 1]));
  }
  print_text("\n");
  common.write_json(json);
}

}  // namespace

Verb add_distance(CLI::App& app, Common& common) {
  auto options = std::make_shared<DistanceOptions>();
  app.add_option("--db", options->database, "database made by kgwalk ingest")->required();
  app.add_option("--from", options->from, "name of an entity")->required();
  app.add_option("--to", options->to, "name of an entity")->required();
  return [options, &common] { run(*options, common); };
}

}  // namespace kgwalk::cli
