#include "seq2seq/tasks/translation/eval.h"

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"

namespace kgwalk::seq2seq {
namespace {

std::vector<BleuCounts> counts_of(const std::vector<std::string>& hypotheses,
                                  const std::vector<std::string>& references, const BleuOptions& options) {
  std::vector<BleuCounts> counts;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    counts.push_back(bleu_counts(hypotheses[i], references[i], options));
  return counts;
}

std::vector<double> numbers_of(const torch::Tensor& x) {
  const torch::Tensor flat = on_processor(x.detach()).to(torch::kFloat64).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

// sigmoid(w) of a stack's fusion; nothing without one.
std::vector<double> gates_of(const torch::nn::Module& stack) {
  const auto parameters = stack.named_parameters();
  const torch::Tensor* weight = parameters.find("fusion.weight");
  return weight ? numbers_of(weight->sigmoid()) : std::vector<double>{};
}

}  // namespace

Json FusionWeights::to_json() const {
  return {{"encoder_gates", encoder_gates}, {"decoder_gates", decoder_gates}, {"psi", psi}};
}

FusionWeights fusion_weights(const EncoderDecoder& model) {
  const torch::NoGradGuard no_grad;
  FusionWeights found{gates_of(*model->encoder), gates_of(*model->decoder), {}};
  if (model->mixture) found.psi = numbers_of(model->mixture->weights());
  return found;
}

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
  if (!fusion.empty()) json["fusion"] = fusion.to_json();
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
  report.fusion = fusion_weights(translator.model());
  if (options.baseline)
    report.against_baseline = test(counts_of(*options.baseline, text.target, options.bleu));
  return report;
}

}  // namespace kgwalk::seq2seq
