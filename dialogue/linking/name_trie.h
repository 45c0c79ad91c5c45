// Names as sequences of words, and which entities bear each: a trie in one table of open addressing, so that
// a search stops at the first word that no name goes on with. Immutable and thread-safe after building.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kgwalk/graph_types.h"

namespace kgwalk::dialogue {

using WordId = std::int32_t;

class NameTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;  // of no name

  // Room for so many names, without which it is found while they are added.
  void reserve(std::size_t names);
  // `words` is not empty. Entities of a name come in the order in which they were added; one added twice in a
  // row counts once. Where the name ends is returned, for entities_at().
  Node add(std::span<const WordId> words, graph::EntityId entity);
  [[nodiscard]] std::span<const graph::EntityId> entities_at(Node node) const { return named_[node]; }

  [[nodiscard]] std::span<const graph::EntityId> find(std::span<const WordId> words) const;
  // Calls visit(number of words, entities) for each name that `text` begins with, shorter ones first.
  template <class Visit>
  void visit_prefixes(std::span<const WordId> text, Visit&& visit) const {
    Node node = kRoot;
    for (std::size_t n = 0; n < text.size(); ++n) {
      node = child(node, text[n]);
      if (node == kNowhere) return;
      if (const auto entities = entities_at(node); !entities.empty()) visit(n + 1, entities);
    }
  }

 private:
  static constexpr Node kNowhere = 0xffffffff;
  struct Slot {
    std::uint64_t key = 0;  // node and word; meaningful where child is not kNowhere
    Node child = kNowhere;
  };

  static std::uint64_t key_of(Node node, WordId word) {
    return (static_cast<std::uint64_t>(node) << 32) | static_cast<std::uint32_t>(word);
  }
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const;  // of the key, or of the free slot for it
  [[nodiscard]] Node child(Node node, WordId word) const {
    if (node != kRoot) return slots_.empty() ? kNowhere : slots_[place_of(key_of(node, word))].child;
    const auto first = static_cast<std::uint32_t>(word);
    return first < roots_.size() ? roots_[first] : kNowhere;
  }
  Node new_node() {
    named_.emplace_back();
    return static_cast<Node>(named_.size() - 1);
  }
  Node child_or_new(Node node, WordId word);
  void spread(std::size_t slots);  // over so many, a power of two

  std::vector<Node> roots_;                             // by the first word, of which most searches end
  std::vector<Slot> slots_;                             // by node and word, of all others
  std::size_t num_slots_ = 0;                           // taken
  std::vector<std::vector<graph::EntityId>> named_{1};  // by node
};

}  // namespace kgwalk::dialogue
