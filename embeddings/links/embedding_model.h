// The tables of a model of embeddings, and what they say of facts.
#pragma once

#include <cstdint>
#include <vector>

#include "embeddings/links/triples.h"
#include "embeddings/models/score_model.h"
#include "embeddings/vectors/matrix.h"
#include "kgwalk/embeddings.h"

namespace kgwalk::embeddings {

/// Vectors of entities and relations. The answers to a question are the entities nearest to its point.
struct EmbeddingModel {
  const ScoreModel* score = nullptr;
  Measure measure = Measure::kL2;
  Matrix entities;    // [E, D]
  Matrix relations;   // [R, D]
  Matrix parameters;  // [R, P] what training moves in place of `relations`; no rows where that is they
  /// Of each relation the row that asks for the head as for a tail: reciprocal relations. Empty: none.
  std::vector<RelationId> reverse = {};

  /// Tables with uniform entries in [-initial, initial] (angles: in [-pi, pi]), the same for the same seed.
  [[nodiscard]] static EmbeddingModel random(const EmbeddingConfig& config, std::int64_t num_entities,
                                             std::int64_t num_relations);
  /// The row of `relations` and the end to ask for by which a question is asked.
  struct Asked {
    RelationId relation;
    Side side;
  };
  [[nodiscard]] Asked asked(RelationId relation, Side side) const {
    if (side == Side::kTail || reverse.empty() || reverse[relation] == relation) return {relation, side};
    return {reverse[relation], Side::kTail};
  }
  /// Writes the question's point, stride floats.
  void question(EntityId given, RelationId relation, Side side, float* out) const;
  /// What the measure says of a fact, asked for its tail.
  [[nodiscard]] float distance(const Triple& triple) const;
};

}  // namespace kgwalk::embeddings
