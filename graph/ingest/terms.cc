#include "graph/ingest/terms.h"

#include <array>
#include <cstring>
#include <iterator>

namespace kgwalk::graph {
namespace {

constexpr char kLetters[] = {'<', '_', '"', '#', '='};  // in the order of TermKind
constexpr std::array<TermKind, 128> make_kinds() {
  std::array<TermKind, 128> kinds{};
  for (std::size_t i = 0; i < std::size(kLetters); ++i)
    kinds[static_cast<unsigned char>(kLetters[i])] = static_cast<TermKind>(i);
  return kinds;
}
constexpr std::array<TermKind, 128> kKinds = make_kinds();
constexpr std::size_t kLiteralHead = 1 + 2 * sizeof(std::uint32_t);

void append_word(std::string& key, std::uint32_t word) {
  key.append(reinterpret_cast<const char*>(&word), sizeof(word));
}

}  // namespace

TermId Terms::find(const Term& term) {
  key_.assign(1, kLetters[static_cast<std::size_t>(term.kind)]);
  if (term.kind == TermKind::kName) return key_ += name_key(term.text), keys_.find(key_);
  if (term.kind == TermKind::kLiteral) {
    append_word(key_, word(term.language));
    append_word(key_, word(term.datatype));
  }
  key_ += term.text;
  return keys_.find(key_);
}

TermKind Terms::kind(TermId id) const noexcept {
  return kKinds[static_cast<unsigned char>(keys_.strings()[id].front()) % kKinds.size()];
}

std::string_view Terms::text(TermId id) const noexcept {
  return keys_.strings()[id].substr(is_literal(id) ? kLiteralHead : 1);
}

std::uint32_t Terms::word_at(TermId id, std::size_t position) const noexcept {
  if (!is_literal(id)) return 0;
  std::uint32_t word = 0;
  std::memcpy(&word, keys_.strings()[id].data() + position, sizeof(word));
  return word;
}

std::uint32_t Terms::word(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint32_t known = words_.find(text);
  return known == kNoName ? words_.insert(text) : known;
}

}  // namespace kgwalk::graph
