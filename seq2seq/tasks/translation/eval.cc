#include "seq2seq/tasks/translation/eval.h"

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

std::vector<BleuCounts> counts_of(const std::vector<std::string>& hypotheses,
                                  const std::vector<std::string>& references, const BleuOptions& options) {
  std::vector<BleuCounts> counts;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    counts.push_back(bleu_counts(hypotheses[i], references[i], options));
  return counts;
}

}  // namespace

Json TranslationEvalReport::to_json() const {
  Json json = {{"sentences", decoding.hypotheses.size()},
               {"bleu", bleu.score},
               {"bleu_details", bleu.details()},
               {"bleu_signature", bleu_signature},
               {"bleu_low", bleu_interval.low},
               {"bleu_high", bleu_interval.high},
               {"chrf", chrf},
               {"chrf_signature", chrf_signature},
               {"cut", decoding.cut},
               {"seconds", decoding.seconds},
               {"processor_seconds", decoding.processor_seconds},
               {"sentences_per_second", decoding.per_second()}};
  if (against_baseline) json["against_baseline"] = json_of(*against_baseline);
  return json;
}

TranslationEvalReport evaluate_translation(const Translator& translator, const ParallelText& text,
                                           const TranslationEvalOptions& options, Reporter& reporter) {
  if (text.source.empty()) throw ConfigError("there is no line to translate");
  check_baseline(options.baseline, text.source.size());
  TranslationEvalReport report;
  report.decoding = decode_all(text.source, "translating", reporter, [&](std::span<const std::string> part) {
    return translator.translate(part, options.batch);
  });
  const std::vector<std::string>& hypotheses = report.decoding.hypotheses;
  const std::vector<BleuCounts> counts = counts_of(hypotheses, text.target, options.bleu);
  report.bleu = corpus_bleu(hypotheses, text.target, options.bleu);
  report.chrf = corpus_chrf(hypotheses, text.target, options.chrf);
  report.bleu_signature = bleu_signature(options.bleu);
  report.chrf_signature = chrf_signature(options.chrf);
  const std::function<double(const BleuCounts&)> score = [&](const BleuCounts& c) {
    return bleu_of(c, options.bleu).score;
  };
  const auto test = [&](const std::vector<BleuCounts>& baseline) {
    return paired_bootstrap<BleuCounts>(baseline, counts, score, options.samples, options.seed);
  };
  report.bleu_interval = test(counts).system;
  if (options.baseline)
    report.against_baseline = test(counts_of(*options.baseline, text.target, options.bleu));
  return report;
}

}  // namespace kgwalk::seq2seq
