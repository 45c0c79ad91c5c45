#include "dialogue/response/retrieval.h"

#include <algorithm>
#include <iterator>

#include "dialogue/linking/name_index.h"
#include "dialogue/response/spelling.h"
#include "seq2seq/tasks/summary/dialogue.h"

namespace kgwalk::dialogue {
namespace {

std::string shape_of(const Message& message) {
  std::string shape = choice_name(message.kind) + '\n' + message.asked + '\n';
  for (const Way& way : message.ways) {
    for (const graph::NamedTriple& fact : way) shape += fact.relation + '\t';
    shape += '\n';
  }
  return shape + std::to_string(names_of(message).size());
}

std::vector<std::string> distinct_words(const Message& message) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& text) {
    for (std::string& word : words_of(text)) words.push_back(std::move(word));
  };
  for (const graph::Chat& said : message.context) add(said.text);
  for (const std::string& name : names_of(message)) add(name);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

// Jaccard's index.
double likeness(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  const std::size_t all = a.size() + b.size() - both.size();
  return all == 0 ? 0 : static_cast<double>(both.size()) / static_cast<double>(all);
}

}  // namespace

RetrievalVoice::RetrievalVoice(std::span<const ResponseExample> examples) {
  for (const ResponseExample& example : examples) {
    const std::vector<std::string> names = names_of(example.message);
    Kept kept{distinct_words(example.message), {""}, {}};
    for (const seq2seq::TextPart& part : seq2seq::parts_of(spelled(example.text, names), names)) {
      if (part.speaker == 0) {
        kept.parts.back() += part.text;
      } else {
        kept.names.push_back(part.speaker - 1);
        kept.parts.emplace_back();
      }
    }
    kept_[shape_of(example.message)].push_back(std::move(kept));
  }
}

std::string RetrievalVoice::say(const Message& message) const {
  check(message);
  const auto found = kept_.find(shape_of(message));
  if (found == kept_.end()) return wordings_.say(message);
  const std::vector<std::string> words = distinct_words(message), names = names_of(message);
  const Kept* best = nullptr;
  double most = -1;
  for (const Kept& kept : found->second)
    if (const double like = likeness(words, kept.words); like > most) {
      most = like;
      best = &kept;
    }
  std::string text = best->parts.front();
  for (std::size_t i = 0; i < best->names.size(); ++i)
    text += names[static_cast<std::size_t>(best->names[i])] + best->parts[i + 1];
  return text;
}

}  // namespace kgwalk::dialogue
