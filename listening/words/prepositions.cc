#include "listening/words/prepositions.h"

#include <algorithm>

namespace kgwalk::listening {

Prepositions preposition(std::string_view folded) noexcept {
  constexpr std::string_view kAll[] = {"in", "from", "by", "with", "for", "at", "on", "to", "under", "about"};
  const auto found = std::find(std::begin(kAll), std::end(kAll), folded);
  return found == std::end(kAll) ? Prepositions{0} : static_cast<Prepositions>(1U << (found - kAll));
}

RelationPrepositions prepositions_of(std::span<const std::string> words, const Family* family) {
  RelationPrepositions out;
  const auto add = [](std::string_view text, Prepositions& to) {
    to = static_cast<Prepositions>(to | preposition(text.substr(text.rfind(' ') + 1)));
  };
  if (words.size() > 1)
    for (const std::string& word : {words.front(), words.back()}) add(word, out.before_tail);
  if (family == nullptr) return out;
  for (const auto& [base, past] : family->does) add(base, out.before_tail);
  for (const auto& [base, past] : family->acts) add(base, out.before_head);
  if (!family->done.empty()) add("by", out.before_tail);
  return out;
}

}  // namespace kgwalk::listening
