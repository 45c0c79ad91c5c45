#include "walker/data/vocabulary.h"

#include <algorithm>
#include <map>
#include <set>

#include "dialogue/linking/name_index.h"

namespace kgwalk::walker {

Vocabulary::Vocabulary(std::span<const graph::Dialogue> dialogues, int min_messages) {
  std::map<std::string, int> messages;
  for (const graph::Dialogue& dialogue : dialogues) {
    for (const graph::DialogueEvent& event : dialogue.events) {
      const auto* chat = std::get_if<graph::Chat>(&event);
      if (chat == nullptr) continue;
      const std::vector<std::string> words = dialogue::words_of(chat->text);
      for (const std::string& word : std::set<std::string>(words.begin(), words.end())) ++messages[word];
    }
  }
  for (const auto& [word, count] : messages)
    if (count >= min_messages) ids_.emplace(word, size());
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
