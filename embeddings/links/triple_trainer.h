// TransE training triple by triple: margin loss against one corrupted triple, lock-free on all threads
// (Hogwild: Recht, Re, Wright, Niu, NIPS 2011).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embeddings/links/embedding_model.h"

namespace kgwalk::embeddings {

/// Stochastic gradient descent on max(0, margin + d(positive) - d(corrupted)). Rows are read and written
/// without locks, so with several threads updates may overwrite each other and runs differ; on one thread a
/// run is bit-reproducible.
class TripleTrainer {
 public:
  /// Borrows `model` and `triples`, which must outlive the trainer. Bernoulli corruption picks the head with
  /// probability tph / (tph + hpt) of the relation (Wang et al., AAAI 2014), uniform with 1/2; the other end
  /// is drawn uniformly.
  TripleTrainer(const EmbeddingConfig& config, EmbeddingModel& model, std::span<const Triple> triples);

  /// One pass over all triples in the order that (seed, epoch) fixes. Returns the summed loss.
  double epoch(int epoch, float learning_rate);

 private:
  EmbeddingConfig config_;
  EmbeddingModel& model_;
  std::vector<Triple> triples_;  // reshuffled from the given order every epoch
  std::span<const Triple> given_;
  std::vector<std::uint32_t> head_chance_;  // [R] in 2^-32
};

}  // namespace kgwalk::embeddings
