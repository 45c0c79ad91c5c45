// How names are compared, and hash tables from names to ids that live in flat memory.
//
// Two names are the same name when their keys are equal. The key is NFKC, case-folded and trimmed;
// inner runs of spaces stay as they are, because OpenDialKG has different entities that differ only
// there ("John Williams" is not "John Williams"). A look-up falls back to the looser form with single
// spaces (runtime/text.h fold_name).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::graph {

// The key of a name; `text` must be valid UTF-8 (ConfigError otherwise).
[[nodiscard]] std::string name_key(std::string_view text);

// A relation's spelling with its inversion mark in front and no space behind it: " ~ x" gives "~x".
[[nodiscard]] std::string relation_spelling(std::string_view text);

// XXH3, 64 bit.
[[nodiscard]] std::uint64_t hash_bytes(std::string_view bytes) noexcept;

// One slot of an open-addressing table (linear probing, power-of-two size); an empty slot has id kNoName.
struct NameSlot {
  std::uint32_t tag;  // upper half of the hash
  std::uint32_t id;
};
inline constexpr std::uint32_t kNoName = 0xffffffffu;

// Slots for `count` ids at a load of at most three quarters.
[[nodiscard]] std::vector<NameSlot> empty_slots(std::size_t count);
void insert_slot(std::span<NameSlot> slots, std::uint64_t hash, std::uint32_t id) noexcept;

// The id whose tag matches and for which equal(id) holds; kNoName when there is none. `touch` is called with
// each slot before it is read.
template <class Equal, class Touch>
[[nodiscard]] std::uint32_t find_slot(std::span<const NameSlot> slots, std::uint64_t hash, Equal&& equal,
                                      Touch&& touch) {
  if (slots.empty()) return kNoName;
  const std::size_t mask = slots.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    touch(slots.subspan(i, 1));
    if (slots[i].id == kNoName) return kNoName;
    if (slots[i].tag == tag && equal(slots[i].id)) return slots[i].id;
  }
}

template <class Equal>
[[nodiscard]] std::uint32_t find_slot(std::span<const NameSlot> slots, std::uint64_t hash, Equal&& equal) {
  return find_slot(slots, hash, equal, [](std::span<const NameSlot>) {});
}

// Strings one behind the other: string i is bytes[offsets[i], offsets[i + 1]).
class StringPool {
 public:
  std::uint32_t add(std::string_view text);
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
    return std::string_view(bytes_).substr(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  [[nodiscard]] std::size_t size() const noexcept { return offsets_.size() - 1; }
  [[nodiscard]] std::span<const std::uint64_t> offsets() const noexcept { return offsets_; }
  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
  std::vector<std::uint64_t> offsets_{0};
};

// A growing set of strings with ids in order of insertion.
class StringSet {
 public:
  StringSet() : slots_(empty_slots(384)) {}
  [[nodiscard]] std::uint32_t find(std::string_view text) const noexcept;
  // `text` must be new.
  std::uint32_t insert(std::string_view text);
  [[nodiscard]] const StringPool& strings() const noexcept { return pool_; }
  [[nodiscard]] std::size_t size() const noexcept { return pool_.size(); }

 private:
  void grow();
  StringPool pool_;
  std::vector<NameSlot> slots_;
};

// Names as they are met: the first spelling of each key is kept and gets the next id. Two tables lead to a
// name, which is stored once; other spellings of it, which are few, are stored beside.
class NameInterner {
 public:
  // Id of a spelling met before, else kNoName; cheap, no folding.
  [[nodiscard]] std::uint32_t known_spelling(std::string_view spelling) const noexcept;
  // Id of the name under any spelling, else kNoName.
  [[nodiscard]] std::uint32_t find(std::string_view spelling) const;
  // Id of the name, new or not; `is_new` tells which. The spelling must be valid UTF-8 with a key that
  // is not empty.
  std::uint32_t intern(std::string_view spelling, bool& is_new);
  [[nodiscard]] const StringPool& names() const noexcept { return names_; }
  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  // All names by their keys, as empty_slots(size()) and insert_slot() in the order of ids make it.
  [[nodiscard]] std::span<const NameSlot> key_slots() const noexcept { return by_key_; }

 private:
  std::uint32_t insert(std::string_view name, std::uint64_t key_hash);
  void grow();

  StringPool names_;
  std::vector<NameSlot> by_spelling_ = empty_slots(0), by_key_ = empty_slots(0);
  StringSet other_spellings_;
  std::vector<std::uint32_t> id_of_other_spelling_;
};

// Nearest of `count` names (name(i) gives the i-th), best first: names that begin with `query` as whole
// words, then by edit distance between keys up to a third of the length (at least 2). At most `limit`.
[[nodiscard]] std::vector<std::string> nearest_of(std::string_view query, std::size_t count,
                                                  const std::function<std::string_view(std::size_t)>& name,
                                                  std::size_t limit);

}  // namespace kgwalk::graph
