// Entity names as words: which names a text mentions, and how much of a name it holds.
//
// Words are runs of letters and digits, compatibility-decomposed, without accents, case-folded, apostrophes
// dropped; "+" and "#" belong to the word that they end ("C++", "C#"). The name of "Star Trek (Science
// Fiction Film)" counts as "star trek", that of "Emma #2" as "emma". Aliases (kgwalk/graph_details.h) are
// names like others wherever texts are searched; name_words() is of the name alone. Immutable and thread-safe
// after building.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dialogue/linking/name_trie.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::dialogue {

inline constexpr WordId kUnknownWord = -1;        // in no entity name
inline constexpr std::size_t kMaxNameWords = 12;  // longer names are not looked for in texts

// Words of a text as strings, in order.
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);

// Without "(...)" and a trailing "#n"; the whole name when nothing would be left.
[[nodiscard]] std::string plain_name(std::string_view name);

class NameIndex {
 public:
  explicit NameIndex(const graph::KnowledgeGraph& graph);

  [[nodiscard]] std::int32_t num_words() const { return static_cast<std::int32_t>(words_.size()); }
  // Words of a text; kUnknownWord where no name has the word.
  [[nodiscard]] std::vector<WordId> encode(std::string_view text) const;
  [[nodiscard]] std::vector<WordId> encode(std::span<const std::string> words) const;
  [[nodiscard]] std::span<const WordId> name_words(graph::EntityId entity) const;

  // Entities with edges whose plain name or alias is just these words; empty when there is none.
  [[nodiscard]] std::span<const graph::EntityId> entities_named(std::span<const WordId> words) const;
  // Calls visit(number of words, those entities) for each name that the text begins with, shorter ones first;
  // names of more than kMaxNameWords are not looked for.
  template <class Visit>
  void names_at(std::span<const WordId> text, Visit&& visit) const {
    named_.visit_prefixes(text.first(std::min(text.size(), kMaxNameWords)), std::forward<Visit>(visit));
  }
  // Entities with edges and the same plain name, the entity itself among them when it has edges.
  [[nodiscard]] std::span<const graph::EntityId> named_like(graph::EntityId entity) const;

  // Entities whose whole name occurs in the text, ascending, once each. All occurrences count,
  // overlapping ones too.
  [[nodiscard]] std::vector<graph::EntityId> mentions(std::span<const WordId> text) const;
  // The same, longest names first from the left, no overlaps; names of one word only when `common` (by
  // WordId) is 0.
  [[nodiscard]] std::vector<graph::EntityId> longest_mentions(std::span<const WordId> text,
                                                              std::span<const std::uint8_t> common) const;

 private:
  void add_aliases(const graph::KnowledgeGraph& graph);

  std::unordered_map<std::string, WordId> words_;
  std::vector<std::uint32_t> starts_;  // [entities + 1] into name_words_
  std::vector<WordId> name_words_;
  NameTrie named_;
  std::vector<NameTrie::Node> nodes_;  // [entities with edges] in named_
};

}  // namespace kgwalk::dialogue
