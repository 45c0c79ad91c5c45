// Evaluation of a translator on parallel text: BLEU and chrF with their signatures, 95 % intervals, speed,
// and a paired test against another system's output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "seq2seq/metrics/bleu.h"
#include "seq2seq/metrics/bootstrap.h"
#include "seq2seq/tasks/translation/parallel_text.h"
#include "seq2seq/tasks/translation/translator.h"

namespace kgwalk::seq2seq {

struct TranslationEvalOptions {
  BleuOptions bleu;
  ChrfOptions chrf;
  int batch = 64;                                    // lines decoded together
  int samples = 1000;                                // of the bootstrap
  std::uint64_t seed = 12345;                        // of the bootstrap
  std::optional<std::vector<std::string>> baseline;  // another system's output, line by line
};

// The fusion of a model with groups of layers as it was learned (GTRANS, layers/fusion.h); empty where a
// stack has no groups.
struct FusionWeights {
  std::vector<double> encoder_gates;  // sigmoid(w) of each group, lowest first
  std::vector<double> decoder_gates;  // sigmoid(w) of each layer
  std::vector<double> psi;            // of the decoder's groups that speak, summing to one
  [[nodiscard]] bool empty() const { return encoder_gates.empty() && psi.empty(); }
  [[nodiscard]] Json to_json() const;
};
[[nodiscard]] FusionWeights fusion_weights(const EncoderDecoder& model);

struct TranslationEvalReport {
  DecodingReport decoding;
  BleuScore bleu;
  double chrf = 0;
  std::string bleu_signature, chrf_signature;
  BootstrapInterval bleu_interval;
  std::optional<PairedBootstrap> against_baseline;  // of BLEU
  FusionWeights fusion;
  [[nodiscard]] Json to_json() const;  // without the hypotheses
};

// ConfigError when there is nothing to translate or the baseline has another number of lines.
[[nodiscard]] TranslationEvalReport evaluate_translation(const Translator& translator,
                                                         const ParallelText& text,
                                                         const TranslationEvalOptions& options,
                                                         Reporter& reporter);

}  // namespace kgwalk::seq2seq
