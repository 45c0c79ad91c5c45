#include "seq2seq/text/piece_trie.h"

#include <algorithm>

namespace kgwalk::seq2seq {

PieceTrie::PieceTrie(std::vector<std::pair<std::string_view, int>> entries) {
  if (entries.empty()) return;
  std::sort(entries.begin(), entries.end());
  struct Range {
    std::size_t begin, end, depth, node;
  };
  nodes_.emplace_back();
  // Breadth first, so that the children of a node are laid down side by side.
  std::vector<Range> queue{{0, entries.size(), 0, 0}};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    Range range = queue[head];
    if (entries[range.begin].first.size() == range.depth) {
      nodes_[range.node].value = entries[range.begin].second;
      ++range.begin;
    }
    nodes_[range.node].first = static_cast<std::uint32_t>(nodes_.size());
    for (std::size_t i = range.begin; i < range.end;) {
      const char byte = entries[i].first[range.depth];
      std::size_t end = i;
      while (end < range.end && entries[end].first[range.depth] == byte) ++end;
      ++nodes_[range.node].count;
      queue.push_back({i, end, range.depth + 1, nodes_.size()});
      nodes_.emplace_back();
      nodes_.back().byte = static_cast<unsigned char>(byte);
      i = end;
    }
  }
}

}  // namespace kgwalk::seq2seq
