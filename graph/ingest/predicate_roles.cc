#include "graph/ingest/predicate_roles.h"

#include <algorithm>
#include <utility>

namespace kgwalk::graph {

PredicateRoles::PredicateRoles(const InputOptions& options, const Prefixes& prefixes)
    : prefixes_(prefixes), finds_names_(options.labels.empty()) {
  const InputOptions plain;
  labels_ = finds_names_ ? words_of(naming_properties(), false) : words_of(options.labels, true);
  aliases_ = words_of(options.aliases, options.aliases != plain.aliases);
  descriptions_ = words_of(options.descriptions, options.descriptions != plain.descriptions);
}

std::vector<PredicateRoles::Word> PredicateRoles::words_of(const std::vector<std::string>& texts,
                                                           bool by_user) {
  std::vector<Word> words;
  for (const std::string& text : texts) words.push_back({text, by_user, false});
  return words;
}

PredicateRoles::Word* PredicateRoles::meant(std::vector<Word>& words, std::string_view text) const {
  for (Word& word : words) {
    // What names things unasked is spelled out: a last part alone may stand for anything.
    const bool fits =
        &words == &labels_ && finds_names_ ? word.text == text : means(word.text, text, prefixes_);
    if (!fits) continue;
    word.matched = true;
    return &word;
  }
  return nullptr;
}

PredicateRole PredicateRoles::decide(std::string_view text) {
  using Kind = PredicateRole::Kind;
  if (const Word* label = meant(labels_, text))
    return {Kind::kLabel, static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(label - labels_.data(), 255))};
  if (meant(aliases_, text) != nullptr) return {Kind::kAlias, 0};
  if (meant(descriptions_, text) != nullptr) return {Kind::kDescription, 0};
  return {finds_names_ && may_name(text) ? Kind::kPerhapsName : Kind::kFact, 0};
}

PredicateRole PredicateRoles::of(TermId id, std::string_view text) {
  if (id >= known_.size()) known_.resize(std::max<std::size_t>(id + 1, known_.size() * 2));
  if (known_[id].kind == PredicateRole::Kind::kUnknown) known_[id] = decide(text);
  return known_[id];
}

std::vector<std::string> PredicateRoles::unmatched() const {
  std::vector<std::string> left;
  const std::pair<const char*, const std::vector<Word>*> lists[] = {
      {"label", &labels_}, {"alias", &aliases_}, {"description", &descriptions_}};
  for (const auto& [option, words] : lists)
    for (const Word& word : *words)
      if (word.by_user && !word.matched) left.push_back(std::string(option) + " '" + word.text + "'");
  return left;
}

}  // namespace kgwalk::graph
