// The compiled normalization rules of a SentencePiece model: a double-array trie from character sequences
// to their replacements.
//
// Blob: trie size in bytes (uint32, little-endian), trie, replacements separated by zero bytes. The trie is
// an array of uint32 units (the layout of the Darts-clone library): bits 0-7 label, bit 8 "has a leaf", bit 9
// widens the offset, bits 10-30 offset, bit 31 marks a leaf, whose lower 31 bits are the value: here an
// offset into the replacements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::seq2seq {

// Immutable and thread-safe. Owns a copy of the blob.
class Charsmap {
 public:
  Charsmap() = default;
  // An empty blob has no rules. FormatError naming `source` when sizes do not fit, a node has no leaf where
  // it should, or a value lies outside the replacements.
  Charsmap(std::string_view blob, const std::string& source);

  struct Match {
    std::size_t length = 0;        // bytes of text the longest rule takes; 0 when no rule applies
    std::string_view replacement;  // may be empty
  };
  [[nodiscard]] Match longest(std::string_view text) const;
  [[nodiscard]] bool empty() const noexcept { return units_.empty(); }

 private:
  void check_units(const std::string& source) const;

  std::vector<std::uint32_t> units_;
  std::string replacements_;
};

}  // namespace kgwalk::seq2seq
