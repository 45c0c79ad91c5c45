// Low-rank factors of the matrix of all hop distances: the distance of a and b is about left(a) . right(b),
// and the row of an entity is its distance embedding, by which the walker tells what lies nearer to a goal.
//
// Randomized truncated SVD (Halko, Martinsson, Tropp, SIAM Review 53, 2011) of distances that are streamed:
// the full matrix is never held. For exact distances see kgwalk/distances.h.
//
// Example:
//   auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadWrite);
//   const auto report = kgwalk::embeddings::factorize_distances(store, {.rank = 64});
//   std::cout << "off by " << report.rmse << " hops\n";
//
//   const auto tables = kgwalk::embeddings::DistanceTables::open(store, 64);
//   if (tables) std::cout << tables->estimate(0, 1) << " hops from entity 0 to entity 1\n";
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "kgwalk/graph_types.h"
#include "kgwalk/json.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"

namespace kgwalk::embeddings {

struct DistanceFactorsConfig {
  int rank = 256;
  int oversampling = 32;
  int power_iterations = 1;
  int rows = -1;              // of all distances that are factorized; 0: all, -1: see rows_of()
  int sample_vertices = 500;  // v of the quality sample
  int sample_pairs = 400;     // pairs (a, b) of unequal distance a v
  std::uint64_t seed = 1;
  // Rows that are drawn of so many entities with an edge; 0: all are taken.
  [[nodiscard]] std::int64_t rows_of(std::int64_t entities) const;
  template <class F>
  void fields(F& f) {
    f("rank", rank, "Number of columns of the factors.").range(1, 4096);
    f("oversampling", oversampling, "Number of extra columns while the factors are iterated.").range(0, 4096);
    f("power_iterations", power_iterations,
      "Number of passes over all distances beyond the two that are needed.")
        .range(0, 20);
    f("rows", rows,
      "Number of entities, drawn by chance, whose distances are factorized in place of all; 0 is all, -1 is "
      "all up to "
      "100,000 entities and sixteen times the rank above, 1,024 at least.")
        .range(-1, 1e6);
    f("sample_vertices", sample_vertices, "Number of vertices in the sample that quality is measured on.")
        .range(1, 1e6);
    f("sample_pairs", sample_pairs, "Number of pairs for each vertex of the quality sample.").range(1, 1e6);
    f("seed", seed, "Seed of the random start and of the quality sample.");
  }
};

struct DistanceFactorsReport {
  std::int64_t vertices = 0;
  int longest = 0;            // largest finite distance
  double absent = 0;          // the value that unreachable pairs take: longest + 1
  double absent_share = 0;    // of all ordered pairs
  std::int64_t rows = 0;      // that were factorized; 0: all
  double relative_error = 0;  // |D - L R^T|_F / |D|_F: over all pairs (by Pythagoras on the singular values),
                              // or, of sampled rows, over rows of other entities
  double rmse = 0;            // the same per entry
  double exact_share = 0;     // sampled entries that rounding gives back exactly
  double order_agreement =
      0;  // sampled triples (v, a, b), d(v,a) != d(v,b), whose nearer one the factors tell
  std::int64_t sampled_triples = 0;
  double seconds = 0, cpu_seconds = 0;
  [[nodiscard]] Json to_json() const;
};

// Factorizes the distances of the graph in `store` and stores the factors there as "distance/RANK/left" and
// "distance/RANK/right", replacing those of the same rank.
//
// Streams all distances power_iterations + 3 times, or takes those of config.rows entities once, and needs
// about 4 (rank + oversampling) floats an entity with an edge. Uses all threads of kgwalk/threads.h; the
// result does not depend on their number beyond rounding.
//
// Throws ConfigError (a value out of range, a rank above the number of entities with an edge), StoreError
// (`store` is open for reading only), Error (a distance of 255 hops or more). On `stop` Stopped, and `store`
// is as before.
DistanceFactorsReport factorize_distances(graph::Store& store, const DistanceFactorsConfig& config = {},
                                          Reporter& reporter = silent_reporter(),
                                          const StopFlag& stop = never_stop());

// Stored factors in memory: 8 RANK bytes an entity. They are copied from the store, which may be closed.
// Immutable and thread-safe. Entities are those with an edge, [0, num_entities()); an id beyond throws
// ConfigError.
class DistanceTables {
 public:
  // The factors of this rank; nullopt when the store has none. StoreError when they are damaged or were made
  // for another graph.
  [[nodiscard]] static std::optional<DistanceTables> open(const graph::Store& store, int rank);

  DistanceTables(DistanceTables&&) noexcept;
  DistanceTables& operator=(DistanceTables&&) noexcept;
  ~DistanceTables();

  [[nodiscard]] int rank() const noexcept;
  [[nodiscard]] std::uint32_t num_entities() const noexcept;
  [[nodiscard]] const Json& meta() const noexcept;  // "config", "report", "graph_checksum"

  // Rows of the two factors, [rank]; valid as long as this object. The left one is the distance embedding.
  [[nodiscard]] std::span<const float> left(graph::EntityId entity) const;
  [[nodiscard]] std::span<const float> right(graph::EntityId entity) const;

  // left(a) . right(b): hops from a to b, estimated; about DistanceFactorsReport::absent where no path joins
  // them.
  [[nodiscard]] float estimate(graph::EntityId a, graph::EntityId b) const;

 private:
  struct Impl;
  explicit DistanceTables(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

}  // namespace kgwalk::embeddings
