// From a translator trained in groups of heads (GHT) to one with a single head a group (GHT-PS): the
// vote of seq2seq/attention/grouped_heads.h over the training data, then the smaller model as the start
// of another training.
#pragma once

#include "kgwalk/progress.h"
#include "seq2seq/tasks/grouped_net.h"
#include "seq2seq/tasks/translation/config.h"
#include "seq2seq/tasks/translation/task.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

// A run of kind "task-mt", key "translation".
using TranslationStart = GroupedStart<TranslationConfig>;

// Its model with one head a group in every attention.
[[nodiscard]] EncoderDecoderOptions pillar_model(const TranslationConfig& config);
// Finds the heads that stay, by the votes of every batch of `train` (find_pillars), and copies the weights of
// the heads that stay into `to`, a pillar_model(). Stopped when `stop` is set.
void copy_pillars_to(EncoderDecoder& to, const TranslationStart& start, const SentencePiece& vocabulary,
                     const PieceData& train, Reporter& reporter, const StopFlag& stop);

}  // namespace kgwalk::seq2seq
