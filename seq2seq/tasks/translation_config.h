// What a translator is, how it is trained and how it searches. Presets: seq2seq/presets/mt_*.json. Torch-free
// but for the options of its parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/attention/grouped_heads.h"
#include "seq2seq/models/encoder_decoder.h"
#include "seq2seq/search/token_search.h"

namespace kgwalk::seq2seq {

// How text becomes pieces: one vocabulary for both sides, trained on both.
struct PieceOptions {
  int size = 6000;
  std::string algorithm = "unigram";
  bool lower = true;  // text is lower-cased before anything else, on both sides
  double coverage = 1.0;
  template <class F>
  void fields(F& f) {
    f("size", size, "pieces of the joint vocabulary").range(16, 1 << 20);
    f("algorithm", algorithm, "how pieces are found").one_of({"unigram", "bpe"});
    f("lower", lower, "lower-case all text");
    f("coverage", coverage, "share of characters that get a piece").range(0.5, 1);
  }
};

struct TranslationConfig {
  EncoderDecoderOptions model;
  PieceOptions vocabulary;
  GroupedHeadsOptions heads;  // group-constrained training of all attentions when groups > 0
  int max_tokens = 4096;      // of a batch: sentences times the longest side
  double smoothing = 0.1;     // of the labels
  int average = 5;            // weights of the last evaluations that are averaged; 1 = the last alone
  std::string keep = "average";
  TokenSearchOptions search;
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("model", model, "encoder and decoder");
    f("vocabulary", vocabulary, "pieces");
    f("heads", heads, "groups of attention heads");
    f("max_tokens", max_tokens, "tokens of a batch, padding counted").range(1, 1 << 24);
    f("smoothing", smoothing, "label smoothing").range(0, 0.99);
    f("average", average, "evaluations whose weights are averaged at the end").range(1, 1000);
    f("keep", keep, "weights of the finished model: the average, or those of the best evaluation")
        .one_of({"average", "best"});
    f("search", search, "beam search");
    f("trainer", trainer, "training loop");
  }
  void check(Problems& problems) const;
};

// A preset of seq2seq/presets by its file's name, e.g. "mt_plain"; ConfigError names the nearest one when
// there is none. `task` ("mt", "lm", "summarize") and '_' are put before the name.
[[nodiscard]] Json task_preset(std::string_view task, std::string_view name);
[[nodiscard]] std::vector<std::string> task_preset_names(std::string_view task);

}  // namespace kgwalk::seq2seq
