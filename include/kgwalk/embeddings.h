// TransE embeddings of a knowledge graph: training into its database, and the trained tables as values.
//
// TransE makes a relation a translation: a fact (h, r, t) is good when the vector of h plus that of r lies
// near the vector of t (Bordes et al., NIPS 2013). The walker reads entities and relations through these
// tables.
//
// Example:
//   auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadWrite);
//   kgwalk::embeddings::GraphEmbeddingConfig config;
//   config.transe.dim = 128;
//   kgwalk::embeddings::embed_graph(store, config);
//
//   const auto graph = store.load_graph();
//   const auto tables = kgwalk::embeddings::TransETables::open(store, 128);
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

#include "kgwalk/graph_types.h"
#include "kgwalk/json.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"
#include "kgwalk/transe.h"

namespace kgwalk::embeddings {

using graph::EntityId;
using graph::RelationId;
using graph::Triple;

// What TransEConfig holds at first where a whole graph is embedded: 384 wide, batches of 1024.
[[nodiscard]] TransEConfig default_graph_transe();

struct GraphEmbeddingConfig {
  TransEConfig transe = default_graph_transe();
  double held_out = 0.01;  // share of facts left out of training to measure the tables; 0 = train on all
  bool weights = false;    // facts count by the weights that the graph's source gave them
  double checkpoint_every_s = 60;  // with a run folder
  template <class F>
  void fields(F& f) {
    f("transe", transe, "Model and training.");
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
  float distance = 0;  // under the norm of the training; 0 is nearest
  friend bool operator==(const NearEntity&, const NearEntity&) = default;
};

// Trained tables in memory: 4 DIM bytes an entity and a relation. They are copied from the store, which may
// be closed. Immutable and thread-safe. Entities are the ids of the graph that they were trained on, [0,
// num_entities()): names without an edge have no vector. An id beyond throws ConfigError.
class TransETables {
 public:
  // The tables that are `dim` wide; nullopt when the store has none. StoreError when they are damaged or were
  // made for another graph.
  [[nodiscard]] static std::optional<TransETables> open(const graph::Store& store, int dim);

  TransETables(TransETables&&) noexcept;
  TransETables& operator=(TransETables&&) noexcept;
  ~TransETables();

  [[nodiscard]] int dim() const noexcept;
  [[nodiscard]] std::uint32_t num_entities() const noexcept;
  [[nodiscard]] std::uint32_t num_relations() const noexcept;  // inverses included

  // How they were made: "config", "graph_checksum", "facts" (trained on), "loss" (of the last epoch),
  // "train_seconds", "train_cpu_seconds" (of all threads) and, with held_out > 0, "held_out": filtered ranks
  // of the facts left out, {"both", "head", "tail"} each with "mr", "mrr", "hits@1", "hits@3", "hits@10",
  // "ranks".
  [[nodiscard]] const Json& meta() const noexcept;

  // The vector of an entity or relation, [dim]; valid as long as this object.
  [[nodiscard]] std::span<const float> entity(EntityId entity) const;
  [[nodiscard]] std::span<const float> relation(RelationId relation) const;

  // |h + r - t| under the norm of the training: the smaller, the likelier the fact.
  [[nodiscard]] float distance(const Triple& triple) const;

  // The `count` entities nearest to h + r (the likeliest tails of (head, relation, ?)), to t - r (the
  // likeliest heads of (?, relation, tail)), or to an entity's own vector (that entity left out). Nearest
  // first, equally near ones by id; fewer when there are fewer. What the graph knows already is not left out.
  // Measures all entities: about 10 ms for 100,000 of width 384 on one core.
  [[nodiscard]] std::vector<NearEntity> nearest_tails(EntityId head, RelationId relation,
                                                      std::size_t count) const;
  [[nodiscard]] std::vector<NearEntity> nearest_heads(RelationId relation, EntityId tail,
                                                      std::size_t count) const;
  [[nodiscard]] std::vector<NearEntity> nearest_entities(EntityId entity, std::size_t count) const;

 private:
  struct Impl;
  explicit TransETables(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

// Trains TransE on the facts of the graph in `store` and stores the tables there as "transe/DIM/entities" and
// "transe/DIM/relations", replacing those of the same width; other widths stay. Returns them as they were
// stored. Inverse relations are not trained: they get the negated vector, which is exact for TransE, since h
// + r = t says t - r = h.
//
// run: folder for checkpoints and metrics. A training that was stopped there is resumed, and on one thread
//      ends with the bits of an unbroken one. Empty: nothing is kept before the end.
//
// Throws ConfigError (a value out of range, a graph without edges), StoreError (`store` is open for reading
// only), FormatError (`run` holds something else or another configuration), NumericError (the loss is not
// finite). On `stop`: Interrupted when `run` has what is needed to resume, else Stopped; the tables in
// `store` are then as before.
TransETables embed_graph(graph::Store& store, const GraphEmbeddingConfig& config = {},
                         const std::filesystem::path& run = {}, Reporter& reporter = silent_reporter(),
                         const StopFlag& stop = never_stop());

}  // namespace kgwalk::embeddings
