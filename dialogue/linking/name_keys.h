// Entities by what people write for a name beside the name itself: without its blanks ("spiderman"), without
// its article, middle initial or subtitle, the last of its words alone, with a typing error, or inside a text
// without blanks. Torch-free; immutable and thread-safe after building.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialogue/linking/name_index.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::dialogue {

class NameKeys {
 public:
  // Names and aliases of entities with edges. A part that more than `most` entities have names none of them.
  NameKeys(const graph::KnowledgeGraph& graph, std::size_t most = 8);

  // By the letters of a name or alias, wherever the blanks are: "acdc" finds AC/DC. "And" counts as little as
  // "&".
  [[nodiscard]] std::vector<graph::EntityId> joined(std::span<const std::string> words) const;
  // By words that are a part of the name that stands for it: without a leading article, single letters in the
  // middle, what follows a colon or a dash; its first or last words that are more than everyday ones.
  [[nodiscard]] std::vector<graph::EntityId> with_part(std::string_view words) const;

  // Words of names that differ from an unknown word by one typing error, of nine letters and more also by a
  // letter missing and another one too many, nearest first. Words of fewer than five letters have none.
  [[nodiscard]] std::vector<std::string> near_words(std::string_view word) const;

  // The longest name that the letters begin with, of those in scripts without blanks: its bytes and who bears
  // it.
  struct Prefix {
    std::size_t bytes = 0;
    std::vector<graph::EntityId> entities;
  };
  [[nodiscard]] Prefix begins_with_name(std::string_view letters) const;
  [[nodiscard]] bool has_unspaced() const { return !unspaced_.empty(); }

 private:
  using Key = std::pair<std::uint64_t, graph::EntityId>;  // hash of a text
  void add_name(std::string_view name, graph::EntityId entity);
  void add_parts(std::string_view name, const std::vector<std::string>& words, graph::EntityId entity);
  void add_words();
  [[nodiscard]] static std::vector<graph::EntityId> find(const std::vector<Key>& keys, std::string_view text);

  std::size_t most_;
  std::vector<Key> joined_, parts_;
  std::vector<std::string> words_;  // of all names, sorted
  std::vector<std::pair<std::uint64_t, std::uint32_t>>
      short_;  // a word with a letter left out -> place in words_
  std::vector<std::pair<std::string, graph::EntityId>> unspaced_;  // sorted
};

}  // namespace kgwalk::dialogue
