#include "walker/network/metapath.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "embeddings/models/score_model.h"
#include "kgwalk/edits.h"
#include "kgwalk/embeddings.h"
#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/random_normals.h"
#include "runtime/tensor/tensor_io.h"

namespace kgwalk::walker {
namespace {

using torch::Tensor;

Tensor table_tensor(const graph::Store& store, const graph::KnowledgeGraph& graph, const std::string& name,
                    std::int64_t rows, const Remedy& make) {
  const auto table = store.get_table(name);
  if (!table) throw StoreError(store.path().string() + ": there is no table '" + name + "'", make);
  if (table->meta.contains("graph_checksum") && table->meta["graph_checksum"] != graph.checksum())
    throw StoreError(store.path().string() + ": table '" + name + "' was made for another graph", make);
  if (table->rows != rows)
    throw StoreError(store.path().string() + ": table '" + name + "' has " + std::to_string(table->rows) +
                     " rows, the graph needs " + std::to_string(rows));
  return torch::from_blob(const_cast<float*>(table->values.data()), {table->rows, table->columns},
                          torch::kFloat32)
      .clone();
}

// Tables cover the connected entities; the others get zeros, and so does eop's row at the end.
Tensor with_rows(const Tensor& table, std::int64_t rows) {
  Tensor whole = torch::zeros({rows, table.size(1)}, table.options());
  whole.slice(0, 0, table.size(0)).copy_(table);
  return whole;
}

// Rows of mean length one: the scale of a TransE training would otherwise be the scale of the scores
// at the start.
double mean_length(const Tensor& table, bool rescale) {
  if (!rescale) return 1;
  const double mean = table.norm(2, 1).mean().item<double>();
  return mean > 0 ? mean : 1;
}

Remedy remedy_for(const graph::Store& store, const MetaPathConfig& config) {
  Remedy embed{Remedy::kEmbed, store.path().string()};
  if (config.kg_model != embeddings::EmbeddingKind::kTransE)
    embed.arguments.emplace_back("model", std::string(config.kg_model.name()));
  embed.arguments.emplace_back("dim", std::to_string(config.kg_width));
  return embed;
}

// Where the facts of an entity with entities of before put it, in the mean; nothing for one without any. The
// inverse relation asks for what the relation itself has as its heads.
Tensor place_of(const GraphTables& tables, const Tensor& relations, const graph::KnowledgeGraph& graph,
                graph::EntityId entity, graph::EntityId connected) {
  const embeddings::ScoreModel& score = embeddings::score_model(tables.kg_model);
  const auto width = static_cast<std::size_t>(tables.kg_width);
  const auto row = [width](const Tensor& table, std::int64_t id) {
    return std::span<const float>(table.data_ptr<float>() + id * table.stride(0), width);
  };
  std::vector<float> point(width), sum(width);
  std::int64_t known = 0;
  for (const graph::Edge& edge : graph.out_edges(entity)) {
    if (edge.tail >= connected) continue;
    const graph::RelationId inverse = graph.inverse(edge.relation);
    const auto side = inverse == edge.relation ? embeddings::Side::kHead : embeddings::Side::kTail;
    score.ask(row(tables.entities, edge.tail), row(relations, inverse), side, point);
    for (std::size_t j = 0; j < width; ++j) sum[j] += point[j];
    ++known;
  }
  if (known == 0) return {};
  return torch::tensor(sum) / known;
}

}  // namespace

GraphTables load_graph_tables(const graph::Store& store, const graph::KnowledgeGraph& graph,
                              const MetaPathConfig& config) {
  const std::string prefix = embeddings::StoredEmbedding{config.kg_model, config.kg_width}.name() + "/";
  const Remedy embed = remedy_for(store, config);
  const graph::BaseSize base = graph::base_size(graph);
  const Tensor entities = table_tensor(store, graph, prefix + "entities", base.connected, embed);
  const Tensor relations = table_tensor(store, graph, prefix + "relations", base.relations, embed);
  const auto scale_of = [&](const Tensor& table) { return mean_length(table, config.rescale); };
  // Checksum of what is stored: the scaled tables differ in their last bits from one kind of processor to
  // another.
  NamedTensors stored{{"entities", entities}, {"relations", relations}};
  GraphTables tables;
  tables.kg_model = config.kg_model;
  tables.kg_width = config.kg_width;
  tables.entities =
      with_rows(entities / scale_of(entities), static_cast<std::int64_t>(graph.num_entities()) + 1);
  tables.relations = relations / scale_of(relations);
  const bool added = embeddings::score_model(config.kg_model).additive();
  tables.relation_scale = scale_of(relations) / (added ? scale_of(entities) : 1);
  if (config.distance_width > 0) {
    const std::string width = std::to_string(config.distance_width);
    const Remedy factorize{Remedy::kFactorizeDistances, store.path().string(), {{"rank", width}}};
    const Tensor left = table_tensor(store, graph, "distance/" + width + "/left", base.connected, factorize);
    const Tensor right =
        table_tensor(store, graph, "distance/" + width + "/right", base.connected, factorize);
    const std::int64_t rows = tables.entities.size(0);
    tables.entities = torch::cat({tables.entities, with_rows(left / scale_of(left), rows)}, 1);
    tables.distance_partner = with_rows(right * scale_of(left), rows);
    stored.emplace("left", left);
    stored.emplace("right", right);
  }
  tables.checksum = checksum_of(stored);
  return tables;
}

void add_new_entities(GraphTables& tables, const graph::KnowledgeGraph& graph) {
  const graph::BaseSize base = graph::base_size(graph);
  if (graph.num_relations() != base.relations)
    throw ConfigError(
        "edits of the graph brought new relations, of which this model has no weights; train again");
  const auto rows = static_cast<std::int64_t>(graph.num_entities()) + 1;
  tables.entities = with_rows(tables.entities.slice(0, 0, base.entities), rows);
  if (tables.distance_partner.defined())
    tables.distance_partner = with_rows(tables.distance_partner.slice(0, 0, base.entities), rows);
  const Tensor relations = (tables.relations * tables.relation_scale).contiguous();
  for (graph::EntityId e = base.connected; e < graph.num_entities() && tables.kg_width > 0; ++e) {
    const Tensor place = place_of(tables, relations, graph, e, base.connected);
    if (place.defined()) tables.entities[e].slice(0, 0, tables.kg_width).copy_(place);
  }
}

GraphTables random_graph_tables(std::int64_t entities, std::int64_t relations, const MetaPathConfig& config,
                                std::uint64_t seed) {
  Random random(seed);
  const auto fill = [&](std::int64_t rows, std::int64_t columns) {
    Tensor table = torch::empty({rows, columns});
    float* data = table.data_ptr<float>();
    const double scale = 1 / std::sqrt(static_cast<double>(columns));
    std::vector<double> row(static_cast<std::size_t>(columns));
    for (std::int64_t i = 0; i < rows; ++i) {
      fill_normal(random, row);
      for (const double value : row) *data++ = static_cast<float>(value * scale);
    }
    return table;
  };
  GraphTables tables;
  tables.kg_model = config.kg_model;
  tables.kg_width = config.kg_width;
  tables.entities = with_rows(fill(entities, config.kg_width + config.distance_width), entities + 1);
  tables.relations = fill(relations, config.kg_width);
  if (config.distance_width > 0)
    tables.distance_partner = with_rows(fill(entities, config.distance_width), entities + 1);
  tables.checksum = checksum_of(fmt::format("random tables 1: {} {} {} {} {}", entities, relations,
                                            config.kg_width, config.distance_width, seed));
  return tables;
}

MetaPathTablesImpl::MetaPathTablesImpl(const MetaPathConfig& config, GraphTables tables)
    : config_(config), tables_(std::move(tables)) {
  const std::int64_t d = relation_width();
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  if (config_.train_relations) relations = register_parameter("relations", tables_.relations.clone());
  special = register_parameter("special", torch::randn({2, d}) * scale);
  eop = register_parameter("eop", torch::randn({entity_width()}) * scale);
  if (config_.head) eop_head = register_parameter("eop_head", torch::randn({entity_width()}) * scale);
  if (config_.trained_width > 0)
    trained_entities =
        register_parameter("trained_entities", torch::zeros({num_entities() + 1, config_.trained_width}));
}

void MetaPathTablesImpl::move_kept(torch::Device device) {
  tables_.entities = on(device, tables_.entities);
  tables_.relations = on(device, tables_.relations);
}

std::int64_t MetaPathTablesImpl::width() const {
  return relation_width() + entity_width() * (config_.head ? 2 : 1);
}

seq2seq::Linear MetaPathTablesImpl::projection(std::int64_t inputs, std::int64_t outputs) const {
  if (config_.projected) return seq2seq::Linear(inputs, outputs);
  if (inputs != outputs)
    throw ConfigError("metapath.projected=false: MetaPaths are " + std::to_string(width()) +
                      " wide, so the network must be as wide (encoder.width and decoder.width), not " +
                      std::to_string(inputs == width() ? outputs : inputs));
  return nullptr;
}

Tensor MetaPathTablesImpl::entity_vectors(const Tensor& ids) {
  const Tensor flat = ids.reshape({-1});
  Tensor rows = tables_.entities.index_select(0, flat);  // [.., frozen]
  if (trained_entities.defined()) rows = torch::cat({rows, trained_entities.index_select(0, flat)}, 1);
  std::vector<std::int64_t> shape = ids.sizes().vec();
  shape.push_back(entity_width());
  return rows.view(shape);
}

Tensor MetaPathTablesImpl::relation_table() {
  return torch::cat({relations.defined() ? relations : tables_.relations, special}, 0);  // [R + 2, d]
}

Tensor MetaPathTablesImpl::vectors(const MetaPathIds& ids) {
  std::vector<std::int64_t> shape = ids.relations.sizes().vec();
  shape.push_back(relation_width());
  const Tensor relation =
      relation_table().index_select(0, ids.relations.reshape({-1})).view(shape);  // [..., d]
  std::vector<Tensor> parts{relation, entity_vectors(ids.tails)};
  if (config_.head) parts.insert(parts.begin(), entity_vectors(ids.heads));
  return torch::cat(parts, -1);
}

}  // namespace kgwalk::walker
