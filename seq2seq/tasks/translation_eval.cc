#include "seq2seq/tasks/translation_eval.h"

#include <chrono>
#include <ctime>

#include "runtime/error.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::size_t kChunk = 512;  // lines between two signs of progress

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void translate_all(const Translator& translator, const std::vector<std::string>& lines, int batch,
                   Reporter& reporter, TranslationEvalReport& report) {
  const auto progress = reporter.start("translating", static_cast<std::int64_t>(lines.size()), "lines");
  const auto begin = std::chrono::steady_clock::now();
  const double processor = processor_seconds();
  for (std::size_t at = 0; at < lines.size(); at += kChunk) {
    const auto part = std::span(lines).subspan(at, std::min(kChunk, lines.size() - at));
    for (Translation& translation : translator.translate(part, batch)) {
      report.hypotheses.push_back(std::move(translation.hypotheses.front().text));
      report.cut += translation.cut;
    }
    progress->add(static_cast<std::int64_t>(part.size()));
  }
  report.processor_seconds = processor_seconds() - processor;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Json json_of(const BootstrapInterval& interval) {
  return {{"score", interval.score}, {"low", interval.low}, {"high", interval.high}};
}

std::vector<BleuCounts> counts_of(const std::vector<std::string>& hypotheses,
                                  const std::vector<std::string>& references, const BleuOptions& options) {
  std::vector<BleuCounts> counts;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    counts.push_back(bleu_counts(hypotheses[i], references[i], options));
  return counts;
}

}  // namespace

double TranslationEvalReport::sentences_per_second() const {
  return seconds > 0 ? static_cast<double>(hypotheses.size()) / seconds : 0;
}

Json TranslationEvalReport::to_json() const {
  Json json = {{"sentences", hypotheses.size()},
               {"bleu", bleu.score},
               {"bleu_details", bleu.details()},
               {"bleu_signature", bleu_signature},
               {"bleu_low", bleu_interval.low},
               {"bleu_high", bleu_interval.high},
               {"chrf", chrf},
               {"chrf_signature", chrf_signature},
               {"cut", cut},
               {"seconds", seconds},
               {"processor_seconds", processor_seconds},
               {"sentences_per_second", sentences_per_second()}};
  if (against_baseline)
    json["against_baseline"] = {{"baseline", json_of(against_baseline->baseline)},
                                {"system", json_of(against_baseline->system)},
                                {"p_value", against_baseline->p_value}};
  return json;
}

TranslationEvalReport evaluate_translation(const Translator& translator, const ParallelText& text,
                                           const TranslationEvalOptions& options, Reporter& reporter) {
  if (text.source.empty()) throw ConfigError("there is no line to translate");
  if (!options.baseline.empty() && options.baseline.size() != text.source.size())
    throw ConfigError("the baseline's output has " + std::to_string(options.baseline.size()) +
                      " lines, the source " + std::to_string(text.source.size()));
  TranslationEvalReport report;
  translate_all(translator, text.source, options.batch, reporter, report);
  const std::vector<BleuCounts> counts = counts_of(report.hypotheses, text.target, options.bleu);
  report.bleu = corpus_bleu(report.hypotheses, text.target, options.bleu);
  report.chrf = corpus_chrf(report.hypotheses, text.target, options.chrf);
  report.bleu_signature = bleu_signature(options.bleu);
  report.chrf_signature = chrf_signature(options.chrf);
  const std::function<double(const BleuCounts&)> score = [&](const BleuCounts& c) {
    return bleu_of(c, options.bleu).score;
  };
  const auto test = [&](const std::vector<BleuCounts>& baseline) {
    return paired_bootstrap<BleuCounts>(baseline, counts, score, options.samples, options.seed);
  };
  report.bleu_interval = test(counts).system;
  if (!options.baseline.empty())
    report.against_baseline = test(counts_of(options.baseline, text.target, options.bleu));
  return report;
}

}  // namespace kgwalk::seq2seq
