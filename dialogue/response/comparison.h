// A response model beside what it has to beat, on the same messages: people, five wordings, retrieval, and
// itself without the constraint on names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dialogue/response/evaluation.h"
#include "dialogue/response/response_model.h"
#include "kgwalk/progress.h"

namespace kgwalk::dialogue {

inline constexpr std::size_t kComparedWordings = 5;

struct ComparisonOptions {
  int batch = 32;           // messages decoded together
  std::size_t timed = 200;  // sentences that are timed, one by one
  ResponseScoring scoring;
};

struct Comparison {
  std::vector<ResponseScores> systems;
  std::vector<std::vector<std::string>> texts;  // of each system, one a message
  double perplexity = 0;                        // of people's sentences, a piece
  std::vector<double> sure;                     // of the constrained model, one a message (SpokenMessage)
  double by_wordings = 0;            // share of messages that wordings said for the constrained model
  double median_ms = 0, p99_ms = 0;  // of one sentence alone, constrained
  double seconds_free = 0, seconds_constrained = 0;  // processor time of both decodings
  [[nodiscard]] Json to_json() const;                // without the texts
};

// `learned` is what retrieval finds sentences in. `model` null = the systems that need none.
[[nodiscard]] Comparison compare_responses(std::span<const ResponseExample> examples,
                                           std::span<const ResponseExample> learned, ResponseModel* model,
                                           const NameChecker& checker, const ComparisonOptions& options,
                                           Reporter& reporter);

}  // namespace kgwalk::dialogue
