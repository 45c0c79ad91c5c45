#include "seq2seq/tasks/word_vocabulary.h"

#include <algorithm>

#include "kgwalk/error.h"
#include "seq2seq/metrics/words.h"

namespace kgwalk::seq2seq {

WordVocabulary WordVocabulary::count(std::span<const std::string> lines, int min_count) {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<std::pair<std::string, std::int64_t>> counts;
  const auto add = [&](const std::string& word) {
    const auto [it, added] = places.try_emplace(word, counts.size());
    if (added) counts.emplace_back(word, 0);
    ++counts[it->second].second;
  };
  for (const std::string& line : lines) {
    for (const std::string& word : split_words(line)) add(word);
    add(kLineEnd);
  }
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  WordVocabulary vocabulary;
  for (auto& [word, times] : counts)
    if (times >= min_count || word == kLineEnd || word == kUnknownWord) vocabulary.words_.push_back(word);
  if (!places.contains(kUnknownWord)) vocabulary.words_.emplace_back(kUnknownWord);
  vocabulary.index("the training text");
  return vocabulary;
}

WordVocabulary WordVocabulary::parse(std::string_view bytes, const std::string& source) {
  WordVocabulary vocabulary;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    vocabulary.words_.emplace_back(bytes.substr(begin, end - begin));
    begin = end + 1;
  }
  vocabulary.index(source);
  return vocabulary;
}

void WordVocabulary::index(const std::string& source) {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (!ids_.emplace(words_[i], static_cast<std::int64_t>(i)).second)
      throw FormatError(source + ": the word '" + words_[i] + "' comes twice in the vocabulary");
  for (const char* word : {kUnknownWord, kLineEnd})
    if (!ids_.contains(word)) throw FormatError(source + ": the vocabulary has no " + word);
  unknown_ = ids_.at(kUnknownWord);
  line_end_ = ids_.at(kLineEnd);
}

std::string WordVocabulary::bytes() const {
  std::string text;
  for (const std::string& word : words_) text += word + '\n';
  return text;
}

std::int64_t WordVocabulary::id_of(std::string_view word) const {
  const auto it = ids_.find(std::string(word));
  return it == ids_.end() ? unknown_ : it->second;
}

std::vector<std::int64_t> WordVocabulary::stream(std::span<const std::string> lines) const {
  std::vector<std::int64_t> ids;
  for (const std::string& line : lines) {
    for (const std::string& word : split_words(line)) ids.push_back(id_of(word));
    ids.push_back(line_end_);
  }
  return ids;
}

}  // namespace kgwalk::seq2seq
