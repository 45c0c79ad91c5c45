// TransE tables of an ingested graph, kept in its database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "embeddings/transe/ranking.h"
#include "embeddings/transe/transe.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"
#include "runtime/run_folder.h"

namespace kgwalk::embeddings {

[[nodiscard]] TransEConfig default_graph_transe();

struct GraphEmbeddingConfig {
  TransEConfig transe = default_graph_transe();
  double held_out = 0.01;  // share of facts left out of training to measure the tables; 0 = train on all
  double checkpoint_every_s = 60;  // with a run folder
  template <class F>
  void fields(F& f) {
    f("transe", transe, "model and training");
    f("held_out", held_out, "share of facts kept for measuring").range(0, 0.5);
    f("checkpoint_every_s", checkpoint_every_s, "seconds between checkpoints").range(1, 1e6);
  }
};

/// Rows follow the graph's ids: entities with an edge, [num_connected, dim], and all relations,
/// [num_relations, dim].
struct GraphEmbedding {
  std::int64_t num_entities = 0, num_relations = 0;
  int dim = 0;
  std::vector<float> entities;
  std::vector<float> relations;
  Json meta;  // configuration, graph checksum, loss, held-out metrics, times
};

/// The facts of the graph without the inverses that ingestion adds: of each pair of a relation and its
/// inverse the one without a leading `~` (else the one with the smaller id) is kept.
[[nodiscard]] std::vector<Triple> forward_triples(const graph::KnowledgeGraph& graph);

/// Trains on forward facts; an inverse relation gets the negated vector, which is exact for TransE: h + r = t
/// says t - r = h. With `run` the training is checkpointed and resumed as in run_link_prediction, and
/// so it ends on `stop`.
[[nodiscard]] GraphEmbedding embed_graph(const graph::KnowledgeGraph& graph,
                                         const GraphEmbeddingConfig& config, const RunFolder* run,
                                         Reporter& reporter = silent_reporter(),
                                         const StopFlag& stop = never_stop());

/// Tables "transe/DIM/entities" and "transe/DIM/relations".
void store_graph_embedding(const GraphEmbedding& embedding, graph::Store& store);
/// nullopt when the store has none of this width; StoreError when they were made for another graph.
[[nodiscard]] std::optional<GraphEmbedding> load_graph_embedding(const graph::Store& store, int dim);

}  // namespace kgwalk::embeddings
