// A static byte trie: which of a set of strings begin at a place of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace kgwalk::seq2seq {

// Immutable after construction and thread-safe.
class PieceTrie {
 public:
  PieceTrie() = default;
  // Keys with their values; keys must be distinct and not empty, values not negative.
  explicit PieceTrie(std::vector<std::pair<std::string_view, int>> entries);

  // Calls visit(length, value) for each key that is a prefix of `text`, shortest first.
  template <class Visit>
  void prefixes(std::string_view text, Visit&& visit) const {
    std::size_t node = 0;
    for (std::size_t i = 0; i < text.size() && !nodes_.empty(); ++i) {
      node = child(node, static_cast<unsigned char>(text[i]));
      if (node == 0) return;
      if (nodes_[node].value >= 0) visit(i + 1, nodes_[node].value);
    }
  }
  // Length and value of the longest key that is a prefix of `text`; length 0 when there is none.
  [[nodiscard]] std::pair<std::size_t, int> longest(std::string_view text) const {
    std::pair<std::size_t, int> best{0, -1};
    prefixes(text, [&](std::size_t length, int value) { best = {length, value}; });
    return best;
  }
  [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }

 private:
  struct Node {
    std::uint32_t first = 0;  // children lie side by side, ascending by byte
    std::uint16_t count = 0;
    unsigned char byte = 0;
    int value = -1;
  };
  [[nodiscard]] std::size_t child(std::size_t node, unsigned char byte) const noexcept {
    std::size_t low = nodes_[node].first, high = low + nodes_[node].count;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (nodes_[middle].byte < byte)
        low = middle + 1;
      else
        high = middle;
    }
    return low < std::size_t{nodes_[node].first} + nodes_[node].count && nodes_[low].byte == byte ? low : 0;
  }

  std::vector<Node> nodes_;  // node 0 is the root
};

}  // namespace kgwalk::seq2seq
