// What a language model gives a text: of the whole, of each line, and beside another model's. Torch-free.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "seq2seq/metrics/bootstrap.h"

namespace kgwalk::seq2seq {

// A line with its end, in nats: sum of -log p over its words.
struct LineLikelihood {
  double negative_log_prob = 0;
  std::int64_t words = 0;
  LineLikelihood& operator+=(const LineLikelihood& other) {
    negative_log_prob += other.negative_log_prob;
    words += other.words;
    return *this;
  }
  [[nodiscard]] double perplexity() const;  // a word; 0 without words
};

// A text: the sum of its lines, and how many of their words are unknown.
struct Likelihood : LineLikelihood {
  std::int64_t unknown = 0;
  std::vector<LineLikelihood> lines;
};

// A line of text each: negative log probability, tab, words.
[[nodiscard]] std::string to_text(std::span<const LineLikelihood> lines);
// What to_text wrote. DataError with file and line where it is something else; IoError.
[[nodiscard]] std::vector<LineLikelihood> read_line_likelihoods(const std::filesystem::path& file);

// Perplexities of two models on one text, resampled by its lines. DataError naming `file`, whence `baseline`
// is, when the lines or their words are not as many.
[[nodiscard]] PairedBootstrap compare(std::span<const LineLikelihood> baseline,
                                      const std::filesystem::path& file,
                                      std::span<const LineLikelihood> system, int samples = 1000,
                                      std::uint64_t seed = 12345);

}  // namespace kgwalk::seq2seq
