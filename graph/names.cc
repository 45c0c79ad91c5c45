#include "graph/names.h"

#include <utf8proc.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <memory>

#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

bool is_ascii(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// Levenshtein distance to a pattern of at most 64 bytes, one machine word a column (Myers 1999, as Hyyrö
// 2001 states it).
class BitPattern {
 public:
  explicit BitPattern(std::string_view pattern) : length_(pattern.size()) {
    for (std::size_t i = 0; i < pattern.size(); ++i)
      peq_[static_cast<unsigned char>(pattern[i])] |= std::uint64_t{1} << i;
  }
  [[nodiscard]] std::size_t distance(std::string_view text) const noexcept {
    if (length_ == 0) return text.size();
    std::uint64_t positive = ~std::uint64_t{0}, negative = 0;
    const std::uint64_t last = std::uint64_t{1} << (length_ - 1);
    std::size_t score = length_;
    for (const char c : text) {
      const std::uint64_t equal = peq_[static_cast<unsigned char>(c)];
      const std::uint64_t vertical = equal | negative;
      const std::uint64_t diagonal = (((equal & positive) + positive) ^ positive) | equal;
      std::uint64_t up = negative | ~(diagonal | positive);
      std::uint64_t down = positive & diagonal;
      score += (up & last) != 0;
      score -= (down & last) != 0;
      up = (up << 1) | 1;
      down <<= 1;
      positive = down | ~(vertical | up);
      negative = up & vertical;
    }
    return score;
  }

 private:
  std::size_t length_;
  std::array<std::uint64_t, 256> peq_{};
};

bool begins_with_words(std::string_view text, std::string_view words) noexcept {
  if (words.empty() || !text.starts_with(words)) return false;
  return text.size() == words.size() || text[words.size()] == ' ' || text[words.size()] == ':' ||
         text[words.size()] == ',';
}

// The first letters of a name, as someone types who waits to be offered the rest.
bool begins_with_letters(std::string_view text, std::string_view letters) noexcept {
  constexpr std::size_t kFewest = 3;
  return letters.size() >= kFewest && text.starts_with(letters);
}

struct Near {
  std::size_t score;
  std::size_t index;
  auto operator<=>(const Near&) const = default;
};

// Whether `count` ids are more than empty_slots() would make a table of this size for.
bool is_full(std::span<const NameSlot> slots, std::size_t count) noexcept {
  return 4 * count > 3 * slots.size();
}

}  // namespace

std::string name_key(std::string_view text) {
  text = trimmed(text);
  if (is_ascii(text)) {
    std::string key(text);
    for (char& c : key)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return key;
  }
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &mapped,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
                                                  UTF8PROC_CASEFOLD));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (length < 0) throw ConfigError("a name is not valid UTF-8: " + std::string(utf8proc_errmsg(length)));
  return std::string(trimmed({reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(length)}));
}

std::string relation_spelling(std::string_view text) {
  std::string spelled(trimmed(text));
  if (!spelled.starts_with('~') && !is_ascii(spelled)) {
    const std::string key = name_key(spelled);  // a full-width tilde is a tilde too
    if (key.starts_with('~')) spelled = key;
  }
  if (spelled.starts_with('~')) spelled = "~" + std::string(trimmed(std::string_view(spelled).substr(1)));
  return spelled;
}

std::uint64_t hash_bytes(std::string_view bytes) noexcept { return XXH3_64bits(bytes.data(), bytes.size()); }

std::vector<NameSlot> empty_slots(std::size_t count) {
  return std::vector<NameSlot>(std::bit_ceil(std::max<std::size_t>((4 * count + 2) / 3, 2)),
                               NameSlot{0, kNoName});
}

void insert_slot(std::span<NameSlot> slots, std::uint64_t hash, std::uint32_t id) noexcept {
  const std::size_t mask = slots.size() - 1;
  std::size_t i = hash & mask;
  while (slots[i].id != kNoName) i = (i + 1) & mask;
  slots[i] = NameSlot{static_cast<std::uint32_t>(hash >> 32), id};
}

std::uint32_t StringPool::add(std::string_view text) {
  bytes_.append(text);
  offsets_.push_back(bytes_.size());
  return static_cast<std::uint32_t>(offsets_.size() - 2);
}

