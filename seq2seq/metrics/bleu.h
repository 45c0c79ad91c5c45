// BLEU (Papineni et al., ACL 2002) and chrF (Popovic, WMT 2015) of a corpus, one reference a segment,
// computed as sacreBLEU 2 does (Post, WMT 2018) and printed with its form of signature. Torch-free.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "seq2seq/metrics/words.h"

namespace kgwalk::seq2seq {

// Counts of one segment or the sum of many: all that the score of a corpus needs.
struct BleuCounts {
  std::array<std::int64_t, 4> correct{},
      total{};  // n-grams, n = 1 .. 4: matched (clipped) and all of the hypothesis
  std::int64_t hypothesis_length = 0, reference_length = 0;  // words
  BleuCounts& operator+=(const BleuCounts& other);
};

struct BleuOptions {
  BleuTokenizer tokenizer = BleuTokenizer::k13a;
  bool lower = false;
  // "exp": orders without a match count 1/2, 1/4, ... matches; "none": the score is 0 then.
  bool smooth = true;
  bool effective_order = false;  // for single sentences: only orders that the hypothesis has
};

struct BleuScore {
  double score = 0;  // 0 .. 100
  std::array<double, 4> precisions{};
  double brevity_penalty = 1;
  BleuCounts counts;
  // "BLEU = 48.53 82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)" without the name.
  [[nodiscard]] std::string details() const;
};

[[nodiscard]] BleuCounts bleu_counts(std::string_view hypothesis, std::string_view reference,
                                     const BleuOptions& options);
[[nodiscard]] BleuScore bleu_of(const BleuCounts& counts, const BleuOptions& options);
// ConfigError when the numbers of segments differ.
[[nodiscard]] BleuScore corpus_bleu(std::span<const std::string> hypotheses,
                                    std::span<const std::string> references, const BleuOptions& options);
// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0": the version of sacreBLEU whose
// results these are.
[[nodiscard]] std::string bleu_signature(const BleuOptions& options);

inline constexpr int kChrfOrder = 6;
struct ChrfCounts {
  std::array<std::int64_t, kChrfOrder> hypothesis{}, reference{}, matched{};
  ChrfCounts& operator+=(const ChrfCounts& other);
};

struct ChrfOptions {
  double beta = 2;
  bool lower = false;
  bool white_space = false;    // counts as a character
  bool eps_smoothing = false;  // mean of the orders' F scores instead of F of the means
};

[[nodiscard]] ChrfCounts chrf_counts(std::string_view hypothesis, std::string_view reference,
                                     const ChrfOptions& options);
[[nodiscard]] double chrf_of(const ChrfCounts& counts, const ChrfOptions& options);  // 0 .. 100
[[nodiscard]] double corpus_chrf(std::span<const std::string> hypotheses,
                                 std::span<const std::string> references, const ChrfOptions& options);
[[nodiscard]] std::string chrf_signature(const ChrfOptions& options);

}  // namespace kgwalk::seq2seq
