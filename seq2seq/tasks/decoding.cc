#include "seq2seq/tasks/decoding.h"

#include <algorithm>
#include <numeric>

#include "kgwalk/error.h"
#include "runtime/stopwatch.h"
#include "seq2seq/tasks/pieces.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::size_t kChunk = 512;  // lines between two signs of progress

}  // namespace

std::vector<std::vector<std::size_t>> batches_by_length(std::span<const std::size_t> lengths, int most) {
  std::vector<std::size_t> order(lengths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lengths[a] < lengths[b]; });
  std::vector<std::vector<std::size_t>> batches;
  const auto count = static_cast<std::size_t>(most);
  for (std::size_t begin = 0; begin < order.size(); begin += count) {
    const auto part = std::span(order).subspan(begin, std::min(count, order.size() - begin));
    batches.emplace_back(part.begin(), part.end());
  }
  return batches;
}

TokenSearchTask piece_search(const SentencePiece& vocabulary, const TokenSearchOptions& options,
                             std::span<const std::size_t> lengths, int max_length) {
  TokenSearchTask task{vocabulary.id_of(kStartPiece), vocabulary.id_of(kEndPiece), {}, {}};
  const SpecialIds special = vocabulary.special();
  task.never = {task.start_piece, special.pad, special.unk};
  for (const std::size_t length : lengths)
    task.limits.push_back(std::min({static_cast<int>(options.max_ratio * static_cast<double>(length) + 10),
                                    options.max_pieces, max_length - 1}));
  return task;
}

void check_vocabulary(const SentencePiece& vocabulary, std::int64_t weights) {
  if (vocabulary.size() != weights)
    throw ConfigError("the vocabulary has " + std::to_string(vocabulary.size()) +
                      " pieces, the weights are for " + std::to_string(weights));
  for (const char* piece : {kStartPiece, kEndPiece})
    if (!vocabulary.find(piece))
      throw ConfigError(std::string("the vocabulary has no piece ") + piece +
                        "; it was not made for this task");
}

double DecodingReport::per_second() const {
  return seconds > 0 ? static_cast<double>(hypotheses.size()) / seconds : 0;
}

DecodingReport decode_all(std::span<const std::string> lines, std::string_view what, Reporter& reporter,
                          const std::function<std::vector<Decoded>(std::span<const std::string>)>& decode) {
  DecodingReport report;
  const auto progress = reporter.start(what, static_cast<std::int64_t>(lines.size()), "lines");
  const Stopwatch watch;
  for (std::size_t at = 0; at < lines.size(); at += kChunk) {
    const auto part = lines.subspan(at, std::min(kChunk, lines.size() - at));
    for (Decoded& decoded : decode(part)) {
      report.hypotheses.push_back(std::move(decoded.hypotheses.front().text));
      report.cut += decoded.cut;
    }
    progress->add(static_cast<std::int64_t>(part.size()));
  }
  report.seconds = watch.seconds();
  report.processor_seconds = watch.processor_seconds();
  return report;
}

void check_baseline(const std::optional<std::vector<std::string>>& baseline, std::size_t lines) {
  if (baseline && baseline->size() != lines)
    throw ConfigError("the baseline's output has " + std::to_string(baseline->size()) +
                      " lines, the source " + std::to_string(lines));
}

Json json_of(const BootstrapInterval& interval) {
  return {{"score", interval.score}, {"low", interval.low}, {"high", interval.high}};
}

Json json_of(const PairedBootstrap& test) {
  return {{"baseline", json_of(test.baseline)},
          {"system", json_of(test.system)},
          {"difference", json_of(test.difference)},
          {"p_value", test.p_value}};
}

}  // namespace kgwalk::seq2seq
