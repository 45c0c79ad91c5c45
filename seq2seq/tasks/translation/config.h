// What a translator is, how it is trained and how it searches. Presets: seq2seq/presets/mt_*.json.
#pragma once

#include "runtime/run_manifest.h"
#include "seq2seq/models/encoder_decoder.h"
#include "seq2seq/tasks/pair_task.h"
#include "seq2seq/tasks/pieces.h"

namespace kgwalk::seq2seq {

inline constexpr RunKind kTranslationRun{.name = "task-mt",
                                         .command = "task mt train",
                                         .parts = {"translation"},
                                         .sources = {"pillars_of", "from"}};

struct TranslationConfig : PairConfig {
  EncoderDecoderOptions model;
  PieceOptions vocabulary;
  double sampling = 0;  // each pass cuts the training text anew at random (SentencePiece::sample)
  double r_drop = 0;    // > 0: every batch is read twice, and this weighs the divergences of the two passes
  template <class F>
  void fields(F& f) {
    f("model", model, "Encoder and decoder.");
    f("vocabulary", vocabulary, "Pieces.");
    f("sampling", sampling,
      "Training text is cut into pieces at random: exponent of a segmentation's probability "
      "(unigram) or share of merges passed over (bpe); 0 takes the one best segmentation.")
        .range(0, 1);
    f("r_drop", r_drop,
      "Weight of the divergence between two readings of every batch with other dropout "
      "(R-Drop), at twice the cost; 0 means one reading.")
        .range(0, 1000);
    PairConfig::fields(f);
  }
  void check(Problems& problems) const;
};

}  // namespace kgwalk::seq2seq
