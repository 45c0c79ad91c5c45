// Inside of SentencePiece, shared by its source files; not for other code.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "seq2seq/text/charsmap.h"
#include "seq2seq/text/piece_trie.h"
#include "seq2seq/text/sentencepiece.h"
#include "seq2seq/text/sentencepiece_model.h"

namespace kgwalk::seq2seq {

inline constexpr std::string_view kSpaceSymbol = "\xE2\x96\x81";  // U+2581, a visible space

// A cut of the normalized text: the bytes and their piece.
using Segments = std::vector<std::pair<std::string_view, int>>;

// Applies the rules of one normalizer specification. User-defined symbols pass through unchanged.
class SentencePieceNormalizer {
 public:
  SentencePieceNormalizer(const SentencePieceModel::Normalizer& spec, bool space_as_suffix,
                          const PieceTrie* keep, const std::string& source);
  [[nodiscard]] std::string operator()(std::string_view text) const;

 private:
  // One step: what the first bytes of `text` become, and how many bytes that were.
  [[nodiscard]] std::pair<std::string_view, std::size_t> prefix(std::string_view text) const;
  void append(std::string& out, std::string_view piece) const;

  bool add_dummy_prefix_, remove_extra_, escape_, space_as_suffix_;
  const PieceTrie* keep_;
  Charsmap rules_;
};

struct SentencePiece::Impl {
  Impl(std::string model_bytes, const std::string& source);

  std::string bytes;
  SentencePieceModel model;
  PieceTrie user_defined;
  PieceTrie text_trie;  // normal, user-defined and unused pieces
  std::unordered_map<std::string_view, int> text_ids, reserved_ids;
  float lowest_score = 0, highest_score = 0;  // over normal pieces
  SentencePieceNormalizer normalizer, denormalizer;

  [[nodiscard]] bool is(int id, SentencePieceModel::PieceType type) const {
    return model.pieces[static_cast<std::size_t>(id)].type == type;
  }
  [[nodiscard]] bool is_bpe() const { return model.algorithm == SentencePieceModel::Algorithm::kBpe; }
  [[nodiscard]] float score(int id) const { return model.pieces[static_cast<std::size_t>(id)].score; }
  [[nodiscard]] int id_of(std::string_view piece) const;
};

[[nodiscard]] Segments segment_unigram(const SentencePiece::Impl& impl, std::string_view text);
[[nodiscard]] Segments sample_unigram(const SentencePiece::Impl& impl, std::string_view text, double exponent,
                                      Random& random);
// With `random`, each merge is passed over with probability `dropout`.
[[nodiscard]] Segments segment_bpe(const SentencePiece::Impl& impl, std::string_view text, double dropout = 0,
                                   Random* random = nullptr);

}  // namespace kgwalk::seq2seq
