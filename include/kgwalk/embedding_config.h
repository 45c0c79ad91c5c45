// What decides a training of embeddings: on the graph of a database (kgwalk/embeddings.h) or on a benchmark's
// files (kgwalk/link_prediction.h).
//
// Example:
//   kgwalk::embeddings::EmbeddingConfig config;
//   config = kgwalk::embeddings::default_embedding(kgwalk::embeddings::EmbeddingKind::kComplEx);
//   config.epochs = 10;
//   std::cout << config.model.name() << ", " << config.dim << " wide, " << config.loss.name() << '\n';
//
// Plain values: copied freely, no threads. A value out of its range is told by the training, as ConfigError
// that names every such value. What each option means and its range is said once, in fields();
// docs/reference/options.md lists them.
#pragma once

#include <cstdint>

#include "kgwalk/choice.h"

namespace kgwalk {
class Problems;  // private: gathers what is wrong with a configuration
}

namespace kgwalk::embeddings {

// How a fact (h, r, t) is scored. Vectors of complex and rotate are complex numbers, real parts first.
enum class EmbeddingKind {
  kTransE,    // the distance of h + r from t (Bordes et al., NIPS 2013)
  kComplEx,   // the real part of the sum of h r conj(t) (Trouillon et al., ICML 2016)
  kRotatE,    // the distance of h r from t, where r only turns (Sun et al., ICLR 2019)
  kDistMult,  // the sum of h r t (Yang et al., ICLR 2015)
};
constexpr auto choice_names(EmbeddingKind) {
  return choices_in_order<EmbeddingKind>("transe", "complex", "rotate", "distmult");
}

// Distance of a translated head from a tail: sums of absolute or squared differences, or the root of the
// latter.
enum class EmbeddingNorm { kL1, kL2, kL2Squared };
constexpr auto choice_names(EmbeddingNorm) {
  return choices_in_order<EmbeddingNorm>("l1", "l2", "l2_squared");
}

enum class EmbeddingLoss { kSoftmax, kSelfAdversarial, kMargin };
constexpr auto choice_names(EmbeddingLoss) {
  return choices_in_order<EmbeddingLoss>("softmax", "self_adversarial", "margin");
}

// Negatives: one set that a batch shares, one corrupted triple for each, or all entities.
enum class EmbeddingSampling { kShared, kPerTriple, kAll };
constexpr auto choice_names(EmbeddingSampling) {
  return choices_in_order<EmbeddingSampling>("shared", "per_triple", "all");
}

// Which end is corrupted: either, or the likelier of the two (Wang et al., TransH, AAAI 2014).
enum class EmbeddingCorruption { kUniform, kBernoulli };
constexpr auto choice_names(EmbeddingCorruption) {
  return choices_in_order<EmbeddingCorruption>("uniform", "bernoulli");
}

// Optimizers that keep their state by rows.
enum class RowOptimizerKind { kAdagrad, kAdam, kSgd };
constexpr auto choice_names(RowOptimizerKind) {
  return choices_in_order<RowOptimizerKind>("adagrad", "adam", "sgd");
}

// Course of the step size; the last two end at 0 with the last epoch.
enum class EmbeddingSchedule { kConstant, kLinear, kCosine };
constexpr auto choice_names(EmbeddingSchedule) {
  return choices_in_order<EmbeddingSchedule>("constant", "linear", "cosine");
}

// Everything that decides a training run.
struct EmbeddingConfig {
  Choice<EmbeddingKind> model = EmbeddingKind::kTransE;
  int dim = 256;
  Choice<EmbeddingNorm> norm = EmbeddingNorm::kL2;
  Choice<EmbeddingLoss> loss = EmbeddingLoss::kSoftmax;
  Choice<EmbeddingSampling> sampling = EmbeddingSampling::kShared;
  Choice<EmbeddingCorruption> corruption = EmbeddingCorruption::kUniform;  // of per_triple
  int negatives = 512;                                                     // shared negatives a batch
  int batch = 256;                                                         // questions a batch
  bool group_answers = true;  // one question carries all its answers; false: one answer each
  bool reciprocal = false;    // relations have other vectors where heads are asked for
  double margin = 9.0;
  double scale = 1.0;
  double temperature = 1.0;
  double correction = 1.0;
  double subsampling = 0.0;
  Choice<RowOptimizerKind> optimizer = RowOptimizerKind::kAdagrad;
  double learning_rate = 0.3;
  Choice<EmbeddingSchedule> schedule = EmbeddingSchedule::kLinear;
  double initial = 0.1;
  double l2_penalty = 0.0;
  double n3_penalty = 0.0;
  double dropout = 0.0;
  int epochs = 30;
  std::uint64_t seed = 1;

  template <class F>
  void fields(F& f) {
    f("model", model,
      "How facts are scored: by a translation, by products (complex, distmult) or by a rotation.");
    f("dim", dim, "Width of the vectors of entities and relations.").range(1, 8192);
    f("norm", norm,
      "Distance of what a question asks for from what answers it: l1 (transe only), l2 or squared l2; "
      "products "
      "have none.");
    f("loss", loss, "Training loss; margin is that of the paper, softmax and self_adversarial rank better.");
    f("sampling", sampling,
      "Negatives are one set that a batch shares, one corrupted triple for each, or all entities (1-vs-all, "
      "k-vs-all).");
    f("corruption", corruption,
      "Which end of a triple per_triple replaces: either alike, or the likelier one "
      "(bernoulli).");
    f("negatives", negatives, "Number of negatives that a batch shares.").range(1, 1 << 20);
    f("batch", batch, "Number of questions in a batch.").range(1, 1 << 20);
    f("group_answers", group_answers,
      "A question carries all its answers at once; otherwise each answer is a question of its own.");
    f("reciprocal", reciprocal,
      "A relation has one vector where the tail is asked for and another where the head is.");
    f("margin", margin, "Margin m of the losses self_adversarial and margin, in units of distance.")
        .range(0, 1e6);
    f("scale", scale, "Factor on distances inside the softmax.").range(1e-6, 1e6);
    f("temperature", temperature, "Temperature of the weights of negatives in self_adversarial.")
        .range(0, 1e3);
    f("correction", correction,
      "Share of log(E / K) that softmax adds to the logits of its K sampled negatives of E "
      "entities.")
        .range(0, 1);
    f("subsampling", subsampling,
      "Exponent x by which answers weigh count^-x, where count is the answers of both their "
      "questions.")
        .range(0, 2);
    f("optimizer", optimizer, "Optimizer, which keeps its state row by row.");
    f("learning_rate", learning_rate, "Step size of the optimizer at the beginning.").range(1e-9, 1e3);
    f("schedule", schedule, "Course of the step size over the training; linear and cosine end at 0.");
    f("initial", initial, "Entries of all vectors start uniform between this and its negative.")
        .range(0, 1e3);
    f("l2_penalty", l2_penalty, "Weight decay of the entity rows that a batch touches.").range(0, 1e3);
    f("n3_penalty", n3_penalty,
      "Weight of the cubed entries (moduli, where vectors are complex) of head, relation and tail of every "
      "fact.")
        .range(0, 1e3);
    f("dropout", dropout, "Probability that an entry of a question's vector is dropped.").range(0, 0.9);
    f("epochs", epochs, "Number of passes over the training questions.").range(0, 1 << 20);
    f("seed", seed, "Seed of initial values, order and negatives.");
  }
  void check(Problems& problems) const;
};

// The values that suit a kind: those above, and what its model sets.
[[nodiscard]] EmbeddingConfig default_embedding(EmbeddingKind kind);

}  // namespace kgwalk::embeddings
