// How a model of embeddings scores a fact: the one interface that training, ranking, export and completion
// know.
#pragma once

#include <cstdint>
#include <span>

#include "embeddings/vectors/score_kernels.h"
#include "kgwalk/embedding_config.h"

namespace kgwalk::embeddings {

/// Which end of a triple is asked for.
enum class Side : std::uint8_t { kTail = 0, kHead = 1 };

using Values = std::span<const float>;    // [D]
using WritableValues = std::span<float>;  // [D]

/// A model turns a question, (h, r, ?) or (?, r, t), into a point, and what answers it is measured from
/// there: by a distance, or by a product whose negation stands for one. The smaller, the likelier the fact.
/// Both questions of a fact give it the same score, up to rounding.
///
/// Everything works on vectors of one width D; what a relation's vector is made from may be fewer numbers.
/// Models have no state: they are thread-safe.
class ScoreModel {
 public:
  virtual ~ScoreModel() = default;

  [[nodiscard]] virtual EmbeddingKind kind() const = 0;
  [[nodiscard]] virtual Measure measure(const EmbeddingConfig& config) const = 0;
  /// Vectors are complex numbers: real parts in the first half, imaginary ones in the second. D is even.
  [[nodiscard]] virtual bool complex() const { return false; }
  /// The values that suit the model where nobody sets them.
  virtual void set_defaults(EmbeddingConfig& config) const { (void)config; }

  /// Writes the question's point: `given` is the entity that is known, `relation` the relation's vector.
  virtual void ask(Values given, Values relation, Side side, WritableValues point) const = 0;
  /// The chain rule of ask(): from the point's gradient those of entity and relation, written.
  virtual void pull(Values given, Values relation, Side side, Values point_gradient,
                    WritableValues given_gradient, WritableValues relation_gradient) const = 0;
  /// The vector of the relation that says the same facts backwards: asking with it for the tail is asking
  /// with `relation` for the head.
  virtual void invert(Values relation, WritableValues inverse) const = 0;

  /// Whether relations are added to entities: a table of entities divided by x then goes with one of
  /// relations divided by x, with undivided relations elsewhere.
  [[nodiscard]] virtual bool additive() const { return false; }

  /// Numbers that training moves of a relation where they are not its vector itself; 0 where they are.
  [[nodiscard]] virtual int parameters(int dim) const {
    (void)dim;
    return 0;
  }
  /// The vector that `parameters` make.
  virtual void make_relation(Values parameters, WritableValues relation) const {
    (void)parameters, (void)relation;
  }
  /// The chain rule of make_relation(), written.
  virtual void pull_relation(Values relation, Values relation_gradient,
                             WritableValues parameter_gradient) const {
    (void)relation, (void)relation_gradient, (void)parameter_gradient;
  }
};

/// The model of a kind.
[[nodiscard]] const ScoreModel& score_model(EmbeddingKind kind);

}  // namespace kgwalk::embeddings
