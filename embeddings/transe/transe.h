// TransE: a relation is a translation; a triple (h, r, t) is good when h + r lies near t (Bordes et
// al., NIPS 2013).
#pragma once

#include <cstdint>
#include <string>

#include "embeddings/transe/triples.h"
#include "embeddings/vectors/matrix.h"
#include "embeddings/vectors/score_kernels.h"
#include "runtime/config.h"

namespace kgwalk::embeddings {

/// Everything that decides a training run. Names of losses and norms are those of the configuration files.
struct TransEConfig {
  int dim = 256;
  std::string norm = "l2";       // l1, l2, l2_squared
  std::string loss = "softmax";  // softmax, self_adversarial, margin
  std::string sampling =
      "shared";  // shared: one set of negatives a batch; per_triple: one corrupted triple each
  std::string corruption = "uniform";  // per_triple: uniform or bernoulli (Wang et al., TransH, AAAI 2014)
  int negatives = 512;                 // shared negatives a batch
  int batch = 256;                     // questions a batch
  bool group_answers = true;           // one question carries all its answers; false: one answer each
  double margin = 9.0;
  double scale = 1.0;
  double temperature = 1.0;
  double correction = 1.0;
  double subsampling = 0.0;
  std::string optimizer = "adagrad";  // adagrad, adam, sgd
  double learning_rate = 0.3;
  std::string schedule = "linear";  // constant, linear, cosine (to 0 at the last epoch)
  double initial = 0.1;
  double l2_penalty = 0.0;
  double dropout = 0.0;
  int epochs = 30;
  std::uint64_t seed = 1;

  template <class F>
  void fields(F& f) {
    f("dim", dim, "embedding width").range(1, 8192);
    f("norm", norm, "distance").one_of({"l1", "l2", "l2_squared"});
    f("loss", loss, "training loss").one_of({"softmax", "self_adversarial", "margin"});
    f("sampling", sampling, "negatives shared by a batch, or one a triple").one_of({"shared", "per_triple"});
    f("corruption", corruption, "which end per_triple corrupts").one_of({"uniform", "bernoulli"});
    f("negatives", negatives, "shared negatives a batch").range(1, 1 << 20);
    f("batch", batch, "questions a batch").range(1, 1 << 20);
    f("group_answers", group_answers, "a question with all its answers at once");
    f("margin", margin, "margin m of self_adversarial and margin").range(0, 1e6);
    f("scale", scale, "factor b on distances inside the softmax").range(1e-6, 1e6);
    f("temperature", temperature, "adversarial temperature a").range(0, 1e3);
    f("correction", correction, "share of log(E / K) added to the negatives' logits (softmax)").range(0, 1);
    f("subsampling", subsampling, "answers weigh count^-x, count = answers of both its questions")
        .range(0, 2);
    f("optimizer", optimizer, "row-wise optimizer").one_of({"adagrad", "adam", "sgd"});
    f("learning_rate", learning_rate, "step size").range(1e-9, 1e3);
    f("schedule", schedule, "course of the step size").one_of({"constant", "linear", "cosine"});
    f("initial", initial, "entries start uniform in [-x, x]").range(0, 1e3);
    f("l2_penalty", l2_penalty, "weight decay of touched entity rows").range(0, 1e3);
    f("dropout", dropout, "probability that an entry of a question vector is dropped").range(0, 0.9);
    f("epochs", epochs, "passes over the training questions").range(0, 1 << 20);
    f("seed", seed, "of initial values, order and negatives");
  }
  void check(Problems& problems) const;
};

[[nodiscard]] Norm norm_of(const TransEConfig& config);

/// The two tables. A question (h, r, ?) is the point h + r, and (?, r, t) is t - r: its answers are the
/// nearest entities.
struct TransEModel {
  Norm norm = Norm::kL2;
  Matrix entities;   // [E, D]
  Matrix relations;  // [R, D]

  /// Tables with uniform entries in [-initial, initial], the same for the same seed.
  [[nodiscard]] static TransEModel random(const TransEConfig& config, std::int64_t num_entities,
                                          std::int64_t num_relations);
  /// Writes the question's point, stride floats.
  void question(EntityId given, RelationId relation, Side side, float* out) const;
  /// Distance of h + r from t under the norm.
  [[nodiscard]] float distance(const Triple& triple) const;
};

}  // namespace kgwalk::embeddings
