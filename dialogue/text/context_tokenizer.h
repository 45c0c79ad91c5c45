// Dialogue contexts and names as token sequences for the text encoder. Torch-free.
//
// A context is [CLS] [usr1] utterance [usr2] utterance ... [SEP]: user is speaker 1, assistant speaker 2. The
// speaker marks are pieces of their own in vocabularies that have them (those of `kgwalk pretrain-text` do);
// in other vocabularies the marks are written out and tokenized as text. Token types are 0 throughout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kgwalk/dialogue.h"
#include "seq2seq/text/tokenizer.h"

namespace kgwalk::dialogue {

inline constexpr std::string_view kUserMark = "[usr1]";
inline constexpr std::string_view kAssistantMark = "[usr2]";
inline constexpr std::uint8_t kNoUtterance = 255;

struct TokenSequence {
  std::vector<std::int32_t> ids;  // [CLS] first, [SEP] last
  std::vector<std::uint8_t> age;  // a position's utterance: 0 = the newest, 1 = the one before, ...;
                                  // kNoUtterance for [CLS], [SEP] and names
  std::uint32_t cut = 0;          // pieces that did not fit and were left out
};

// Immutable and thread-safe.
class ContextTokenizer {
 public:
  // FormatError when the vocabulary lacks [CLS], [SEP] or padding. `max_tokens` counts [CLS] and [SEP];
  // at least 8.
  ContextTokenizer(std::shared_ptr<const seq2seq::Tokenizer> tokenizer, std::size_t max_tokens);

  // Truncated from the left: the oldest pieces go; [CLS] and the speaker mark of a cut utterance stay. At
  // most 254 utterances, the newest, are taken.
  [[nodiscard]] TokenSequence context(std::span<const graph::Chat> utterances) const;
  // [CLS] pieces [SEP]; truncated at the right.
  [[nodiscard]] TokenSequence text(std::string_view text) const;

  [[nodiscard]] const seq2seq::Tokenizer& tokenizer() const noexcept { return *tokenizer_; }
  [[nodiscard]] const seq2seq::SpecialIds& special() const noexcept { return special_; }
  [[nodiscard]] std::size_t max_tokens() const noexcept { return max_tokens_; }

 private:
  std::shared_ptr<const seq2seq::Tokenizer> tokenizer_;
  std::size_t max_tokens_;
  seq2seq::SpecialIds special_;
  std::vector<std::int32_t> user_mark_, assistant_mark_;
};

// Groups of places in `sequences`: similar lengths together, so that at most a fifth of the positions is
// padding but in groups of four or fewer; at most `max_tokens` positions a group with padding, one sequence
// at least. Ties keep the order of the argument.
[[nodiscard]] std::vector<std::vector<std::size_t>> length_buckets(std::span<const TokenSequence> sequences,
                                                                   std::size_t max_tokens);

}  // namespace kgwalk::dialogue
