// MetaPaths (thesis 5.3.2): MP = [relation; tail], 2EMP [head; relation; tail], stage 2
// [relation; tail; distance].
//
// Relation ids: R relations, then eop (R), then bop (R + 1). Entity ids: E entities, then eop's (E). An
// entity's vector is [embedding; distance factors; trained columns] of width d'. As input, the vectors of a
// path's hops are gathered. As candidates they are never materialized: walker/network/candidate_scorer.h
// takes state_r . R[relation] from one product with the whole relation table and state_t . E[tail] by
// gathering each row once.
#pragma once

#include <string>

#include "kgwalk/embedding_config.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"
#include "walker/config.h"

namespace kgwalk::walker {

// Frozen vectors of the graph: shared by all models of a process, not part of checkpoints.
struct GraphTables {
  torch::Tensor entities;   // [E + 1, d' without the trained columns] float32, last row zero
  torch::Tensor relations;  // [R, d]
  // Whose vectors they are, and what `relations` are multiplied by to go with `entities` in its score.
  embeddings::EmbeddingKind kg_model = embeddings::EmbeddingKind::kTransE;
  double relation_scale = 1;
  std::int64_t kg_width = 0;       // columns of `entities` that are the embedding's; the others are factors
  torch::Tensor distance_partner;  // [E + 1, distance_width]: entities' distance columns times its rows give
                                   // the distances that the factors estimate; undefined without factors
  std::string checksum;  // of the tables as the store has them (or of what random ones are made from), so
                         // that it is the same on every processor; a run remembers it
};

// The store's tables of config.kg_model and config.kg_width, and "distance/<width>/left" when the
// configuration asks for distances; each scaled to rows of mean length one (and the partner of the
// distance columns against it). StoreError when a table is missing (names the command that makes it) or
// of another graph.
[[nodiscard]] GraphTables load_graph_tables(const graph::Store& store, const graph::KnowledgeGraph& graph,
                                            const MetaPathConfig& config);
// Normal vectors of length one, for tests and config.random_tables.
[[nodiscard]] GraphTables random_graph_tables(std::int64_t entities, std::int64_t relations,
                                              const MetaPathConfig& config, std::uint64_t seed);
// What edits brought after the tables were made, at the end of theirs: of an entity the mean of where its
// facts with entities of before put it by the model's own question for heads; zero for one without such
// facts. ConfigError for new relations, of which a model has no weights.
void add_new_entities(GraphTables& tables, const graph::KnowledgeGraph& graph);

// Ids of MetaPaths, int64 tensors of one shape. The start MetaPath [bop; start] has relation bop and, as tail
// and head, the start entity.
struct MetaPathIds {
  torch::Tensor relations, tails, heads;
  [[nodiscard]] MetaPathIds to(torch::Device device) const {
    return {on(device, relations), on(device, tails), on(device, heads)};
  }
};

class MetaPathTablesImpl : public torch::nn::Module, public KeepsTensors {
 public:
  MetaPathTablesImpl(const MetaPathConfig& config, GraphTables tables);

  void move_kept(torch::Device device) override;

  // Concatenated vectors of MetaPaths: [...] -> [..., width()].
  torch::Tensor vectors(const MetaPathIds& ids);
  // Vectors of entities alone: [...] -> [..., d'].
  torch::Tensor entity_vectors(const torch::Tensor& ids);
  // The relation table with eop and bop: [R + 2, d].
  torch::Tensor relation_table();

  [[nodiscard]] std::int64_t width() const;  // of a whole MetaPath
  // The layer between MetaPaths and the network, in one direction or the other; none with projected=false,
  // where both must have one width (ConfigError).
  [[nodiscard]] seq2seq::Linear projection(std::int64_t inputs, std::int64_t outputs) const;
  [[nodiscard]] std::int64_t relation_width() const { return tables_.relations.size(1); }
  [[nodiscard]] std::int64_t frozen_width() const { return tables_.entities.size(1); }
  [[nodiscard]] std::int64_t entity_width() const { return frozen_width() + config_.trained_width; }
  [[nodiscard]] std::int64_t num_relations() const { return tables_.relations.size(0); }
  [[nodiscard]] std::int64_t num_entities() const { return tables_.entities.size(0) - 1; }
  [[nodiscard]] std::int64_t bop() const { return num_relations() + 1; }
  [[nodiscard]] const torch::Tensor& frozen_entities() const { return tables_.entities; }
  [[nodiscard]] const MetaPathConfig& config() const { return config_; }

  torch::Tensor
      relations;  // [R, d] trained copy of the embedding's; undefined when config.train_relations is false
  torch::Tensor special;           // [2, d] relation parts of eop and bop
  torch::Tensor eop;               // [d'] entity part of eop as a candidate
  torch::Tensor eop_head;          // [d'] head part of eop (2EMP only)
  torch::Tensor trained_entities;  // [E + 1, t]; undefined when t is 0

 private:
  MetaPathConfig config_;
  GraphTables tables_;
};
TORCH_MODULE(MetaPathTables);

}  // namespace kgwalk::walker
