// Types that a text names: by words alike, else by the nearest in meaning.
#include <algorithm>

#include "listening/candidates/said_parts.h"
#include "listening/words/likeness.h"

namespace kgwalk::listening {
namespace {

constexpr float kTypeLikeness = 0.7F;
constexpr float kTypeNearness = 0.78F;  // in meaning

// "Played" names no play.
bool is_verb_form(std::string_view word) { return word.ends_with("ed") || word.ends_with("ing"); }

// "Which film" of movies: the type nearest in meaning to a word that is none, nor asks for a relation.
void add_types_meant(const Lexicon& lexicon, const SaidText& said, const std::vector<ComparedWord>& compared,
                     std::vector<HeardType>& heard) {
  for (std::size_t i = 0; i < said.words.size(); ++i) {
    const SaidWord& word = said.words[i];
    if (!word.content || is_verb_form(word.folded) || compared[i].meaning().empty()) continue;
    if (std::any_of(heard.begin(), heard.end(),
                    [&](const HeardType& type) { return type.first <= i && i <= type.word; }))
      continue;
    HeardType nearest{.match = kTypeNearness, .first = i, .word = i};
    bool found = false;
    for (std::uint32_t t = 0; t < lexicon.types().size(); ++t) {
      const TypeWords& told = lexicon.types()[t];
      if (told.words.size() != 1) continue;
      const float near =
          nearness(lexicon.vocabulary()[told.word_ids.front()].meaning(), compared[i].meaning());
      if (near < nearest.match) continue;
      nearest.type = t;
      nearest.match = near;
      found = true;
    }
    if (found && !lexicon.names_relation({&word.folded, 1})) heard.push_back(nearest);
  }
}

}  // namespace

std::vector<HeardType> types_said(const Lexicon& lexicon, const SaidText& said) {
  std::vector<HeardType> heard;
  std::vector<ComparedWord> compared;
  for (const SaidWord& word : said.words) compared.emplace_back(word.folded);
  for (std::uint32_t t = 0; t < lexicon.types().size(); ++t) {
    const TypeWords& told = lexicon.types()[t];
    HeardType type{.type = t, .first = said.words.size()};
    bool all = !told.words.empty();
    for (std::size_t w = 0; w < told.words.size() && all; ++w) {
      float best = 0;
      std::size_t at = 0;
      for (std::size_t i = 0; i < said.words.size(); ++i) {
        const SaidWord& other = said.words[i];
        if (!other.content || other.folded.front() != told.words[w].front()) continue;
        if (is_verb_form(other.folded) && !is_verb_form(told.words[w])) continue;
        if (is_one_abstract(other.folded, told.words[w])) continue;
        const float alike = likeness(lexicon.vocabulary()[told.word_ids[w]], compared[i]);
        if (alike > best) {
          best = alike;
          at = i;
        }
      }
      all = best >= kTypeLikeness;
      type.first = std::min(type.first, at);
      type.word = std::max(type.word, at);
      type.match += best / static_cast<float>(told.words.size());
    }
    if (all) heard.push_back(type);
  }
  add_types_meant(lexicon, said, compared, heard);
  return heard;
}

}  // namespace kgwalk::listening
