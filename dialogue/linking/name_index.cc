#include "dialogue/linking/name_index.h"

#include <utf8proc.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <utility>

#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::dialogue {
namespace {

bool is_word_character(utf8proc_int32_t c) {
  const utf8proc_category_t category = utf8proc_category(c);
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
         (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
}

bool is_apostrophe(utf8proc_int32_t c) { return c == '\'' || c == 0x2019 || c == 0x02bc; }

std::string folded(std::string_view text) {
  utf8proc_uint8_t* out = nullptr;
  const auto options = static_cast<utf8proc_option_t>(
      UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK | UTF8PROC_STABLE);
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()), &out, options);
  if (size < 0) throw ConfigError("text is not valid UTF-8: " + std::string(utf8proc_errmsg(size)));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(out, &std::free);
  return {reinterpret_cast<const char*>(out), static_cast<std::size_t>(size)};
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  return s;
}

}  // namespace

namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Whether the mark at `i` ends a word as in "C++" and "C#", where none goes on behind it.
bool is_mark_of_name(std::string_view text, std::size_t i) {
  while (i < text.size() && (text[i] == '+' || text[i] == '#')) ++i;
  return i == text.size() || (static_cast<unsigned char>(text[i]) < 0x80 &&
                              std::isalnum(static_cast<unsigned char>(text[i])) == 0);
}

// What folding comes to where there is nothing but ASCII, which most texts are.
std::vector<std::string> words_of_ascii(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      word += c;
    } else if (c >= 'A' && c <= 'Z') {
      word += static_cast<char>(c - 'A' + 'a');
    } else if ((c == '+' || c == '#') && !word.empty() && is_mark_of_name(text, i)) {
      word += c;
    } else if (c != '\'' && !word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  if (is_ascii(text)) return words_of_ascii(text);
  const std::string plain = folded(text);
  std::vector<std::string> words;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  const auto* p = reinterpret_cast<const utf8proc_uint8_t*>(plain.data());
  for (std::size_t i = 0; i < plain.size();) {
    utf8proc_int32_t c = 0;
    const utf8proc_ssize_t step =
        utf8proc_iterate(p + i, static_cast<utf8proc_ssize_t>(plain.size() - i), &c);
    if (is_word_character(c) || ((c == '+' || c == '#') && !word.empty() && is_mark_of_name(plain, i))) {
      word.append(plain, i, static_cast<std::size_t>(step));
    } else if (!is_apostrophe(c)) {
      flush();
    }
    i += static_cast<std::size_t>(step);
  }
  flush();
  return words;
}

namespace {

// Without "(...)" and a trailing "#n", whatever is left.
std::string without_qualifiers(std::string_view name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    depth += c == '(';
    if (depth == 0) plain += c;
    if (c == ')' && depth > 0) --depth;
  }
  std::string_view kept = trimmed(plain);
  const std::size_t hash = kept.rfind('#');
  if (hash != std::string_view::npos && hash + 1 < kept.size() &&
      std::all_of(kept.begin() + static_cast<std::ptrdiff_t>(hash) + 1, kept.end(),
                  [](char c) { return c >= '0' && c <= '9'; }))
    kept = trimmed(kept.substr(0, hash));
  return std::string(kept);
}

std::vector<std::string> words_of_name(std::string_view name) {
  if (name.find_first_of("(#") == std::string_view::npos) return words_of(name);
  std::vector<std::string> words = words_of(without_qualifiers(name));
  return words.empty() ? words_of(name) : words;
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string kept = without_qualifiers(name);
  return words_of(kept).empty() ? std::string(name) : kept;
}

// Behind the words of all names, so that these have the same ids with and without aliases.
void NameIndex::add_aliases(const graph::KnowledgeGraph& graph) {
  const graph::GraphDetails& details = graph::details(graph);
  if (!details.has_aliases()) return;
  std::vector<WordId> words;
  for (graph::EntityId e = 0; e < graph.num_connected(); ++e)
    for (const std::string_view alias : details.aliases(e)) {
      words.clear();
      for (const std::string& word : words_of_name(alias))
        words.push_back(words_.try_emplace(word, static_cast<WordId>(words_.size())).first->second);
      if (words.empty() || words.size() > kMaxNameWords || std::ranges::equal(words, name_words(e))) continue;
      named_.add(words, e);
    }
}

NameIndex::NameIndex(const graph::KnowledgeGraph& graph) {
  words_.reserve(graph.num_entities());
  starts_.reserve(graph.num_entities() + std::size_t{1});
  nodes_.reserve(graph.num_connected());
  named_.reserve(graph.num_connected());
  starts_.push_back(0);
  for (graph::EntityId e = 0; e < graph.num_entities(); ++e) {
    for (std::string& word : words_of_name(graph.entity_name(e))) {
      const auto [it, added] = words_.try_emplace(std::move(word), static_cast<WordId>(words_.size()));
      name_words_.push_back(it->second);
    }
    starts_.push_back(static_cast<std::uint32_t>(name_words_.size()));
    if (e >= graph.num_connected()) continue;
    nodes_.push_back(name_words(e).empty() ? NameTrie::kRoot : named_.add(name_words(e), e));
  }
  add_aliases(graph);
}

std::vector<WordId> NameIndex::encode(std::string_view text) const { return encode(words_of(text)); }

std::vector<WordId> NameIndex::encode(std::span<const std::string> words) const {
  std::vector<WordId> ids;
  for (const std::string& word : words) {
    const auto it = words_.find(word);
    ids.push_back(it == words_.end() ? kUnknownWord : it->second);
  }
  return ids;
}

std::span<const WordId> NameIndex::name_words(graph::EntityId entity) const {
  return std::span(name_words_).subspan(starts_[entity], starts_[entity + 1] - starts_[entity]);
}

std::span<const graph::EntityId> NameIndex::entities_named(std::span<const WordId> words) const {
  return named_.find(words);
}

std::span<const graph::EntityId> NameIndex::named_like(graph::EntityId entity) const {
  return entity < nodes_.size() ? named_.entities_at(nodes_[entity]) : entities_named(name_words(entity));
}

std::vector<graph::EntityId> NameIndex::mentions(std::span<const WordId> text) const {
  std::vector<graph::EntityId> found;
  for (std::size_t i = 0; i < text.size(); ++i)
    names_at(text.subspan(i), [&](std::size_t /*length*/, std::span<const graph::EntityId> entities) {
      found.insert(found.end(), entities.begin(), entities.end());
    });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<graph::EntityId> NameIndex::longest_mentions(std::span<const WordId> text,
                                                         std::span<const std::uint8_t> common) const {
  std::vector<graph::EntityId> found;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t longest = 0;
    std::span<const graph::EntityId> best;
    names_at(text.subspan(i), [&](std::size_t length, std::span<const graph::EntityId> entities) {
      if (length == 1 && common[static_cast<std::size_t>(text[i])] != 0) return;
      best = entities;
      longest = length;
    });
    found.insert(found.end(), best.begin(), best.end());
    i += std::max<std::size_t>(longest, 1);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace kgwalk::dialogue
