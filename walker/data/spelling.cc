#include "walker/data/spelling.h"

#include <algorithm>
#include <vector>

#include "dialogue/linking/name_index.h"

namespace kgwalk::walker {

void Spelling::learn(std::string_view text, std::int64_t times) {
  for (std::string& word : dialogue::words_of(text)) uses_[std::move(word)] += times;
}

void Spelling::learn(const dialogue::SaidWords& said) {
  std::vector<std::int64_t> uses(said.spellings().size(), 0);
  for (const dialogue::SaidWord word : said.words()) ++uses[word];
  for (std::size_t word = 0; word < uses.size(); ++word) uses_[said.spellings()[word]] += uses[word];
}

bool Spelling::is_known(const std::string& word) const {
  const auto used = uses_.find(word);
  return (used != uses_.end() && used->second >= kSeen) || known_.contains(word);
}

void Spelling::consider(const std::string& near, std::string& best, std::int64_t& uses) const {
  const auto found = uses_.find(near);
  if (found == uses_.end() || found->second < std::max(uses, kFrequent)) return;
  if (found->second == uses && near >= best) return;
  best = near;
  uses = found->second;
}

std::string Spelling::mended(const std::string& word) const {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  if (word.size() < kShortest || !std::all_of(word.begin(), word.end(), is_letter) || is_known(word))
    return word;
  std::string best = word;
  std::int64_t uses = 0;
  for (std::size_t i = 0; i <= word.size(); ++i) {
    std::string near = word;
    if (i < word.size()) consider(near.erase(i, 1), best, uses);
    near = word;
    if (i + 1 < word.size()) {
      std::swap(near[i], near[i + 1]);
      consider(near, best, uses);
    }
    for (char letter = 'a'; letter <= 'z'; ++letter) {
      near = word;
      consider(near.insert(i, 1, letter), best, uses);
      near = word;
      if (i == word.size()) continue;
      near[i] = letter;
      consider(near, best, uses);
    }
  }
  return best;
}

}  // namespace kgwalk::walker
