// What decoding of many sources shares (translation, summaries): sources of like length side by side, and the
// search over pieces of a vocabulary.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/decoded.h"
#include "kgwalk/progress.h"
#include "runtime/config.h"
#include "seq2seq/metrics/bootstrap.h"
#include "seq2seq/search/token_search.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

// Public types (kgwalk/decoded.h) by the names that the tasks know them by.
using kgwalk::Decoded;
using kgwalk::Hypothesis;

// Places 0 .. n - 1 in ascending order of length (equal ones in order), `most` at a time.
[[nodiscard]] std::vector<std::vector<std::size_t>> batches_by_length(std::span<const std::size_t> lengths,
                                                                      int most);

// The search for sources of these numbers of pieces by a model whose outputs have at most `max_length`.
[[nodiscard]] TokenSearchTask piece_search(const SentencePiece& vocabulary, const TokenSearchOptions& options,
                                           std::span<const std::size_t> lengths, int max_length);

// ConfigError unless the vocabulary has as many pieces as the weights, and the start and the end piece.
void check_vocabulary(const SentencePiece& vocabulary, std::int64_t weights);

// What decoding a whole test set gives.
struct DecodingReport {
  std::vector<std::string> hypotheses;
  std::int64_t cut = 0;                       // sources longer than the model's limit
  double seconds = 0, processor_seconds = 0;  // of decoding
  [[nodiscard]] double per_second() const;    // hypotheses a second of wall time
};
// decode(part) for the lines in order, a few hundred at a time; of each the best hypothesis.
[[nodiscard]] DecodingReport decode_all(
    std::span<const std::string> lines, std::string_view what, Reporter& reporter,
    const std::function<std::vector<Decoded>(std::span<const std::string>)>& decode);

// ConfigError when there is a baseline's output and it has another number of lines.
void check_baseline(const std::optional<std::vector<std::string>>& baseline, std::size_t lines);
[[nodiscard]] Json json_of(const BootstrapInterval& interval);
[[nodiscard]] Json json_of(const PairedBootstrap& test);

}  // namespace kgwalk::seq2seq
