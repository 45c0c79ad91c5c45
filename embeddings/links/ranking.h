// Link-prediction ranks: filtered, both sides, realistic under ties.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embeddings/links/embedding_model.h"
#include "kgwalk/json.h"
#include "kgwalk/link_prediction.h"
#include "kgwalk/progress.h"

namespace kgwalk::embeddings {

/// Rank of the right entity among all entities that are not other known answers:
///   1 + (number nearer) + (number equally near) / 2,
/// the mean of the optimistic and the pessimistic rank. Every entity is a candidate, the given one too.
struct TripleRanks {
  double head = 0;  // of the head in (?, r, t)
  double tail = 0;  // of the tail in (h, r, ?)
  friend bool operator==(const TripleRanks&, const TripleRanks&) = default;
};
inline void to_json(Json& json, const TripleRanks& ranks) { json = Json::array({ranks.head, ranks.tail}); }
inline void from_json(const Json& json, TripleRanks& ranks) {
  ranks = {json.at(0).get<double>(), json.at(1).get<double>()};
}

/// Ranks by the definition: all distances, one comparison each. For tests and as the measure of the fast
/// evaluator. `known` holds the answers that are filtered; it should contain the ranked triples' own splits.
[[nodiscard]] std::vector<TripleRanks> plain_ranks(const EmbeddingModel& model,
                                                   std::span<const Triple> triples, const AnswerIndex& known);

/// The same ranks, bit for bit, faster: a cheap estimate with a proven error bound decides most comparisons,
/// and only entities within the bound of the right one are measured exactly. L1 tables are estimated by 8-bit
/// sums of absolute differences, others by matrix products. Tables with entries that are not finite raise
/// NumericError. Uses all threads of kgwalk/threads.h; the result does not depend on their number.
[[nodiscard]] std::vector<TripleRanks> ranks(const EmbeddingModel& model, std::span<const Triple> triples,
                                             const AnswerIndex& known,
                                             Reporter& reporter = silent_reporter());

[[nodiscard]] RankReport summarize(std::span<const TripleRanks> ranks);

}  // namespace kgwalk::embeddings
