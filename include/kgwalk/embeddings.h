// Embeddings of a knowledge graph: training into its database, and the trained tables as values.
//
// A model scores facts (h, r, t) by vectors of entities and relations: TransE by how far h + r lies from t,
// ComplEx, RotatE and DistMult by products and rotations (kgwalk/embedding_config.h). The walker reads
// entities and relations through these tables, whichever model made them.
//
// Example:
//   auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadWrite);
//   kgwalk::embeddings::GraphEmbeddingConfig config;
//   config.embedding = kgwalk::embeddings::default_graph_embedding("complex");
//   config.embedding.dim = 128;
//   kgwalk::embeddings::embed_graph(store, config);
//
//   const auto graph = store.load_graph();
//   const auto tables = kgwalk::embeddings::EmbeddingTables::open(store, "complex", 128);
//   const auto film = graph.find_entity("Iron Man");
//   const auto directed_by = graph.find_relation("directed_by");
//   if (!tables || !film || !directed_by) return;
//   for (const auto& found : tables->nearest_tails(*film, *directed_by, 5))
//     std::cout << graph.entity_name(found.entity) << ' ' << found.distance << '\n';
//
// Training uses all threads of kgwalk/threads.h. The same seed on one thread gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/embedding_config.h"
#include "kgwalk/graph_types.h"
#include "kgwalk/json.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"

namespace kgwalk::embeddings {

using graph::EntityId;
using graph::RelationId;
using graph::Triple;

// What EmbeddingConfig holds at first where a whole graph is embedded: 384 wide, and what suits the kind.
[[nodiscard]] EmbeddingConfig default_graph_embedding(Choice<EmbeddingKind> kind = EmbeddingKind::kTransE);

struct GraphEmbeddingConfig {
  EmbeddingConfig embedding = default_graph_embedding();
  double held_out = 0.01;  // share of facts left out of training to measure the tables; 0 = train on all
  bool weights = false;    // facts count by the weights that the graph's source gave them
  double checkpoint_every_s = 60;  // with a run folder
  template <class F>
  void fields(F& f) {
    f("embedding", embedding, "Model and training.").formerly("transe");
    f("held_out", held_out, "Share of the facts that is kept out of training and ranked at the end.")
        .range(0, 0.5);
    f("weights", weights,
      "Facts count by the weights that the graph's source gave them; needs shared negatives.");
    f("checkpoint_every_s", checkpoint_every_s,
      "Seconds between two checkpoints, where there is a run folder.")
        .range(1, 1e6);
  }
};

struct NearEntity {
  EntityId entity = 0;
  float distance = 0;  // as of EmbeddingTables::distance(): the smaller, the nearer
  friend bool operator==(const NearEntity&, const NearEntity&) = default;
};

// Tables that a store has.
struct StoredEmbedding {
  Choice<EmbeddingKind> kind = EmbeddingKind::kTransE;
  int dim = 0;
  std::optional<double> mrr = {};  // of the facts held out; nothing where there were none
  // What the names of its tables begin with: "complex/128" of "complex/128/entities",
  // "complex/128/relations".
  [[nodiscard]] std::string name() const;
};

// All of them, the best first: by their MRR, then the wider. They may have been made for another graph, which
// EmbeddingTables::open() tells.
[[nodiscard]] std::vector<StoredEmbedding> stored_embeddings(const graph::Store& store);

// Trained tables in memory: 4 DIM bytes an entity and a relation. They are copied from the store, which may
// be closed. Immutable and thread-safe. Entities are the ids of the graph that they were trained on, [0,
// num_entities()): names without an edge have no vector. An id beyond throws ConfigError.
class EmbeddingTables {
 public:
  // The tables of this kind that are `dim` wide; nullopt when the store has none. StoreError when they are
  // damaged or were made for another graph.
  [[nodiscard]] static std::optional<EmbeddingTables> open(const graph::Store& store,
                                                           Choice<EmbeddingKind> kind, int dim);
  // The best ones (stored_embeddings()) of this kind and width; of any where `kind` is empty, `dim` 0.
  // StoreError where there are none, ConfigError for a kind that does not exist.
  [[nodiscard]] static EmbeddingTables open_best(const graph::Store& store, const std::string& kind = {},
                                                 int dim = 0);

  EmbeddingTables(EmbeddingTables&&) noexcept;
  EmbeddingTables& operator=(EmbeddingTables&&) noexcept;
  ~EmbeddingTables();

  [[nodiscard]] Choice<EmbeddingKind> kind() const noexcept;
  [[nodiscard]] int dim() const noexcept;
  [[nodiscard]] std::uint32_t num_entities() const noexcept;
  [[nodiscard]] std::uint32_t num_relations() const noexcept;  // inverses included

  // How they were made: "config", "graph_checksum", "facts" (trained on), "loss" (of the last epoch),
  // "train_seconds", "train_cpu_seconds" (of all threads) and, with held_out > 0, "held_out": filtered ranks
  // of the facts left out, {"both", "head", "tail"} each with "mr", "mrr", "hits@1", "hits@3", "hits@10",
  // "ranks".
  [[nodiscard]] const Json& meta() const noexcept;

  // The vector of an entity or relation, [dim]; valid as long as this object. Complex vectors have their real
  // parts in the first half and their imaginary ones in the second.
  [[nodiscard]] std::span<const float> entity(EntityId entity) const;
  [[nodiscard]] std::span<const float> relation(RelationId relation) const;

  // The smaller, the likelier the fact: of TransE |h + r - t| under the norm of the training, of RotatE
  // |h r - t|; of ComplEx and DistMult the score with its sign changed, which may be negative.
  [[nodiscard]] float distance(const Triple& triple) const;

  // The `count` likeliest tails of (head, relation, ?) or heads of (?, relation, tail), by distance(), or the
  // entities whose vectors lie nearest to an entity's own (that entity left out). Nearest first, equally near
  // ones by id; fewer when there are fewer. What the graph knows already is not left out. Measures all
  // entities: about 10 ms for 100,000 of width 384 on one core.
  [[nodiscard]] std::vector<NearEntity> nearest_tails(EntityId head, RelationId relation,
                                                      std::size_t count) const;
  [[nodiscard]] std::vector<NearEntity> nearest_heads(RelationId relation, EntityId tail,
                                                      std::size_t count) const;
  [[nodiscard]] std::vector<NearEntity> nearest_entities(EntityId entity, std::size_t count) const;

 private:
  struct Impl;
  explicit EmbeddingTables(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

// Trains on the facts of the graph in `store` and stores the tables there as "KIND/DIM/entities" and
// "KIND/DIM/relations", replacing those of the same kind and width; others stay. Returns them as they were
// stored. Inverse relations are not trained: they get the vector that says the same backwards (TransE: the
// negated one). With reciprocal relations they are, by the questions for heads.
//
// run: folder for checkpoints and metrics. A training that was stopped there is resumed, and on one thread
//      ends with the bits of an unbroken one. Empty: nothing is kept before the end.
//
// Throws ConfigError (a value out of range, a graph without edges), StoreError (`store` is open for reading
// only), FormatError (`run` holds something else or another configuration), NumericError (the loss is not
// finite). On `stop`: Interrupted when `run` has what is needed to resume, else Stopped; the tables in
// `store` are then as before.
EmbeddingTables embed_graph(graph::Store& store, const GraphEmbeddingConfig& config = {},
                            const std::filesystem::path& run = {}, Reporter& reporter = silent_reporter(),
                            const StopFlag& stop = never_stop());

}  // namespace kgwalk::embeddings
