#include "seq2seq/tasks/language/likelihood.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "kgwalk/error.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::seq2seq {
namespace {

template <class Number>
bool take_number(const char*& at, const char* end, Number& value) {
  const auto [next, error] = std::from_chars(at, end, value);
  at = next;
  return error == std::errc{};
}

}  // namespace

double LineLikelihood::perplexity() const {
  return words > 0 ? std::exp(negative_log_prob / static_cast<double>(words)) : 0;
}

std::string to_text(std::span<const LineLikelihood> lines) {
  std::string text;
  for (const LineLikelihood& line : lines)
    text += fmt::format("{}\t{}\n", line.negative_log_prob, line.words);
  return text;
}

std::vector<LineLikelihood> read_line_likelihoods(const std::filesystem::path& file) {
  std::vector<LineLikelihood> found;
  for (const std::string& text : read_text_lines(file)) {
    LineLikelihood line;
    const char *at = text.data(), *end = at + text.size();
    if (!take_number(at, end, line.negative_log_prob) || at == end || *at++ != '\t' ||
        !take_number(at, end, line.words) || at != end || !std::isfinite(line.negative_log_prob) ||
        line.words < 1)
      throw DataError(
          file.string(), found.size() + 1,
          "is no negative log probability, tab and number of words, as an evaluation of a language model "
          "writes them");
    found.push_back(line);
  }
  return found;
}

PairedBootstrap compare(std::span<const LineLikelihood> baseline, const std::filesystem::path& file,
                        std::span<const LineLikelihood> system, int samples, std::uint64_t seed) {
  if (baseline.size() != system.size())
    throw DataError(file.string(), 0,
                    fmt::format("tells {} lines, the text has {}", baseline.size(), system.size()));
  for (std::size_t i = 0; i < system.size(); ++i)
    if (baseline[i].words != system[i].words)
      throw DataError(
          file.string(), i + 1,
          fmt::format("tells {} words, the text's line has {}", baseline[i].words, system[i].words));
  return paired_bootstrap<LineLikelihood>(
      baseline, system, [](const LineLikelihood& sum) { return sum.perplexity(); }, samples, seed);
}

}  // namespace kgwalk::seq2seq
