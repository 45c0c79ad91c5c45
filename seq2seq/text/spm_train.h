// Trains a SentencePiece vocabulary by running the packaged program spm_train.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

struct VocabularyOptions {
  int size = 8000;  // pieces, special ones included; fewer when the text does not yield so many
  std::string algorithm = "unigram";  // or "bpe"
  bool fold_case = true;              // rules nmt_nfkc_cf instead of nmt_nfkc
  double coverage = 0.9999;           // share of characters that get a piece
  bool byte_fallback = false;
  std::vector<std::string> control;  // control pieces; ids 2, 3, ... in this order (0 is <pad>, 1 is <unk>)
};

// Same text and options give the same bytes, in whatever folder: one thread, no shuffling. `folder` is an
// existing scratch folder; its files stay until the caller removes them. ConfigError when spm_train is not
// installed or refuses, with what it said.
[[nodiscard]] SentencePiece train_sentencepiece(std::span<const std::string> lines,
                                                const VocabularyOptions& options,
                                                const std::filesystem::path& folder);

// True when spm_train is found on PATH.
[[nodiscard]] bool spm_train_available();

}  // namespace kgwalk::seq2seq
