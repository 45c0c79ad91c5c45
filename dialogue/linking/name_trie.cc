#include "dialogue/linking/name_trie.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace kgwalk::dialogue {
namespace {

constexpr std::size_t kFirstSlots = 1024;  // a power of two, as all sizes are

// Spreads keys that differ in few bits (Stafford's mix 13 of splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

std::size_t NameTrie::place_of(std::uint64_t key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = mixed(key) & mask;
  while (slots_[place].child != kNowhere && slots_[place].key != key) place = (place + 1) & mask;
  return place;
}

NameTrie::Node NameTrie::child_or_new(Node node, WordId word) {
  if (node == kRoot) {
    const auto first = static_cast<std::uint32_t>(word);
    if (first >= roots_.size()) roots_.resize(first + std::size_t{1}, kNowhere);
    if (roots_[first] == kNowhere) roots_[first] = new_node();
    return roots_[first];
  }
  if (2 * num_slots_ >= slots_.size()) spread(std::max(kFirstSlots, 2 * slots_.size()));
  Slot& slot = slots_[place_of(key_of(node, word))];
  if (slot.child == kNowhere) {
    slot = {key_of(node, word), new_node()};
    ++num_slots_;
  }
  return slot.child;
}

void NameTrie::reserve(std::size_t names) {
  named_.reserve(2 * names);
  const std::size_t slots = std::bit_ceil(std::max(kFirstSlots, 2 * names));
  if (slots > slots_.size()) spread(slots);
}

void NameTrie::spread(std::size_t slots) {
  std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots));
  for (const Slot& slot : before)
    if (slot.child != kNowhere) slots_[place_of(slot.key)] = slot;
}

NameTrie::Node NameTrie::add(std::span<const WordId> words, graph::EntityId entity) {
  Node node = kRoot;
  for (const WordId word : words) node = child_or_new(node, word);
  std::vector<graph::EntityId>& named = named_[node];
  if (named.empty() || named.back() != entity) named.push_back(entity);
  return node;
}

std::span<const graph::EntityId> NameTrie::find(std::span<const WordId> words) const {
  Node node = kRoot;
  for (const WordId word : words)
    if (node = child(node, word); node == kNowhere) return {};
  return node == kRoot ? std::span<const graph::EntityId>() : entities_at(node);
}

}  // namespace kgwalk::dialogue
