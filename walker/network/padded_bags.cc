#include "walker/network/padded_bags.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace kgwalk::walker {

using torch::Tensor;

namespace {

Tensor int64_of_bags(const std::vector<std::int64_t>& values) {
  return torch::tensor(at::ArrayRef<std::int64_t>(values), torch::kInt64);
}

}  // namespace

PaddedBags pad_bags(std::span<const WordBag> texts) {
  std::int64_t longest = 1;
  for (const WordBag& text : texts) longest = std::max(longest, text.size());
  const auto batch = static_cast<std::int64_t>(texts.size());
  std::vector<std::int64_t> rows, begins;
  Tensor keep = torch::zeros({batch, longest}, torch::kBool);
  bool* kept = keep.data_ptr<bool>();
  for (std::int64_t b = 0; b < batch; ++b) {
    const WordBag& text = texts[static_cast<std::size_t>(b)];
    const auto base = static_cast<std::int64_t>(rows.size());
    for (const std::int64_t begin : text.begins) begins.push_back(base + begin);
    rows.insert(rows.end(), text.rows.begin(), text.rows.end());
    std::fill_n(kept + b * longest, text.size(), true);
    begins.resize(static_cast<std::size_t>((b + 1) * longest), static_cast<std::int64_t>(rows.size()));
  }
  return {int64_of_bags(rows), int64_of_bags(begins), keep};
}

Said said_of(std::span<const HeardText> texts, const PhraseStates* phrases) {
  std::vector<WordBag> words;
  std::vector<std::string> plain;
  for (const HeardText& text : texts) {
    words.push_back(text.words);
    plain.push_back(text.plain);
  }
  Said said{pad_bags(words), {}, {}};
  if (phrases == nullptr) return said;
  PhraseStates::Batch batch = phrases->batch(plain, kMostTextPositions);
  said.text = std::move(batch.states);
  said.text_keep = std::move(batch.keep);
  return said;
}

RelationBags RelationBags::to(torch::Device device) const {
  return {words.to(device),       on(device, members),  on(device, begins),
          on(device, owners),     on(device, texts),    on(device, examples),
          on(device, directions), on(device, replaced), of_graph};
}

RelationBags relation_bags(const WordPieces& pieces, std::span<const std::string> names, bool of_graph,
                           const PhraseStates* phrases, std::span<const std::string> examples) {
  std::unordered_map<std::string, std::int64_t> places;
  std::vector<WordBag> words;
  std::vector<std::int64_t> members, begins, owners, directions;
  for (const std::string& name : names) {
    begins.push_back(static_cast<std::int64_t>(members.size()));
    for (const std::string& word : WordPieces::relation_words(name)) {
      const auto [place, added] = places.emplace(word, static_cast<std::int64_t>(words.size()));
      if (added) words.push_back(pieces.word(word));
      members.push_back(place->second);
      owners.push_back(static_cast<std::int64_t>(begins.size()) - 1);
    }
    directions.push_back(name.starts_with('~') ? 1 : 0);
  }
  Tensor read, shown;
  if (phrases != nullptr) {
    std::vector<std::string> texts;
    for (const std::string& name : names) {
      std::string text;
      for (const std::string& word : WordPieces::relation_words(name))
        text.append(text.empty() ? "" : " ").append(word);
      texts.push_back(std::move(text));
    }
    read = phrases->means(texts);
    shown = examples.empty() ? torch::zeros_like(read) : phrases->means(examples);
  }
  return {pad_bags(words),
          int64_of_bags(members),
          int64_of_bags(begins),
          int64_of_bags(owners),
          read,
          shown,
          int64_of_bags(directions),
          {},
          of_graph};
}

}  // namespace kgwalk::walker
