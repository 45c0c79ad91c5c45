#include "dialogue/questions/remarks.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>
#include <variant>

#include "dialogue/linking/name_index.h"

namespace kgwalk::dialogue {
namespace {

// Anywhere in an utterance: it may ask.
constexpr std::array<std::string_view, 25> kAsking{
    "who",       "whom",      "whose",  "what",  "when",    "where", "which",      "why",    "how",
    "whats",     "whos",      "know",   "tell",  "name",    "names", "list",       "please", "suggest",
    "recommend", "wondering", "wonder", "could", "curious", "info",  "information"};
// At its begin.
constexpr std::array<std::string_view, 18> kInverted{"is",     "are", "was",      "were", "do",   "does",
                                                     "did",    "has", "have",     "can",  "will", "would",
                                                     "should", "any", "anything", "isnt", "give", "find"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool may_ask(std::string_view text, std::span<const std::string> words) {
  if (text.find('?') != std::string_view::npos) return true;
  if (among(kInverted, words.front())) return true;
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return among(kAsking, word); });
}

}  // namespace

std::vector<std::string> remarks_of(std::span<const graph::Dialogue> dialogues, std::size_t most_words) {
  std::vector<std::string> remarks;
  std::unordered_set<std::string_view> seen;
  for (const graph::Dialogue& dialogue : dialogues)
    for (const auto& event : dialogue.events) {
      const auto* chat = std::get_if<graph::Chat>(&event);
      if (chat == nullptr) continue;
      const std::vector<std::string> words = words_of(chat->text);
      if (words.empty() || words.size() > most_words || may_ask(chat->text, words)) continue;
      if (seen.insert(chat->text).second) remarks.push_back(chat->text);
    }
  return remarks;
}

}  // namespace kgwalk::dialogue
