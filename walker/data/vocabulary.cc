#include "walker/data/vocabulary.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "dialogue/linking/name_index.h"

namespace kgwalk::walker {

Vocabulary::Vocabulary(std::span<const graph::Dialogue> dialogues, int min_messages) {
  std::unordered_map<std::string, int> messages;
  for (const graph::Dialogue& dialogue : dialogues) {
    for (const graph::DialogueEvent& event : dialogue.events) {
      const auto* chat = std::get_if<graph::Chat>(&event);
      if (chat == nullptr) continue;
      std::vector<std::string> words = dialogue::words_of(chat->text);
      std::sort(words.begin(), words.end());
      words.erase(std::unique(words.begin(), words.end()), words.end());
      for (const std::string& word : words) ++messages[word];
    }
  }
  std::vector<std::string> kept;
  for (const auto& [word, count] : messages)
    if (count >= min_messages) kept.push_back(word);
  std::sort(kept.begin(), kept.end());
  for (const std::string& word : kept) ids_.emplace(word, size());
}

std::vector<std::int64_t> Vocabulary::encode(std::string_view text,
                                             std::span<const std::string> masked) const {
  std::vector<std::int64_t> ids;
  for (const std::string& word : dialogue::words_of(text)) {
    const auto it = ids_.find(word);
    const bool hidden = std::find(masked.begin(), masked.end(), word) != masked.end();
    ids.push_back(hidden ? 0 : it == ids_.end() ? 1 : it->second);
  }
  if (ids.empty()) ids.push_back(0);
  return ids;
}

}  // namespace kgwalk::walker
