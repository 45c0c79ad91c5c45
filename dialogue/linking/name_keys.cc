#include "dialogue/linking/name_keys.h"

#include <algorithm>
#include <unordered_set>

#include "dialogue/linking/everyday_words.h"
#include "dialogue/linking/text_words.h"
#include "graph/names.h"
#include "kgwalk/graph_details.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

using graph::EntityId;

constexpr std::size_t kShortestSlip = 5;  // letters of a word that may be mistyped
constexpr std::size_t kTwoSlips = 9;      // letters of one that may be so twice
constexpr std::size_t kLongestWord = 32;
constexpr std::size_t kShortestJoined = 4;  // letters of what is looked up as one word

std::uint64_t hash_of(std::string_view text) { return graph::hash_bytes(text); }

// In front of ": ", " - " or " – ", where something stands there.
std::string_view without_subtitle(std::string_view name) {
  for (const std::string_view mark : {": ", " - ", " \u2013 "})
    if (const std::size_t at = name.find(mark); at != std::string_view::npos && at > 0)
      return name.substr(0, at);
  return name;
}

std::vector<std::string> without_initials(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (i == 0 || i + 1 == words.size() || words[i].size() > 1) kept.push_back(words[i]);
  return kept;
}

// "&" is no word, so "and" is none either.
std::string letters_of_name(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words)
    if (word != "and") text += word;
  return text;
}

bool is_article(const std::string& word) { return word == "the" || word == "a" || word == "an"; }

// Whether a part of a name is more than everyday words.
bool tells_more(std::span<const std::string> words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > 1 && everyday(word) == Everyday::kNo;
  });
}

// The word with each of its letters left out; of long ones also with two.
void each_shorter(const std::string& word, int times, std::vector<std::uint64_t>& out) {
  out.push_back(hash_of(word));
  if (times == 0) return;
  for (std::size_t i = 0; i < word.size(); ++i) {
    std::string shorter = word;
    shorter.erase(i, 1);
    each_shorter(shorter, times - 1, out);
  }
}

std::vector<std::uint64_t> shorter_ones(const std::string& word, int times) {
  std::vector<std::uint64_t> hashes;
  each_shorter(word, times, hashes);
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

int slips_of(std::size_t letters) { return letters < kShortestSlip ? 0 : letters < kTwoSlips ? 1 : 2; }

}  // namespace

NameKeys::NameKeys(const graph::KnowledgeGraph& graph, std::size_t most) : most_(most) {
  const graph::GraphDetails& details = graph::details(graph);
  for (EntityId e = 0; e < graph.num_connected(); ++e) {
    if (details.has_ids() && details.id(e).starts_with('"')) continue;  // values are no names
    add_name(graph.entity_name(e), e);
    if (details.has_aliases())
      for (const std::string_view alias : details.aliases(e)) add_name(alias, e);
  }
  for (auto* keys : {&joined_, &parts_}) {
    std::sort(keys->begin(), keys->end());
    keys->erase(std::unique(keys->begin(), keys->end()), keys->end());
  }
  std::sort(unspaced_.begin(), unspaced_.end());
  add_words();
}

void NameKeys::add_name(std::string_view name, EntityId entity) {
  const std::string plain = plain_name(name);
  const std::vector<std::string> words = words_of(plain);
  if (words.empty() || words.size() > kMaxNameWords) return;
  joined_.emplace_back(hash_of(letters_of_name(words)), entity);
  add_parts(plain, words, entity);
  for (const std::string& word : words)
    if (word.size() >= kShortestSlip && word.size() <= kLongestWord) words_.push_back(word);
  if (has_unspaced_script(plain)) unspaced_.emplace_back(fold_name(plain), entity);
}

void NameKeys::add_parts(std::string_view name, const std::vector<std::string>& words, EntityId entity) {
  const auto add = [&](std::span<const std::string> part) {
    if (!part.empty() && part.size() < words.size()) parts_.emplace_back(hash_of(in_one(part, " ")), entity);
  };
  const std::span<const std::string> all(words);
  if (is_article(words.front())) add(all.subspan(1));
  add(without_initials(words));
  add(words_of(without_subtitle(name)));
  for (std::size_t n = 1; n < all.size(); ++n) {
    if (tells_more(all.first(n))) add(all.first(n));
    if (tells_more(all.last(n))) add(all.last(n));
  }
}

void NameKeys::add_words() {
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  for (std::uint32_t i = 0; i < words_.size(); ++i)
    for (const std::uint64_t hash : shorter_ones(words_[i], 1)) short_.emplace_back(hash, i);
  std::sort(short_.begin(), short_.end());
}

std::vector<EntityId> NameKeys::find(const std::vector<Key>& keys, std::string_view text) {
  std::vector<EntityId> found;
  const std::uint64_t hash = hash_of(text);
  for (auto it = std::lower_bound(keys.begin(), keys.end(), Key{hash, 0});
       it != keys.end() && it->first == hash; ++it)
    found.push_back(it->second);
  return found;
}

std::vector<EntityId> NameKeys::joined(std::span<const std::string> words) const {
  const std::string letters = letters_of_name(words);
  return letters.size() < kShortestJoined ? std::vector<EntityId>() : find(joined_, letters);
}

std::vector<EntityId> NameKeys::with_part(std::string_view words) const {
  std::vector<EntityId> found = find(parts_, words);
  if (found.size() > most_) found.clear();
  return found;
}

std::vector<std::string> NameKeys::near_words(std::string_view given) const {
  const std::string word(given);
  const auto limit = static_cast<std::size_t>(slips_of(word.size()));
  if (limit == 0 || word.size() > kLongestWord) return {};
  std::vector<std::pair<std::size_t, std::string>> near;
  std::unordered_set<std::uint32_t> seen;
  for (const std::uint64_t hash : shorter_ones(word, 1))
    for (auto it = std::lower_bound(short_.begin(), short_.end(), std::pair(hash, std::uint32_t{0}));
         it != short_.end() && it->first == hash; ++it) {
      const std::string& other = words_[it->second];
      if (!seen.insert(it->second).second) continue;
      const std::size_t distance = edit_distance(word, other, limit);
      if (distance > 0 && distance <= limit) near.emplace_back(distance, other);
    }
  std::sort(near.begin(), near.end());
  std::vector<std::string> words;
  for (auto& [distance, other] : near) words.push_back(std::move(other));
  return words;
}

NameKeys::Prefix NameKeys::begins_with_name(std::string_view letters) const {
  // Names that begin with the same letter lie together; the longest that fits is the last of them that fits.
  Prefix best;
  auto end = std::upper_bound(unspaced_.begin(), unspaced_.end(), letters,
                              [](std::string_view text, const auto& name) { return text < name.first; });
  for (; end != unspaced_.begin();) {
    --end;
    const std::string& name = end->first;
    if (letters.starts_with(name)) {
      if (best.bytes > name.size()) break;
      best.bytes = name.size();
      best.entities.push_back(end->second);
    } else if (name.empty() || name.front() != letters.front()) {
      break;
    }
  }
  std::sort(best.entities.begin(), best.entities.end());
  return best;
}

}  // namespace kgwalk::dialogue
