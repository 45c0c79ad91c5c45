#include "dialogue/response/ordinary_names.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <variant>

#include "dialogue/linking/name_index.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

constexpr int kSmallEnough = 3;     // times that a name is written small before it counts as ordinary
constexpr int kOneOfWord = 5;       // one of so many times that a name of one word is written, it is small
constexpr int kOneOfPhrase = 2;     // the same for names of several words
constexpr int kBeginsEnough = 3;    // times that it begins a sentence
constexpr std::size_t kDigits = 2;  // of a number that counts something

// A word of a message.
struct SpokenWord {
  std::string word;
  bool small = false;   // it is not written with a capital
  bool begins = false;  // a sentence
};

struct NameUse {
  int inside = 0, small = 0;  // occurrences inside sentences; of these, written small
  int begins = 0;             // at the beginning of a sentence
  int meant = 0;              // messages of dialogues with a path through the entity
};

bool small_letter(std::string_view chunk) {
  const std::size_t at = chunk.find_first_not_of("\"'([{<*_");
  if (at == std::string_view::npos) return false;
  const auto first = static_cast<unsigned char>(chunk[at]);
  if (first < 0x80) return first >= 'a' && first <= 'z';
  const std::string_view letter = chunk.substr(at, first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2);
  return !invalid_utf8_at(letter) && fold_name(letter) == letter;
}

bool closes_sentence(std::string_view chunk) {
  while (!chunk.empty() && std::string_view("\"')]}").find(chunk.back()) != std::string_view::npos)
    chunk.remove_suffix(1);
  return !chunk.empty() && std::string_view(".!?").find(chunk.back()) != std::string_view::npos;
}

std::vector<SpokenWord> spoken_words(std::string_view text) {
  std::vector<SpokenWord> words;
  bool begins = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n", at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
    const std::string_view chunk = text.substr(begin, end - begin);
    for (std::string& word : words_of(chunk)) {
      words.push_back({std::move(word), small_letter(chunk), begins});
      begins = false;
    }
    if (closes_sentence(chunk)) begins = true;
    at = end;
  }
  return words;
}

bool is_number(std::string_view words) {
  return words.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_ordinary(std::string_view words, const NameUse& use) {
  if (is_number(words)) return words.size() <= kDigits;
  const int share = words.find(' ') == std::string_view::npos ? kOneOfWord : kOneOfPhrase;
  if (use.inside > 0) return use.small >= kSmallEnough && share * use.small >= use.inside;
  return use.begins >= kBeginsEnough && use.meant == 0;
}

std::string joined_words(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

std::unordered_set<std::string> phrases_on_paths(const graph::Dialogue& dialogue,
                                                 const graph::KnowledgeGraph& graph) {
  std::unordered_set<std::string> phrases;
  const auto add = [&](graph::EntityId entity) {
    phrases.insert(joined_words(words_of(plain_name(graph.entity_name(entity)))));
  };
  for (const graph::DialogueEvent& event : dialogue.events)
    if (const auto* path = std::get_if<graph::WalkedPath>(&event))
      for (const graph::Triple& hop : path->hops) {
        add(hop.head);
        add(hop.tail);
      }
  return phrases;
}

using NameUses = std::unordered_map<std::string, NameUse>;

void count_uses(std::string_view text, const std::unordered_set<std::string>& on_paths, NameUses& uses) {
  const std::vector<SpokenWord> words = spoken_words(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string phrase;
    for (std::size_t n = 1; n <= kMaxNameWords && i + n <= words.size(); ++n) {
      const SpokenWord& last = words[i + n - 1];
      phrase.append(n == 1 ? "" : " ").append(last.word);
      const auto use = uses.find(phrase);
      if (use == uses.end()) continue;
      use->second.meant += on_paths.contains(phrase);
      if (words[i].begins) {
        ++use->second.begins;
      } else {
        ++use->second.inside;
        use->second.small += words[i].small && last.small;
      }
    }
  }
}

}  // namespace

OrdinaryNames::OrdinaryNames(const graph::KnowledgeGraph& graph, std::span<const graph::Dialogue> dialogues) {
  NameUses uses;
  for (graph::EntityId entity = 0; entity < graph.num_connected(); ++entity)
    uses.try_emplace(joined_words(words_of(plain_name(graph.entity_name(entity)))));
  uses.erase("");
  for (const graph::Dialogue& dialogue : dialogues) {
    const auto on_paths = phrases_on_paths(dialogue, graph);
    for (const graph::DialogueEvent& event : dialogue.events)
      if (const auto* chat = std::get_if<graph::Chat>(&event))
        if (!invalid_utf8_at(chat->text)) count_uses(chat->text, on_paths, uses);
  }
  for (const auto& [words, use] : uses)
    if (is_ordinary(words, use)) words_.insert(words);
}

bool OrdinaryNames::contains(std::string_view words) const { return words_.contains(std::string(words)); }

std::vector<std::string> OrdinaryNames::list() const {
  std::vector<std::string> sorted(words_.begin(), words_.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace kgwalk::dialogue