std::uint32_t StringSet::find(std::string_view text) const noexcept {
  return find_slot(slots_, hash_bytes(text), [&](std::uint32_t id) { return pool_[id] == text; });
}

std::uint32_t StringSet::insert(std::string_view text) {
  if (is_full(slots_, pool_.size() + 1)) grow();
  const std::uint32_t id = pool_.add(text);
  insert_slot(slots_, hash_bytes(text), id);
  return id;
}

void StringSet::grow() {
  slots_ = {};  // before the larger one is made
  slots_ = empty_slots(pool_.size() + 1);
  for (std::uint32_t id = 0; id < pool_.size(); ++id) insert_slot(slots_, hash_bytes(pool_[id]), id);
}

std::uint32_t NameInterner::known_spelling(std::string_view spelling) const noexcept {
  const std::uint32_t id = find_slot(by_spelling_, hash_bytes(spelling),
                                     [&](std::uint32_t other) { return names_[other] == spelling; });
  if (id != kNoName || other_spellings_.size() == 0) return id;
  const std::uint32_t found = other_spellings_.find(spelling);
  return found == kNoName ? kNoName : id_of_other_spelling_[found];
}

std::uint32_t NameInterner::find(std::string_view spelling) const {
  const std::uint32_t id = known_spelling(spelling);
  if (id != kNoName) return id;
  const std::string key = name_key(spelling);
  return find_slot(by_key_, hash_bytes(key),
                   [&](std::uint32_t other) { return name_key(names_[other]) == key; });
}

std::uint32_t NameInterner::insert(std::string_view name, std::uint64_t key_hash) {
  const std::uint32_t id = names_.add(name);
  if (is_full(by_key_, names_.size())) {
    grow();
    return id;
  }
  insert_slot(by_spelling_, hash_bytes(name), id);
  insert_slot(by_key_, key_hash, id);
  return id;
}

// With the last name.
void NameInterner::grow() {
  by_spelling_ = by_key_ = {};  // before the larger ones are made
  by_spelling_ = by_key_ = empty_slots(names_.size());
  for (std::uint32_t id = 0; id < names_.size(); ++id) {
    insert_slot(by_spelling_, hash_bytes(names_[id]), id);
    insert_slot(by_key_, hash_bytes(name_key(names_[id])), id);
  }
}

std::uint32_t NameInterner::intern(std::string_view spelling, bool& is_new) {
  is_new = false;
  std::uint32_t id = known_spelling(spelling);
  if (id != kNoName) return id;
  const std::string key = name_key(spelling);
  const std::uint64_t hash = hash_bytes(key);
  id = find_slot(by_key_, hash, [&](std::uint32_t other) { return name_key(names_[other]) == key; });
  is_new = id == kNoName;
  if (is_new) id = insert(trimmed(spelling), hash);
  if (names_[id] == spelling) return id;
  other_spellings_.insert(spelling);
  id_of_other_spelling_.push_back(id);
  return id;
}

std::vector<std::string> nearest_of(std::string_view query, std::size_t count,
                                    const std::function<std::string_view(std::size_t)>& name,
                                    std::size_t limit) {
  if (limit == 0 || invalid_utf8_at(query)) return {};
  const std::string key = name_key(query);
  const BitPattern pattern(std::string_view(key).substr(0, 64));
  const std::size_t farthest = std::max<std::size_t>(2, key.size() / 3);
  std::vector<Near> best;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view text = name(i);
    const bool close = text.size() <= key.size() + farthest + 8 && key.size() <= text.size() + farthest + 8;
    if (!close && text.size() < key.size()) continue;
    const std::string other = name_key(text);
    std::size_t score = farthest + 1;
    if (close) score = key.size() <= 64 ? pattern.distance(other) : edit_distance(key, other, farthest);
    if (begins_with_words(other, key)) score = std::min<std::size_t>(score, 1);
    const bool begun = begins_with_letters(other, key);
    if (begun) score = std::min(score, other.size() - key.size());  // letters to type, the distance
    if (begun || score <= farthest) best.push_back({score, i});
  }
  const std::size_t kept = std::min(limit, best.size());
  std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(kept), best.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kept; ++i) names.emplace_back(name(best[i].index));
  return names;
}

}  // namespace kgwalk::graph
