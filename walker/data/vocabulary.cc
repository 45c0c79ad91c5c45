#include "walker/data/vocabulary.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dialogue/linking/name_index.h"

namespace kgwalk::walker {

Vocabulary::Vocabulary(std::span<const graph::Dialogue> dialogues, int min_messages)
    : Vocabulary(dialogue::SaidWords(dialogues), min_messages) {}

Vocabulary::Vocabulary(const dialogue::SaidWords& said, int min_messages) {
  const std::size_t num_words = said.spellings().size();
  std::vector<int> messages(num_words, 0);
  std::vector<std::size_t> last(num_words, said.num_messages());  // message that had the word
  for (std::size_t m = 0; m < said.num_messages(); ++m)
    for (const dialogue::SaidWord word : said.message(m))
      if (std::exchange(last[word], m) != m) ++messages[word];
  std::vector<std::string> kept;
  for (std::size_t word = 0; word < num_words; ++word)
    if (messages[word] >= min_messages) kept.push_back(said.spellings()[word]);
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
