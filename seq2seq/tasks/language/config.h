// What a language model is, how it is trained and how it is read. Presets: seq2seq/presets/lm_*.json.
#pragma once

#include "runtime/run_manifest.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/attention/grouped_heads.h"
#include "seq2seq/models/transformer_language_model.h"
#include "seq2seq/search/token_search.h"

namespace kgwalk::seq2seq {

inline constexpr RunKind kLanguageRun{
    .name = "task-lm", .command = "task lm train", .parts = {"language"}, .sources = {"pillars_of", "from"}};

struct LanguageConfig {
  TransformerLanguageModelOptions model;
  GroupedHeadsOptions heads;  // group-constrained training of all attentions when groups > 0
  int min_count = 1;
  int window = 128;
  int rows = 16;
  int eval_window = 128;
  int eval_stride = 64;
  TokenSearchOptions search;
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("model", model, "Layers and vocabulary.");
    f("heads", heads, "Groups of attention heads.");
    f("min_count", min_count, "Words that occur less often are unknown.").range(1, 1e9);
    f("window", window, "Number of words in a training row.").range(1, 1 << 20);
    f("rows", rows, "Number of rows in a batch.").range(1, 1 << 20);
    f("eval_window", eval_window, "Number of words that are seen at once in evaluation.").range(1, 1 << 20);
    f("eval_stride", eval_stride,
      "Number of words told in each window but the first; the others are context.")
        .range(1, 1 << 20);
    f("search", search, "How text is continued.");
    f("trainer", trainer, "Training loop.");
  }
  // The stride is at most the window, and that at most the training's where positions are absolute: what is
  // beyond was never seen and doubles the perplexity.
  void check(Problems& problems) const;
};

}  // namespace kgwalk::seq2seq
