// What a translator is, how it is trained and how it searches. Presets: seq2seq/presets/mt_*.json.
#pragma once

#include "runtime/run_manifest.h"
#include "seq2seq/models/encoder_decoder.h"
#include "seq2seq/tasks/pair_task.h"
#include "seq2seq/tasks/pieces.h"

namespace kgwalk::seq2seq {

inline constexpr RunKind kTranslationRun{
    .name = "task-mt", .command = "task mt train", .parts = {"translation"}, .sources = {"pillars_of"}};

struct TranslationConfig : PairConfig {
  EncoderDecoderOptions model;
  PieceOptions vocabulary;
  double sampling = 0;  // each pass cuts the training text anew at random (SentencePiece::sample)
  double r_drop = 0;    // > 0: every batch is read twice, and this weighs the divergences of the two passes
  template <class F>
  void fields(F& f) {
    f("model", model, "encoder and decoder");
    f("vocabulary", vocabulary, "pieces");
    f("sampling", sampling,
      "training text is cut at random: exponent of a segmentation's probability (unigram), share of merges "
      "passed over (bpe); 0 = the one best segmentation")
        .range(0, 1);
    f("r_drop", r_drop,
      "R-Drop: every batch is read twice with other dropout, at twice the cost; weight of the divergence "
      "between the two distributions, 0 = off")
        .range(0, 1000);
    PairConfig::fields(f);
  }
  void check(Problems& problems) const;
};

}  // namespace kgwalk::seq2seq
