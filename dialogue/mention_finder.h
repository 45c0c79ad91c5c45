// Which entity names occur in a text. Torch-free.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "graph/knowledge_graph.h"
#include "seq2seq/text/piece_trie.h"

namespace kgwalk::dialogue {

struct Mention {
  graph::EntityId entity = 0;
  std::size_t begin = 0, end = 0;  // bytes of the folded text (runtime/text.h fold_name)
  friend bool operator==(const Mention&, const Mention&) = default;
};

// A byte trie over all folded names. Immutable and thread-safe after building.
class MentionFinder {
 public:
  explicit MentionFinder(const graph::KnowledgeGraph& graph);

  // From the left, the longest name that begins and ends at a word boundary, then on behind it: mentions do
  // not overlap. A boundary lies wherever a letter or digit meets none. Text and names are compared folded;
  // of names that fold alike the first entity is meant. Text that is not valid UTF-8 throws ConfigError.
  [[nodiscard]] std::vector<Mention> find(std::string_view text) const;

 private:
  std::vector<std::string> names_;  // folded, distinct
  seq2seq::PieceTrie trie_;         // values are entity ids
};

}  // namespace kgwalk::dialogue
