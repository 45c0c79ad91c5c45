// Features by who does what is said: "who did X influence" asks for other people than "who influenced X".
#include <algorithm>

#include "listening/candidates/candidate_features.h"
#include "listening/candidates/said_parts.h"

namespace kgwalk::listening {
namespace {

constexpr std::size_t kWordsBetween = 3;  // a verb and its object, less one: "directed the movie Heat"

bool is_be(std::string_view word) {
  constexpr std::string_view kForms[] = {"is", "was", "are", "were", "be", "been", "being"};
  return std::find(std::begin(kForms), std::end(kForms), word) != std::end(kForms);
}

// What stands between a subject and its verb.
bool is_before_verb(std::string_view word) {
  constexpr std::string_view kWords[] = {"also",   "ever",    "first", "originally", "once", "actually",
                                         "mainly", "usually", "later", "has",        "have", "had",
                                         "will",   "would",   "could", "did",        "does"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

bool stands_for_one(std::string_view word) {
  constexpr std::string_view kPronouns[] = {"he", "she", "it", "they", "him", "her", "them"};
  return std::find(std::begin(kPronouns), std::end(kPronouns), word) != std::end(kPronouns);
}

}  // namespace

const FeatureMaker::Parts& FeatureMaker::parts_played(std::uint32_t m) {
  const auto [found, added] = parts_played_.try_emplace(m);
  if (!added) return found->second;
  const std::vector<SaidWord>& words = parts_.said.words;
  if (verb_stems_.empty())
    for (const SaidWord& word : words) verb_stems_.push_back(word.content ? verb_stem(word.folded) : "");
  const HeardMention& mention = parts_.mentions[m];
  const auto add = [&](std::size_t word, bool acts) {
    if (!verb_stems_[word].empty()) found->second.push_back({word, acts});
  };
  // As the words [first, last) stand there.
  const auto look_around = [&](std::size_t first, std::size_t last) {
    std::size_t before = first;
    while (before > 0 && first - before < kWordsBetween &&
           (is_article(words[before - 1].folded) || calls_it(lexicon_, parts_.said, before - 1, mention)))
      --before;
    if (before > 0 && words[before - 1].is_word) add(before - 1, false);
    bool passive = before > 0 && is_be(words[before - 1].folded);
    std::size_t next = last;
    for (; next < words.size() && (is_be(words[next].folded) || is_before_verb(words[next].folded)); ++next)
      passive = passive || is_be(words[next].folded);
    if (next < words.size() && words[next].is_word)
      add(next, !passive || words[next].folded.ends_with("ing"));
  };
  if (mention.first < mention.last) {
    look_around(mention.first, mention.last);
  } else if (mention.focus) {
    for (std::size_t t = 0; t < words.size(); ++t)
      if (stands_for_one(words[t].folded))
        look_around(t, t + 1);
      else if (is_article(words[t].folded) && t + 1 < words.size() &&
               calls_it(lexicon_, parts_.said, t + 1, mention))
        look_around(t, t + 2);
  }
  return found->second;
}

void FeatureMaker::add_voice(const Candidate& candidate, CandidateFeatures& out) {
  bool fits = false, not_so = false;
  const auto look = [&](graph::RelationId relation, std::uint32_t mention, VerbEnds::End end) {
    const RelationVoices& voices = lexicon_.relation(relation).voices;
    if (voices.verbs.empty()) return;
    for (const Part& part : parts_played(mention)) {
      const VerbEnds* ends = free_[part.word] != 0 ? voices.of(verb_stems_[part.word]) : nullptr;
      if (ends == nullptr) continue;
      const std::array<bool, 2>& is = part.acts ? ends->acts : ends->takes;
      if (is[VerbEnds::kHead] == is[VerbEnds::kTail]) continue;  // either end may be meant, or none
      (is[end] ? fits : not_so) = true;
    }
  };
  for (const Slot& slot : candidate.slots) {
    if (slot.role == SlotRole::kMeasure || slot.role == SlotRole::kOuter || candidate.mentions.empty())
      continue;
    const bool inverse = lexicon_.is_inverse(slot.relation);
    const auto start = inverse ? VerbEnds::kTail : VerbEnds::kHead,
               other = inverse ? VerbEnds::kHead : VerbEnds::kTail;
    look(slot.relation, candidate.mentions[slot.mention], start);
    for (std::size_t m = 0; candidate.asked == Asked::kCheck && m < candidate.mentions.size(); ++m)
      if (m != slot.mention) look(slot.relation, candidate.mentions[m], other);
  }
  out[Feature::kVoiceFits] = fits ? 1 : 0;
  out[Feature::kVoiceNot] = not_so && !fits ? 1 : 0;
}

}  // namespace kgwalk::listening
