#include "seq2seq/metrics/bleu.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "kgwalk/error.h"
#include "seq2seq/text/unicode_text.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk::seq2seq {
namespace {

constexpr const char* kSignatureVersion = "2.0.0";

using Grams = std::map<std::vector<std::string_view>, std::int64_t>;

Grams grams_of(const std::vector<std::string>& words, std::size_t n) {
  Grams grams;
  for (std::size_t i = 0; i + n <= words.size(); ++i)
    ++grams[std::vector<std::string_view>(words.begin() + static_cast<std::ptrdiff_t>(i),
                                          words.begin() + static_cast<std::ptrdiff_t>(i + n))];
  return grams;
}

struct Overlap {
  std::int64_t hypothesis = 0, reference = 0, matched = 0;
};

Overlap overlap_of(const std::vector<std::string>& hypothesis, const std::vector<std::string>& reference,
                   std::size_t n) {
  const auto count = [n](const std::vector<std::string>& words) {
    return words.size() >= n ? static_cast<std::int64_t>(words.size() - n + 1) : 0;
  };
  Overlap overlap{count(hypothesis), count(reference), 0};
  const Grams expected = grams_of(reference, n);
  for (const auto& [gram, times] : grams_of(hypothesis, n))
    if (const auto it = expected.find(gram); it != expected.end())
      overlap.matched += std::min(times, it->second);
  return overlap;
}

void check_segments(std::size_t hypotheses, std::size_t references) {
  if (hypotheses != references)
    throw ConfigError(std::to_string(hypotheses) + " hypotheses cannot be compared with " +
                      std::to_string(references) + " references");
}

std::vector<std::string> chrf_characters(std::string_view text, const ChrfOptions& options) {
  const std::string folded = options.lower ? lower_case(text) : std::string(text);
  if (!options.white_space) return split_characters(folded);
  std::vector<std::string> characters;
  for (std::string_view rest = folded; !rest.empty();) {
    const std::size_t length = decode_utf8(rest).length;
    characters.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return characters;
}

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other) {
  for (std::size_t n = 0; n < correct.size(); ++n) {
    correct[n] += other.correct[n];
    total[n] += other.total[n];
  }
  hypothesis_length += other.hypothesis_length;
  reference_length += other.reference_length;
  return *this;
}

BleuCounts bleu_counts(std::string_view hypothesis, std::string_view reference, const BleuOptions& options) {
  const auto said = bleu_words(hypothesis, options.tokenizer, options.lower);
  const auto expected = bleu_words(reference, options.tokenizer, options.lower);
  BleuCounts counts;
  counts.hypothesis_length = static_cast<std::int64_t>(said.size());
  counts.reference_length = static_cast<std::int64_t>(expected.size());
  for (std::size_t n = 1; n <= counts.correct.size(); ++n) {
    const Overlap overlap = overlap_of(said, expected, n);
    counts.correct[n - 1] = overlap.matched;
    counts.total[n - 1] = overlap.hypothesis;
  }
  return counts;
}

BleuScore bleu_of(const BleuCounts& counts, const BleuOptions& options) {
  BleuScore result;
  result.counts = counts;
  const auto said = static_cast<double>(counts.hypothesis_length);
  const auto expected = static_cast<double>(counts.reference_length);
  if (said < expected) result.brevity_penalty = said > 0 ? std::exp(1 - expected / said) : 0;
  if (counts.correct == std::array<std::int64_t, 4>{}) return result;
  double halves = 1;
  std::size_t orders = counts.correct.size();
  for (std::size_t n = 0; n < counts.correct.size(); ++n) {
    if (counts.total[n] == 0) break;
    if (options.effective_order) orders = n + 1;
    const auto total = static_cast<double>(counts.total[n]);
    if (counts.correct[n] > 0)
      result.precisions[n] = 100 * static_cast<double>(counts.correct[n]) / total;
    else if (options.smooth)
      result.precisions[n] = 100 / ((halves *= 2) * total);
  }
  double sum = 0;
  for (std::size_t n = 0; n < orders; ++n) {
    if (result.precisions[n] == 0) return result;
    sum += std::log(result.precisions[n]);
  }
  result.score = result.brevity_penalty * std::exp(sum / static_cast<double>(orders));
  return result;
}

BleuScore corpus_bleu(std::span<const std::string> hypotheses, std::span<const std::string> references,
                      const BleuOptions& options) {
  check_segments(hypotheses.size(), references.size());
  BleuCounts counts;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    counts += bleu_counts(hypotheses[i], references[i], options);
  return bleu_of(counts, options);
}

std::string BleuScore::details() const {
  const double ratio = counts.reference_length > 0 ? static_cast<double>(counts.hypothesis_length) /
                                                         static_cast<double>(counts.reference_length)
                                                   : 0;
  return fmt::format("{:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})",
                     precisions[0], precisions[1], precisions[2], precisions[3], brevity_penalty, ratio,
                     counts.hypothesis_length, counts.reference_length);
}

std::string bleu_signature(const BleuOptions& options) {
  const char* const names[] = {"13a", "none", "char"};
  return fmt::format("nrefs:1|case:{}|eff:{}|tok:{}|smooth:{}|version:{}", options.lower ? "lc" : "mixed",
                     options.effective_order ? "yes" : "no", names[static_cast<int>(options.tokenizer)],
                     options.smooth ? "exp" : "none", kSignatureVersion);
}

ChrfCounts& ChrfCounts::operator+=(const ChrfCounts& other) {
  for (std::size_t n = 0; n < matched.size(); ++n) {
    hypothesis[n] += other.hypothesis[n];
    reference[n] += other.reference[n];
    matched[n] += other.matched[n];
  }
  return *this;
}

ChrfCounts chrf_counts(std::string_view hypothesis, std::string_view reference, const ChrfOptions& options) {
  const auto said = chrf_characters(hypothesis, options), expected = chrf_characters(reference, options);
  ChrfCounts counts;
  for (std::size_t n = 1; n <= counts.matched.size(); ++n) {
    const Overlap overlap = overlap_of(said, expected, n);
    // An order that the reference does not have is not counted against the hypothesis.
    counts.hypothesis[n - 1] = overlap.reference > 0 ? overlap.hypothesis : 0;
    counts.reference[n - 1] = overlap.reference;
    counts.matched[n - 1] = overlap.matched;
  }
  return counts;
}

double chrf_of(const ChrfCounts& counts, const ChrfOptions& options) {
  constexpr double kEps = 1e-16;
  const double factor = options.beta * options.beta;
  const auto f_score = [factor](double p, double r) {
    return factor * p + r > 0 ? (1 + factor) * p * r / (factor * p + r) : 0;
  };
  double precisions = 0, recalls = 0, scores = 0;
  int orders = 0;
  for (std::size_t n = 0; n < counts.matched.size(); ++n) {
    const auto matched = static_cast<double>(counts.matched[n]);
    const double p = counts.hypothesis[n] > 0 ? matched / static_cast<double>(counts.hypothesis[n]) : kEps;
    const double r = counts.reference[n] > 0 ? matched / static_cast<double>(counts.reference[n]) : kEps;
    scores += f_score(p, r);
    if (counts.hypothesis[n] == 0 || counts.reference[n] == 0) continue;
    precisions += p;
    recalls += r;
    ++orders;
  }
  if (options.eps_smoothing) return 100 * scores / kChrfOrder;
  return orders > 0 ? 100 * f_score(precisions / orders, recalls / orders) : 0;
}

double corpus_chrf(std::span<const std::string> hypotheses, std::span<const std::string> references,
                   const ChrfOptions& options) {
  check_segments(hypotheses.size(), references.size());
  ChrfCounts counts;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    counts += chrf_counts(hypotheses[i], references[i], options);
  return chrf_of(counts, options);
}

std::string chrf_signature(const ChrfOptions& options) {
  return fmt::format("nrefs:1|case:{}|eff:{}|nc:{}|nw:0|space:{}|version:{}", options.lower ? "lc" : "mixed",
                     options.eps_smoothing ? "no" : "yes", kChrfOrder, options.white_space ? "yes" : "no",
                     kSignatureVersion);
}

}  // namespace kgwalk::seq2seq
