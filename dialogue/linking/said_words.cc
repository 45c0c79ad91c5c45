#include "dialogue/linking/said_words.h"

#include <unordered_map>
#include <utility>

#include "dialogue/linking/name_index.h"

namespace kgwalk::dialogue {

SaidWords::SaidWords(std::span<const graph::Dialogue> dialogues)
    : num_dialogues_(dialogues.size()), begins_{0} {
  std::unordered_map<std::string, SaidWord> known;
  for (std::size_t d = 0; d < dialogues.size(); ++d)
    for (const graph::DialogueEvent& event : dialogues[d].events) {
      const auto* chat = std::get_if<graph::Chat>(&event);
      if (chat == nullptr) continue;
      for (std::string& word : words_of(chat->text)) {
        const auto [it, added] = known.try_emplace(std::move(word), static_cast<SaidWord>(spellings_.size()));
        if (added) spellings_.push_back(it->first);
        words_.push_back(it->second);
      }
      dialogues_.push_back(d);
      begins_.push_back(words_.size());
    }
}

}  // namespace kgwalk::dialogue
