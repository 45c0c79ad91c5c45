// How distances become probabilities: fitted on facts that training did not see.
#pragma once

#include <span>
#include <vector>

#include "embeddings/links/embedding_model.h"
#include "kgwalk/json.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::embeddings {

/// Distances of what may be answered to a question whose answer was left out of the graph, and which of them
/// is right.
struct HeldQuestion {
  std::vector<float> distances;  // of the candidates that the graph does not hold, and of the answer
  std::size_t right = 0;
};

/// The scale b with which the probabilities exp(-b d) / sum of exp(-b d) make the right answers likeliest:
/// one number, as a temperature (Guo et al., ICML 2017). 0 without questions.
[[nodiscard]] double fit_scale(std::span<const HeldQuestion> questions);

/// Probabilities that the scale gives to the candidates.
[[nodiscard]] std::vector<double> probabilities(std::span<const float> distances, double scale);

/// For questions by tail, by head and by relation: {"tail": {"scale", "questions", "error", "reliability":
/// [{"from", "told", "right", "count"}]}, ...}. The scale is fitted on every second held-out fact and its
/// reliability measured on the others: of all candidates told with 10 to 20 %, how many were right. "error":
/// mean difference of told and right, weighted by count. At most `most` facts are asked about on each side.
[[nodiscard]] Json calibrate(const EmbeddingModel& model, const graph::KnowledgeGraph& graph,
                             std::span<const RelationId> relations, std::span<const Triple> held,
                             std::size_t most);

}  // namespace kgwalk::embeddings
