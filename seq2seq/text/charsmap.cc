#include "seq2seq/text/charsmap.h"

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

bool has_leaf(std::uint32_t unit) { return (unit >> 8 & 1) != 0; }
std::uint32_t value_of(std::uint32_t unit) { return unit & 0x7FFFFFFFu; }
bool is_leaf(std::uint32_t unit) { return unit >> 31 != 0; }
// A leaf keeps its top bit, so that it equals no byte.
std::uint32_t label_of(std::uint32_t unit) { return unit & 0x800000FFu; }
std::uint32_t offset_of(std::uint32_t unit) { return unit >> 10 << ((unit & 0x200u) >> 6); }

std::uint32_t little_endian(std::string_view four) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(four[i]);
  return value;
}

}  // namespace

Charsmap::Charsmap(std::string_view blob, const std::string& source) {
  if (blob.empty()) return;
  const auto bad = [&](const std::string& why) {
    return FormatError(source + ": normalization rules: " + why + "; the model is damaged");
  };
  if (blob.size() < 4) throw bad("shorter than their header");
  const std::size_t trie_bytes = little_endian(blob);
  if (trie_bytes > blob.size() - 4) throw bad("the trie is cut off");
  if (trie_bytes == 0 || trie_bytes % 4 != 0) throw bad("the trie's size is not a multiple of four");
  for (std::size_t i = 0; i < trie_bytes; i += 4) units_.push_back(little_endian(blob.substr(4 + i, 4)));
  replacements_ = blob.substr(4 + trie_bytes);
  if (replacements_.empty() || replacements_.back() != '\0') throw bad("the last replacement is cut off");
  check_units(source);
}

// Walks every node from the root once. Look-ups then only need to guard against labels that lead outside.
void Charsmap::check_units(const std::string& source) const {
  const auto bad = [&](const std::string& why) {
    return FormatError(source + ": normalization rules: " + why + "; the model is damaged");
  };
  std::vector<bool> seen(units_.size());
  std::vector<std::size_t> open{0};
  seen[0] = true;
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    const std::size_t base = node ^ offset_of(units_[node]);
    if (has_leaf(units_[node])) {
      if (base >= units_.size() || !is_leaf(units_[base])) throw bad("a leaf is missing");
      if (value_of(units_[base]) >= replacements_.size()) throw bad("a replacement lies outside");
    }
    for (std::uint32_t byte = 1; byte < 256; ++byte) {
      const std::size_t child = base ^ byte;
      // Equal endings share nodes.
      if (child >= units_.size() || label_of(units_[child]) != byte || seen[child]) continue;
      seen[child] = true;
      open.push_back(child);
    }
  }
}

Charsmap::Match Charsmap::longest(std::string_view text) const {
  Match best;
  if (units_.empty()) return best;
  std::size_t node = offset_of(units_[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    node ^= byte;
    // No rule contains a zero byte.
    if (byte == 0 || node >= units_.size() || label_of(units_[node]) != byte) break;
    const std::uint32_t unit = units_[node];
    node ^= offset_of(unit);
    if (has_leaf(unit)) best = {i + 1, std::string_view(replacements_.data() + value_of(units_[node]))};
  }
  return best;
}

}  // namespace kgwalk::seq2seq
