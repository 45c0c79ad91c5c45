// What the training dialogues say about entities, relations and hops: counts that the prior and the candidate
// features use, each with the counts of a dialogue's own group left out while that group is trained on.
//
// Groups: dialogues (of all training splits) that share a long message are one group, since single turns of a
// dialogue may occur as separate rows. Immutable and thread-safe after building.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dialogue/linking/name_index.h"
#include "dialogue/linking/said_words.h"
#include "kgwalk/dialogue.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::walker {

using GroupId = std::int32_t;
inline constexpr GroupId kNoGroup = -1;  // nothing is left out (evaluation)

// A count with its share of each group, so that any one group can be left out.
class GroupedCount {
 public:
  void add(GroupId group);
  [[nodiscard]] std::int32_t without(GroupId group) const noexcept;

 private:
  std::int32_t total_ = 0;
  std::vector<std::pair<GroupId, std::int32_t>>
      by_group_;  // in ascending order once sealed; groups arrive in order
};

// Counts keyed by one or two ids.
class CountTable {
 public:
  void add(std::uint32_t a, std::uint32_t b, GroupId group) { counts_[key(a, b)].add(group); }
  [[nodiscard]] std::int32_t count(std::uint32_t a, std::uint32_t b, GroupId without) const noexcept {
    const auto it = counts_.find(key(a, b));
    return it == counts_.end() ? 0 : it->second.without(without);
  }

 private:
  static std::uint64_t key(std::uint32_t a, std::uint32_t b) {
    return (static_cast<std::uint64_t>(a) << 32) | b;
  }
  std::unordered_map<std::uint64_t, GroupedCount> counts_;
};

class Statistics {
 public:
  // Counts over `dialogues`, the training splits one after the other.
  Statistics(const dialogue::NameIndex& names, std::span<const graph::Dialogue> dialogues);
  // The same where their words were split already.
  Statistics(const dialogue::NameIndex& names, std::span<const graph::Dialogue> dialogues,
             const dialogue::SaidWords& said);

  [[nodiscard]] GroupId group_of(std::size_t dialogue) const { return groups_[dialogue]; }

  // Counts with one group left out (kNoGroup: all).
  [[nodiscard]] int targets(graph::EntityId e, GroupId g) const {
    return targets_.count(e, 0, g);
  }  // path ends
  [[nodiscard]] int middles(graph::EntityId e, GroupId g) const { return middles_.count(e, 0, g); }
  [[nodiscard]] int starts(graph::EntityId e, GroupId g) const { return starts_.count(e, 0, g); }
  [[nodiscard]] int messages(graph::EntityId e, GroupId g) const {
    return messages_.count(e, 0, g);
  }  // naming e
  [[nodiscard]] int hops(graph::EntityId a, graph::EntityId b, GroupId g) const {
    return hops_.count(a, b, g);
  }
  [[nodiscard]] int relation_at(graph::EntityId a, graph::RelationId r, GroupId g) const {
    return relation_at_.count(a, r, g);
  }
  [[nodiscard]] int relation_to(graph::RelationId r, graph::EntityId b, GroupId g) const {
    return relation_to_.count(r, b, g);
  }
  [[nodiscard]] int ends_from(graph::EntityId start, graph::EntityId end, GroupId g) const {
    return ends_from_.count(start, end, g);
  }
  [[nodiscard]] int relations(graph::RelationId r, GroupId g) const { return relations_.count(r, 0, g); }

  // log((messages + 2) / (1 + messages with the word)), at least 0.3; for words of names.
  [[nodiscard]] float rarity(dialogue::WordId word) const { return rarity_[static_cast<std::size_t>(word)]; }

  // By word of names: 1 for words in at least 1 % of the messages.
  [[nodiscard]] std::span<const std::uint8_t> common_words() const { return common_; }
  // Checksum of the dialogues counted: a run remembers it and refuses other training data.
  [[nodiscard]] const std::string& checksum() const { return checksum_; }

 private:
  struct Messages;
  void find_groups(const Messages& messages);
  void count_words(const Messages& messages, std::int32_t num_words);
  void count_paths(std::span<const graph::Dialogue> dialogues);
  void count_mentions(const dialogue::NameIndex& names, const Messages& messages);

  std::vector<GroupId> groups_;
  CountTable targets_, middles_, starts_, messages_, hops_, relation_at_, relation_to_, ends_from_,
      relations_;
  std::vector<float> rarity_;
  std::vector<std::uint8_t> common_;  // words in at least 1 % of the messages
  std::string checksum_;
};

}  // namespace kgwalk::walker
