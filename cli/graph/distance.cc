// kgwalk distance: hops between two entities, and one shortest path.
#include <optional>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
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

void run(const DistanceOptions& options, Common& common) {
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  const EntityId from = graph::entity_named(graph, options.from), to = graph::entity_named(graph, options.to);
  const auto path = graph::shortest_path(graph, from, to);
  const std::optional<graph::DistanceIndex> index = graph::DistanceIndex::load(store);
  const std::size_t hops = path ? path->size() : graph::kUnreachable;
  if (index && index->distance(from, to) != hops)
    throw StoreError(options.database + ": the stored distance index is wrong for this pair",
                     Remedy{Remedy::kIndexDistances, options.database});
  Json json = {{"from", graph.entity_name(from)}, {"to", graph.entity_name(to)}};
  if (!path) {
    print("no path leads from {} to {}\n", graph.entity_name(from), graph.entity_name(to));
    json["distance"] = nullptr;
    return common.write_json(json);
  }
  json["distance"] = hops;
  json["path"] = Json::array();
  print("{}\n{}", hops, graph.entity_name(from));
  for (const graph::Triple& hop : *path) {
    const std::string_view relation = graph.relation_name(hop.relation), tail = graph.entity_name(hop.tail);
    json["path"].push_back({graph.entity_name(hop.head), relation, tail});
    print(" -[{}]-> {}", relation, tail);
  }
  print_text("\n");
  common.write_json(json);
}

Verb add_distance(CLI::App& app, Common& common) {
  auto options = std::make_shared<DistanceOptions>();
  app.add_option("--db", options->database, "database made by kgwalk ingest")->required();
  app.add_option("--from", options->from, "name of an entity")->required();
  app.add_option("--to", options->to, "name of an entity")->required();
  return [options, &common] { run(*options, common); };
}

const Registration kDistanceCommand({.name = "distance",
                                     .help = "the distance of two entities and a shortest path",
                                     .example = "--db films.db --from \"Iron Man\" --to \"Jon Favreau\"",
                                     .add = add_distance,
                                     .group = Group::kGraph,
                                     .place = 6});

}  // namespace
}  // namespace kgwalk::cli
