// kgwalk stats: what a database holds.
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "kgwalk/edits.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"

namespace kgwalk::cli {
namespace {

struct StatsOptions {
  std::string database;
  std::size_t top = 10;
};

// Out-degrees of connected entities: mean, percentiles, and the hubs.
Json degrees(const graph::KnowledgeGraph& graph, std::size_t top) {
  std::vector<std::pair<std::uint64_t, graph::EntityId>> all;
  for (graph::EntityId v = 0; v < graph.num_connected(); ++v) all.emplace_back(graph.out_edges(v).size(), v);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  if (all.empty()) return Json::object();
  const auto at = [&](double share) {
    return all[static_cast<std::size_t>((1 - share) * static_cast<double>(all.size() - 1))].first;
  };
  Json hubs = Json::array();
  for (std::size_t i = 0; i < std::min(top, all.size()); ++i)
    hubs.push_back({{"entity", graph.entity_name(all[i].second)}, {"edges", all[i].first}});
  return {{"mean", static_cast<double>(graph.num_edges()) / static_cast<double>(all.size())},
          {"median", at(0.5)},
          {"p90", at(0.9)},
          {"p99", at(0.99)},
          {"max", all.front().first},
          {"hubs", hubs}};
}

// Edges by power of two of their head's degree: {"1": entities of degree 1, "2": of 2 to 3, "4": of 4
// to 7, ...}.
Json degree_distribution(const graph::KnowledgeGraph& graph) {
  std::map<std::uint64_t, std::uint64_t> bins;
  for (graph::EntityId v = 0; v < graph.num_connected(); ++v)
    ++bins[std::bit_floor(graph.out_edges(v).size())];
  Json json = Json::object();
  for (const auto& [low, count] : bins) json[std::to_string(low)] = count;
  return json;
}

Json relations(const graph::KnowledgeGraph& graph, std::size_t top) {
  std::vector<std::uint64_t> uses(graph.num_relations(), 0);
  for (const graph::Edge& edge : graph.edges()) ++uses[edge.relation];
  std::vector<graph::RelationId> order(graph.num_relations());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return uses[a] > uses[b]; });
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(top, order.size()); ++i)
    list.push_back({{"relation", graph.relation_name(order[i])}, {"edges", uses[order[i]]}});
  return list;
}

Json stored(const graph::Store& store) {
  Json json = Json::object();
  json["tables"] = store.table_names();
  json["blobs"] = store.blob_names();
  return json;
}

void print_names(const char* title, const Json& list) {
  std::string line;
  for (const Json& name : list) line += (line.empty() ? "" : ", ") + name.get<std::string>();
  print("{:<12} {}\n", title, line.empty() ? "none" : line);
}

void print_all(const Json& all) {
  const Json& counts = all["meta"]["counts"];
  print("entities     {}, {} of them with edges\n", counted(counts["entities"]),
        counted(counts["connected_entities"]));
  print("relations    {}, {} of them in use\n", counted(counts["relations"]),
        counted(counts["relations_in_use"]));
  print("edges        {}, inverses included; {} self-loops; {} known from annotations only\n",
        counted(counts["edges"]), counted(counts["self_loops"]), counted(counts["annotation_only"]));
  const Json& degree = all["degrees"];
  if (!degree.empty())
    print("out-edges    mean {:.2f}, median {}, 90 % {}, 99 % {}, most {}\n", degree["mean"].get<double>(),
          counted(degree["median"]), counted(degree["p90"]), counted(degree["p99"]), counted(degree["max"]));
  print_text("degrees      ");
  for (const auto& bin : all["degree_distribution"].items())
    print("{}+:{} ", bin.key(), counted(bin.value()));
  print_text("\nhubs\n");
  if (!degree.empty())
    for (const Json& hub : degree["hubs"])
      print("  {:>8}  {}\n", counted(hub["edges"]), hub["entity"].get<std::string>());
  print_text("relations by edges\n");
  for (const Json& relation : all["relations"])
    print("  {:>8}  {}\n", counted(relation["edges"]), relation["relation"].get<std::string>());
  for (const auto& split : counts["splits"].items())
    print("{:<12} {} dialogues, {} messages, {} paths\n", split.key(), counted(split.value()["dialogues"]),
          counted(split.value()["messages"]), counted(split.value()["paths"]));
  print_names("tables", all["stored"]["tables"]);
  print_names("blobs", all["stored"]["blobs"]);
  print("checksum     {}\n", all["meta"]["graph_checksum"].get<std::string>());
}

// What ingestion counted, and of an edited graph what can be counted now.
Json meta_of(const graph::Store& store, const graph::KnowledgeGraph& graph) {
  Json meta = store.meta();
  const std::uint64_t last = graph::last_edit(graph);
  if (last == 0) return meta;
  std::uint64_t connected = 0, loops = 0, annotation_only = 0;
  std::vector<bool> used(graph.num_relations(), false);
  for (graph::EntityId e = 0; e < graph.num_connected(); ++e) {
    connected += graph.out_edges(e).empty() ? 0 : 1;
    for (const graph::Edge& edge : graph.out_edges(e)) {
      loops += edge.tail == e ? 1 : 0;
      annotation_only += graph.annotation_only({e, edge.relation, edge.tail}) ? 1 : 0;
      used[edge.relation] = true;
    }
  }
  std::uint64_t entities = 0;
  for (graph::EntityId e = 0; e < graph.num_entities(); ++e) entities += graph.entity_name(e).empty() ? 0 : 1;
  meta["counts"].update({{"entities", entities},
                         {"connected_entities", connected},
                         {"relations", graph.num_relations()},
                         {"relations_in_use", std::count(used.begin(), used.end(), true)},
                         {"edges", graph.num_edges()},
                         {"self_loops", loops},
                         {"annotation_only", annotation_only}});
  meta["last_edit"] = last;
  return meta;
}

Verb add_stats(CLI::App& app, Common& common) {
  auto options = std::make_shared<StatsOptions>();
  app.add_option("--db", options->database, "database made by kgwalk ingest")->required();
  app.add_option("--top", options->top, "hubs and relations listed")->capture_default_str();
  return [options, &common] {
    const graph::Store store = graph::Store::open(options->database, graph::Store::Mode::kReadOnly);
    const graph::KnowledgeGraph graph = store.load_graph();
    const Json all = {{"meta", meta_of(store, graph)},
                      {"degrees", degrees(graph, options->top)},
                      {"degree_distribution", degree_distribution(graph)},
                      {"relations", relations(graph, options->top)},
                      {"stored", stored(store)}};
    print_all(all);
    common.write_json(all);
  };
}

const Registration kStatsCommand({.name = "stats",
                                  .help = "counts and degrees of the graph and its dialogues",
                                  .example = "--db films.db",
                                  .add = add_stats,
                                  .group = Group::kGraph,
                                  .place = 2});

}  // namespace
}  // namespace kgwalk::cli
