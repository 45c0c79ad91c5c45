// Features by the prepositions before what a candidate is about, and before what it asks for.
#include <algorithm>

#include "listening/candidates/candidate_features.h"
#include "listening/candidates/said_parts.h"

namespace kgwalk::listening {
namespace {

constexpr std::size_t kFarthestBack = 3;  // words between a preposition and its name: "in the movie Heat"

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// What may stand for something that was spoken of.
bool is_pronoun(const std::string& word) {
  return is_one_of(word, {"it", "him", "her", "them", "that", "this", "those", "these", "there", "both"});
}

bool asks(const std::string& word) { return is_one_of(word, {"which", "what", "whom", "where"}); }

// The place of the word that the preposition at `at` governs; the number of words where it stands alone.
std::size_t governed(const SaidText& said, std::size_t at) {
  const std::size_t next = at + 1;
  const bool alone = next >= said.words.size() || !said.words[next].is_word ||
                     preposition(said.words[next].folded) != 0 || asks(said.words[next].folded);
  return alone ? said.words.size() : next;
}

}  // namespace

void FeatureMaker::find_prepositions() {
  const SaidText& said = parts_.said;
  const std::size_t none = said.words.size();
  before_.assign(parts_.mentions.size(), 0);
  const auto add = [](Prepositions& to, Prepositions which) { to = static_cast<Prepositions>(to | which); };
  for (std::size_t m = 0; m < parts_.mentions.size(); ++m) {
    const HeardMention& mention = parts_.mentions[m];
    if (!mention.focus && mention.first == mention.last) continue;
    if (mention.focus) {
      for (std::size_t t = 0; t < none; ++t) {
        const std::size_t next = preposition(said.words[t].folded) != 0 ? governed(said, t) : none;
        if (next == none) continue;
        const bool noun = is_article(said.words[next].folded) && next + 1 < none &&
                          calls_it(lexicon_, said, next + 1, mention);
        if (is_pronoun(said.words[next].folded) || noun) add(before_[m], preposition(said.words[t].folded));
      }
      continue;
    }
    std::size_t t = mention.first;
    while (t > 0 && mention.first - t < kFarthestBack &&
           (is_article(said.words[t - 1].folded) || calls_it(lexicon_, said, t - 1, mention)))
      --t;
    if (t > 0) before_[m] = preposition(said.words[t - 1].folded);
  }
  alone_ = 0;
  for (std::size_t t = 0; t < none; ++t)
    if (const Prepositions word = preposition(said.words[t].folded); word != 0 && governed(said, t) == none)
      add(alone_, word);
}

void FeatureMaker::add_prepositions(const Candidate& candidate, CandidateFeatures& out) const {
  Prepositions met = 0, said = 0;
  const auto take = [&](Prepositions heard, Prepositions own) {
    said = static_cast<Prepositions>(said | heard);
    met = static_cast<Prepositions>(met | (heard & own));
  };
  const bool joins = candidate.asked == Asked::kCheck && candidate.mentions.size() >= 2;
  for (std::size_t k = 0; k < candidate.slots.size(); ++k) {
    const Slot& slot = candidate.slots[k];
    if (slot.role == SlotRole::kMeasure) continue;
    const auto [head, tail] = lexicon_.relation(slot.relation).prepositions;
    const bool inverse = lexicon_.is_inverse(slot.relation);
    const Prepositions from = inverse ? tail : head, to = inverse ? head : tail;
    const bool second = slot.role == SlotRole::kOuter, first = slot.role == SlotRole::kInner;
    if (!second && !candidate.mentions.empty()) take(before_[candidate.mentions[slot.mention]], from);
    for (std::size_t m = 0; joins && m < candidate.mentions.size(); ++m)
      if (m != slot.mention) take(before_[candidate.mentions[m]], to);
    if (!joins && !first) take(alone_, to);
  }
  out[Feature::kPrepositionFits] = met != 0 ? 1 : 0;
  out[Feature::kPrepositionNot] = said != 0 && met == 0 ? 1 : 0;
  const bool bare = std::none_of(free_.begin(), free_.end(), [&](const std::uint8_t& free) {
    return free != 0 && parts_.said.words[static_cast<std::size_t>(&free - free_.data())].content;
  });
  out[Feature::kPrepositionBare] = bare ? out[Feature::kPrepositionFits] : 0;
  out[Feature::kPrepositionBareNot] = bare ? out[Feature::kPrepositionNot] : 0;
}

}  // namespace kgwalk::listening
