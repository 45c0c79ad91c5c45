// What decides a training of TransE: on the graph of a database (kgwalk/embeddings.h) or on a benchmark's
// files (kgwalk/link_prediction.h).
//
// Example:
//   kgwalk::embeddings::TransEConfig config;
//   config.norm = kgwalk::embeddings::TransENorm::kL1;
//   config.epochs = 10;
//   std::cout << config.dim << " wide, " << config.loss.name() << '\n';
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

// Distance of a translated head from a tail: sums of absolute or squared differences, or the root of the
// latter.
enum class TransENorm { kL1, kL2, kL2Squared };
constexpr auto choice_names(TransENorm) { return choices_in_order<TransENorm>("l1", "l2", "l2_squared"); }

enum class TransELoss { kSoftmax, kSelfAdversarial, kMargin };
constexpr auto choice_names(TransELoss) {
  return choices_in_order<TransELoss>("softmax", "self_adversarial", "margin");
}

// Negatives: one set that a batch shares, or one corrupted triple for each.
enum class TransESampling { kShared, kPerTriple };
constexpr auto choice_names(TransESampling) {
  return choices_in_order<TransESampling>("shared", "per_triple");
}

// Which end is corrupted: either, or the likelier of the two (Wang et al., TransH, AAAI 2014).
enum class TransECorruption { kUniform, kBernoulli };
constexpr auto choice_names(TransECorruption) {
  return choices_in_order<TransECorruption>("uniform", "bernoulli");
}

// Optimizers that keep their state by rows.
enum class RowOptimizerKind { kAdagrad, kAdam, kSgd };
constexpr auto choice_names(RowOptimizerKind) {
  return choices_in_order<RowOptimizerKind>("adagrad", "adam", "sgd");
}

// Course of the step size; the last two end at 0 with the last epoch.
enum class TransESchedule { kConstant, kLinear, kCosine };
constexpr auto choice_names(TransESchedule) {
  return choices_in_order<TransESchedule>("constant", "linear", "cosine");
}

// Everything that decides a training run.
struct TransEConfig {
  int dim = 256;
  Choice<TransENorm> norm = TransENorm::kL2;
  Choice<TransELoss> loss = TransELoss::kSoftmax;
  Choice<TransESampling> sampling = TransESampling::kShared;
  Choice<TransECorruption> corruption = TransECorruption::kUniform;  // of per_triple
  int negatives = 512;                                               // shared negatives a batch
  int batch = 256;                                                   // questions a batch
  bool group_answers = true;  // one question carries all its answers; false: one answer each
  double margin = 9.0;
  double scale = 1.0;
  double temperature = 1.0;
  double correction = 1.0;
  double subsampling = 0.0;
  Choice<RowOptimizerKind> optimizer = RowOptimizerKind::kAdagrad;
  double learning_rate = 0.3;
  Choice<TransESchedule> schedule = TransESchedule::kLinear;
  double initial = 0.1;
  double l2_penalty = 0.0;
  double dropout = 0.0;
  int epochs = 30;
  std::uint64_t seed = 1;

  template <class F>
  void fields(F& f) {
    f("dim", dim, "Width of the vectors of entities and relations.").range(1, 8192);
    f("norm", norm, "Distance of a translated entity from another: l1, l2 or squared l2.");
    f("loss", loss, "Training loss; margin is that of the paper, softmax and self_adversarial rank better.");
    f("sampling", sampling, "Negatives are one set that a batch shares, or one corrupted triple for each.");
    f("corruption", corruption,
      "Which end of a triple per_triple replaces: either alike, or the likelier one "
      "(bernoulli).");
    f("negatives", negatives, "Number of negatives that a batch shares.").range(1, 1 << 20);
    f("batch", batch, "Number of questions in a batch.").range(1, 1 << 20);
    f("group_answers", group_answers,
      "A question carries all its answers at once; otherwise each answer is a question of its"
      " own.");
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
    f("dropout", dropout, "Probability that an entry of a question's vector is dropped.").range(0, 0.9);
    f("epochs", epochs, "Number of passes over the training questions.").range(0, 1 << 20);
    f("seed", seed, "Seed of initial values, order and negatives.");
  }
  void check(Problems& problems) const;
};

}  // namespace kgwalk::embeddings
