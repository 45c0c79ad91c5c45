#include "dialogue/response/forbidden_names.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>

namespace kgwalk::dialogue {
namespace {

bool letter_or_digit(utf8proc_int32_t code) {
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return true;
    default:
      return false;
  }
}

std::string without_apostrophes(std::string_view text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') continue;
    if (text.substr(i).starts_with("\u2019")) {
      i += 2;
      continue;
    }
    kept += text[i];
  }
  return kept;
}

// "Emma #2" and "Emma (1996 Film)" to "Emma".
std::string without_qualifier(std::string_view name) {
  for (const std::string_view mark : {" (", " #"})
    if (const std::size_t at = name.find(mark); at != std::string_view::npos && at > 0)
      name = name.substr(0, at);
  return std::string(name);
}

std::string in_line(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) line.append(line.empty() ? "" : " ").append(word);
  return line;
}

// Hash of a sequence that grows at its front.
std::uint64_t hash_before(const std::string& word, std::uint64_t hash) {
  std::uint64_t mixed = (hash ^ std::hash<std::string>{}(word)) * 0x9e3779b97f4a7c15ULL;
  mixed ^= mixed >> 32;
  return mixed * 0xd6e8feb86659fd93ULL;
}

}  // namespace

std::vector<std::string> guarded_words(std::string_view text) {
  utf8proc_uint8_t* mapped = nullptr;
  const auto how = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE |
                                                  UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK);
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()), &mapped, how);
  std::vector<std::string> words;
  if (size < 0) return words;
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  bool inside = false;
  for (utf8proc_ssize_t at = 0; at < size;) {
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t length = utf8proc_iterate(mapped + at, size - at, &code);
    const bool part = letter_or_digit(code);
    if (part && !inside) words.emplace_back();
    if (part)
      words.back().append(reinterpret_cast<const char*>(mapped + at), static_cast<std::size_t>(length));
    inside = part;
    at += length;
  }
  return words;
}

ForbiddenNames::ForbiddenNames(const graph::KnowledgeGraph& graph, const OrdinaryNames& ordinary) {
  for (graph::EntityId entity = 0; entity < graph.num_connected(); ++entity) {
    const std::string name(graph.entity_name(entity)), plain = without_qualifier(name);
    if (ordinary.contains(in_line(guarded_words(without_apostrophes(plain))))) continue;
    for (const std::string& form : {name, plain})
      for (const std::string& text : {form, without_apostrophes(form)}) add(guarded_words(text));
  }
}

void ForbiddenNames::add(const std::vector<std::string>& words) {
  if (words.empty()) return;
  longest_ = std::max(longest_, words.size());
  std::uint64_t hash = 0;
  bool* whole = nullptr;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    hash = hash_before(*word, hash);
    whole = &endings_.try_emplace(hash, false).first->second;
  }
  size_ += *whole ? 0 : 1;
  *whole = true;
}

std::vector<std::size_t> ForbiddenNames::ending(std::span<const std::string> words) const {
  std::vector<std::size_t> lengths;
  std::uint64_t hash = 0;
  for (std::size_t n = 1; n <= std::min(longest_, words.size()); ++n) {
    hash = hash_before(words[words.size() - n], hash);
    const auto found = endings_.find(hash);
    if (found == endings_.end()) break;
    if (found->second) lengths.push_back(n);
  }
  return lengths;
}

void AllowedNames::allow(std::string_view text) {
  for (const std::string& form : {std::string(text), without_apostrophes(text)})
    texts_.push_back(" " + in_line(guarded_words(form)) + " ");
}

AllowedNames::AllowedNames(std::span<const std::string> texts) {
  for (const std::string& text : texts) allow(text);
}

AllowedNames::AllowedNames(const Message& message) {
  for (const std::string& name : names_of(message)) allow(name);
  allow(message.goal);
  for (const graph::Chat& said : message.context) allow(said.text);
}

bool AllowedNames::contain(std::span<const std::string> words) const {
  const std::string sought = " " + in_line(words) + " ";
  return std::any_of(texts_.begin(), texts_.end(),
                     [&](const std::string& text) { return text.find(sought) != std::string::npos; });
}

}  // namespace kgwalk::dialogue
