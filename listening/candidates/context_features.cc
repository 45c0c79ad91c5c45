// Groups of features that hold a candidate against the rest of the utterance and what was said before.
#include <algorithm>
#include <cmath>

#include "listening/candidates/candidate_features.h"
#include "listening/candidates/candidate_sets.h"
#include "listening/candidates/said_parts.h"

namespace kgwalk::listening {
namespace {

constexpr float kExplained = 0.6F;
constexpr float kCalled = 0.8F;  // explained of a word that says what something is
constexpr float kFarthest = 8;   // words
constexpr float kLongestText = 25;
constexpr float kMostTurns = 6;

bool is_place(EndKind kind) { return kind == EndKind::kPlace; }

Feature feature_of(dialogue::NameFit fit) {
  constexpr Feature kFeatures[] = {Feature::kFitWritten, Feature::kFitWhole, Feature::kFitJoined,
                                   Feature::kFitPart, Feature::kFitSlip};
  return kFeatures[static_cast<std::size_t>(fit)];
}

float clipped(float value) { return std::clamp(value, -1.0F, 1.0F); }

}  // namespace

void FeatureMaker::add_links(const Candidate& candidate, CandidateFeatures& out) const {
  if (candidate.mentions.empty()) return;
  const auto count = static_cast<float>(candidate.mentions.size());
  float least = 1, words = 0;
  for (const std::uint32_t m : candidate.mentions) {
    const HeardMention& mention = parts_.mentions[m];
    out[Feature::kLinkMean] += mention.score / count;
    out[Feature::kLinkCover] += mention.cover / count;
    out[Feature::kLinkCapital] += mention.capital / count;
    out[Feature::kLinkSpokenOf] += mention.spoken_of ? 1 / count : 0;
    if (mention.everyday && mention.capital == 0) out[Feature::kLinkEveryday] += 1 / count;
    if (mention.noun) out[Feature::kLinkNoun] += 1 / count;
    least = std::min(least, mention.score);
    words += static_cast<float>(mention.last - mention.first) / count;
    if (!mention.focus) out[feature_of(mention.fit)] += 0.5F;
  }
  out[Feature::kLinkMin] = least;
  // Where something was spoken of, a common word in lower case need not be a name.
  out[Feature::kFocusEveryday] = parts_.before.focus.empty() ? 0 : out[Feature::kLinkEveryday];
  out[Feature::kLinkTwo] = candidate.mentions.size() == 2 ? 1 : 0;
  out[Feature::kLinkWords] = std::min(4.0F, words) / 4;
  float capitals = 0, covered_capitals = 0, content = 0, covered = 0;
  for (std::size_t t = 0; t < out.cover.size(); ++t) {
    const SaidWord& word = parts_.said.words[t];
    if (word.is_word && word.capital && t > 0) {
      ++capitals;
      covered_capitals += out.cover[t];
    }
    if (word.content) {
      ++content;
      covered += out.cover[t];
    }
  }
  out[Feature::kCoverCapital] = covered_capitals / std::max(1.0F, capitals);
  out[Feature::kCoverWords] = covered / std::max(1.0F, content);
}

void FeatureMaker::add_unused(const Candidate& candidate, CandidateFeatures& out) const {
  float best = 0, count = 0, capital = 0;
  for (const std::uint32_t m : parts_.named) {
    const HeardMention& mention = parts_.mentions[m];
    const auto begin = out.cover.begin() + static_cast<std::ptrdiff_t>(mention.first);
    if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(mention.last - mention.first),
                    [](auto c) { return c != 0; }))
      continue;
    best = std::max(best, mention.score);
    capital = std::max(capital, mention.score * mention.capital);
    ++count;
  }
  out[Feature::kUnusedMention] = best;
  // What is written as a name is meant: "Geneva is the capital, right?" is not about what was said of Bern.
  out[Feature::kUnusedCapital] = capital;
  if (std::any_of(candidate.mentions.begin(), candidate.mentions.end(),
                  [&](std::uint32_t m) { return parts_.mentions[m].focus.has_value(); }))
    out[Feature::kFocusUnusedCapital] = capital;
  out[Feature::kUnusedCount] = std::min(2.0F, count) / 2;
  if (candidate.shape == Shape::kTwo) out[Feature::kUnusedTwo] = best;
  if (candidate.shape == Shape::kAnd) out[Feature::kUnusedAnd] = best;
  if (candidate.asked == Asked::kCheck && candidate.mentions.size() == 1)
    out[Feature::kCheckUnknownUnused] = best;
  const bool measures = !candidate.slots.empty() && candidate.slots.back().role == SlotRole::kMeasure;
  out[Feature::kOrderUnused] = !cues_.orders.empty() && !measures ? 1 : 0;
  const auto unused_value = [&](const HeardValue& value) { return out.cover[value.first] == 0; };
  out[Feature::kValueUnused] = std::any_of(parts_.values.begin(), parts_.values.end(), unused_value) ? 1 : 0;
  out[Feature::kNegationUnused] = cues_.negated && candidate.shape != Shape::kBut ? 1 : 0;
  out[Feature::kOrUnused] = cues_.says_or && candidate.shape != Shape::kPair ? 1 : 0;
}

void FeatureMaker::add_unexplained(CandidateFeatures& out) const {
  float left = 0, unexplained = 0, words = 0, remote = 0;
  for (std::size_t t = 0; t < free_.size(); ++t) {
    if (free_[t] == 0 || !parts_.said.words[t].content) continue;
    ++left;
    unexplained += 1 - explained_[t];
    remote += 1 - std::max(explained_[t], near_[t]);
    words += explained_[t] < kExplained ? 1 : 0;
  }
  if (left == 0) return;
  out[Feature::kUnexplained] = unexplained / left;
  out[Feature::kRemote] = remote / left;
  out[Feature::kUnexplainedCount] = words / 4;
}

void FeatureMaker::add_places(const Candidate& candidate, CandidateFeatures& out) const {
  const auto away = [&](std::size_t slot, std::size_t mention_of) {
    return std::abs(static_cast<float>(slots_[slot].place) - out.centers[mention_of]);
  };
  const bool first = !candidate.slots.empty() && slots_[0].place >= 0;
  if (first) out[Feature::kNear1] = std::min(kFarthest, away(0, 0)) / kFarthest;
  if (candidate.slots.size() < 2 || slots_[1].place < 0) return;
  out[Feature::kNear2] = std::min(kFarthest, away(1, 1)) / kFarthest;
  if (!first) return;
  if (candidate.shape == Shape::kTwo)
    out[Feature::kWordOrder] = clipped((away(1, 0) - away(0, 0)) / 4);
  else
    out[Feature::kSwap] = clipped((away(0, 1) + away(1, 0) - away(0, 0) - away(1, 1)) / 6);
}

void FeatureMaker::add_kinds(const Candidate& candidate, CandidateFeatures& out) const {
  if (candidate.answers.empty() || candidate.slots.empty()) return;
  const bool measures = candidate.slots.back().role == SlotRole::kMeasure;
  if (measures && candidate.slots.size() == 1) return;
  const Slot& last = candidate.slots[candidate.slots.size() - (measures ? 2 : 1)];
  const EndKind kind =
      lexicon_.is_inverse(last.relation) ? EndKind::kUnknown : lexicon_.relation(last.relation).tail;
  const bool known = kind != EndKind::kUnknown;
  const bool person = kind == EndKind::kPerson || kind == EndKind::kOrganization;
  switch (cues_.asks) {
    case Asks::kWho:
      out[Feature::kWhoPerson] = kind == EndKind::kPerson ? 1 : 0;
      out[Feature::kWhoOther] = known && !person ? 1 : 0;
      break;
    case Asks::kWhere:
      out[Feature::kWherePlace] = is_place(kind) ? 1 : 0;
      out[Feature::kWhereOther] = known && !is_place(kind) ? 1 : 0;
      break;
    case Asks::kWhen:
      out[Feature::kWhenDate] = kind == EndKind::kDate ? 1 : 0;
      out[Feature::kWhenOther] = known && kind != EndKind::kDate ? 1 : 0;
      break;
    case Asks::kHow:
      out[Feature::kHowNumber] = kind == EndKind::kNumber ? 1 : 0;
      out[Feature::kHowOther] = known && kind != EndKind::kNumber ? 1 : 0;
      break;
    case Asks::kWhat:
      out[Feature::kWhatAny] = 1;
  }
}

// Of two names, which is left out: the second one, and the one that "not", "without" stands nearer to.
void FeatureMaker::add_left_out(const Candidate& candidate, CandidateFeatures& out) const {
  const HeardMention &kept = parts_.mentions[candidate.mentions[0]],
                     &left = parts_.mentions[candidate.mentions[1]];
  if (kept.focus || left.focus) return;
  out[kept.first < left.first ? Feature::kButBehind : Feature::kButFront] = 1;
  const auto away = [&](const HeardMention& mention) {
    float least = kFarthest;
    for (std::size_t t = 0; t < parts_.said.words.size(); ++t)
      if (is_negation(parts_.said.words[t].folded))
        least = std::min(least, std::abs(static_cast<float>(t) - static_cast<float>(mention.first)));
    return least;
  };
  out[Feature::kButNegated] = clipped((away(kept) - away(left)) / 4);
}

void FeatureMaker::add_crossed(const Candidate& candidate, CandidateFeatures& out) const {
  const bool both = candidate.shape == Shape::kAnd, two = candidate.shape == Shape::kTwo,
             one = candidate.shape == Shape::kOne;
  const auto length = static_cast<float>(parts_.said.words.size());
  const float share = std::min(kLongestText, length) / kLongestText;
  const float names = static_cast<float>(std::min<std::size_t>(3, parts_.named.size())) / 3;
  const auto set = [&](Feature feature, bool is, float value = 1) { out[feature] = is ? value : 0; };
  if (candidate.shape == Shape::kBut) add_left_out(candidate, out);
  set(Feature::kAndWordAnd, cues_.says_and && both);
  set(Feature::kAndWordTwo, cues_.says_and && two);
  set(Feature::kCommonAnd, cues_.common && both);
  set(Feature::kCommonTwo, cues_.common && two);
  set(Feature::kOfTwo, two, static_cast<float>(std::min(2, cues_.times_of)) / 2);
  set(Feature::kWhoseTwo, cues_.whose && two);
  set(Feature::kWhoseAnd, cues_.whose && both);
  set(Feature::kLengthOne, one, share);
  set(Feature::kLengthTwo, two, share);
  set(Feature::kLengthAnd, both, share);
  set(Feature::kOtherBack, cues_.other, out[Feature::kTwoBack]);
  set(Feature::kRestTwoBack, cues_.rest, out[Feature::kTwoBack]);
  set(Feature::kRestOne, cues_.rest && candidate.mentions.size() == 1, out[Feature::kAnswersOne]);
  set(Feature::kMentionsOne, one, names);
  set(Feature::kMentionsTwo, two, names);
  set(Feature::kMentionsAnd, both, names);
}

EndKind FeatureMaker::kind_of(graph::EntityId entity) {
  const auto [found, added] = kinds_.try_emplace(entity, EndKind::kUnknown);
  if (added) found->second = lexicon_.kind_of(entity);
  return found->second;
}

// Words for what the candidate is about are explained by it.
void FeatureMaker::add_called(const Candidate& candidate) {
  for (const std::uint32_t m : candidate.mentions) {
    const auto [found, added] = calling_.try_emplace(m);
    if (added)
      for (std::size_t t = 0; t < free_.size(); ++t)
        if (calls_it(lexicon_, parts_.said, t, parts_.mentions[m])) found->second.push_back(t);
    for (const std::size_t t : found->second)
      if (free_[t] != 0) explained_[t] = std::max(explained_[t], kCalled);
  }
}

// "Which person is a politician", "what place is it": the word says what kind of thing the answers are, and
// asks for nothing else.
void FeatureMaker::add_kind_nouns(const Candidate& candidate) {
  // "Who has the profession actor": so are all of the type.
  const bool all_of_type =
      std::any_of(candidate.mentions.begin(), candidate.mentions.end(), [&](std::uint32_t m) {
        return parts_.mentions[m].of_type && !lexicon_.types()[parts_.mentions[m].type].flag;
      });
  if (all_of_type && type_relation_) explain(match_.fits(lexicon_.entry_of(*type_relation_)), kCalled);
  if (candidate.answers.empty()) return;
  for (std::size_t t = 0; t < free_.size(); ++t) {
    const SaidWord& word = parts_.said.words[t];
    if (free_[t] == 0 || !word.content) continue;
    const std::optional<EndKind> kind = kind_called(word.folded);
    if (kind && (*kind == EndKind::kThing || kind_of(candidate.answers.front()) == *kind))
      explained_[t] = std::max(explained_[t], kCalled);
  }
}

bool FeatureMaker::is_one_left() const {
  return std::any_of(parts_.mentions.begin(), parts_.mentions.end(),
                     [](const HeardMention& mention) { return mention.focus && mention.focus->left; });
}

bool FeatureMaker::is_called_as_said(graph::EntityId entity) {
  const auto [found, added] = called_.try_emplace(entity, false);
  if (added)
    found->second = std::any_of(
        parts_.said.words.begin(), parts_.said.words.end(),
        [&](const SaidWord& word) { return word.content && lexicon_.is_called(entity, word.folded); });
  return found->second;
}

// A value is reached or met: films of 1999 are those with the release year 1999 and those that 1999 is the
// release year of.
bool asks_again(const Lexicon& lexicon, const Candidate& candidate,
                const std::vector<graph::RelationId>& relations) {
  const auto same = [&](const Slot& slot, graph::RelationId r) {
    if (slot.relation == r) return true;
    const EndKind tail = lexicon.relation(r).tail;
    return (tail == EndKind::kDate || tail == EndKind::kNumber) &&
           lexicon.entry_of(slot.relation) == lexicon.entry_of(r);
  };
  if (candidate.slots.size() != relations.size()) return false;
  std::vector<bool> met(relations.size(), false);
  return std::all_of(candidate.slots.begin(), candidate.slots.end(), [&](const Slot& slot) {
    for (std::size_t i = 0; i < relations.size(); ++i)
      if (!met[i] && same(slot, relations[i])) return met[i] = true, true;
    return false;
  });
}

// The question of before asked again of something else, and what was answered to it.
void FeatureMaker::add_before(const Candidate& candidate, CandidateFeatures& out) const {
  const SaidBefore& before = parts_.before;
  if (std::any_of(candidate.mentions.begin(), candidate.mentions.end(),
                  [&](std::uint32_t m) { return parts_.mentions[m].of_type; })) {
    out[Feature::kTypeSet] = 1;
    out[Feature::kTypeSetNamed] = parts_.named.empty() ? 0 : 1;
  }
  const auto set = [&](Feature feature, bool is) { out[feature] = is ? 1.0F : 0.0F; };
  const bool bare =
      std::none_of(parts_.said.words.begin(), parts_.said.words.end(), [&](const SaidWord& word) {
        return word.content && out.cover[static_cast<std::size_t>(&word - parts_.said.words.data())] == 0;
      });
  if (!before.relations.empty()) {
    const bool again = asks_again(lexicon_, candidate, before.relations);
    set(Feature::kAgain, again);
    // "The newest of his films" after what he directed: the same set, and more is asked of it.
    const std::span<const Slot> slots = set_slots(candidate);
    const bool set_again = !slots.empty() && std::all_of(slots.begin(), slots.end(), [&](const Slot& slot) {
      return std::any_of(before.relations.begin(), before.relations.end(), [&](graph::RelationId r) {
        return lexicon_.entry_of(r) == lexicon_.entry_of(slot.relation);
      });
    });
    set(Feature::kAgainSet, set_again && !again);
    set(Feature::kAgainSetNot, !set_again && !slots.empty());
    set(Feature::kAgainShort, again && bare);
    set(Feature::kAgainNot, !again && bare);
    set(Feature::kAgainCounted, again && bare && before.counted);
    const bool same = again && std::any_of(candidate.mentions.begin(), candidate.mentions.end(), [&](auto m) {
                        const auto& focus = parts_.mentions[m].focus;
                        return focus && focus->topic && focus->turns_ago == 0;
                      });
    set(Feature::kRest, same && cues_.rest);
    set(Feature::kRestNot, !same && cues_.rest);
  }
  if (before.answers.empty()) return;
  const bool those = std::any_of(candidate.mentions.begin(), candidate.mentions.end(), [&](std::uint32_t m) {
    const HeardMention& mention = parts_.mentions[m];
    return !mention.members.empty() && !mention.of_type;
  });
  set(Feature::kThose, those);
  set(Feature::kThoseSaid, those && cues_.those);
  set(Feature::kThoseNot, !those && cues_.those);
  set(Feature::kThoseBare, those && bare);
  set(Feature::kThoseCounted, those && before.counted);
  set(Feature::kThoseOld, those && before.answers_ago > 0);
}

void FeatureMaker::add_focus(const Candidate& candidate, CandidateFeatures& out) {
  for (const std::uint32_t m : candidate.mentions) {
    const HeardMention& mention = parts_.mentions[m];
    if (!mention.focus) continue;
    const FocusNote& note = *mention.focus;
    const bool person = kind_of(mention.entity) == EndKind::kPerson;
    const auto set = [&](Feature feature, bool is) { out[feature] = is ? 1.0F : 0.0F; };
    set(Feature::kFocus, true);
    set(note.topic ? Feature::kFocusTopic : Feature::kFocusAnswer, true);
    out[Feature::kFocusAgo] = std::min(kMostTurns, static_cast<float>(note.turns_ago)) / kMostTurns;
    set(Feature::kFocusPersonFits, cues_.person_pronoun && person);
    set(Feature::kFocusPersonNot, cues_.person_pronoun && !person);
    set(Feature::kFocusThingFits, cues_.thing_pronoun && !person);
    set(Feature::kFocusThingNot, cues_.thing_pronoun && person);
    const bool called = is_called_as_said(mention.entity);
    set(Feature::kFocusNounFits, called);
    const auto other_called = [&](const HeardMention& other) {
      return other.focus && other.entity != mention.entity && is_called_as_said(other.entity);
    };
    set(Feature::kFocusNounNot,
        !called && std::any_of(parts_.mentions.begin(), parts_.mentions.end(), other_called));
    set(Feature::kFocusNoPronoun, !cues_.person_pronoun && !cues_.thing_pronoun);
    out[Feature::kFocusUnused] = out[Feature::kUnusedMention];
    set(Feature::kFocusShort, parts_.said.words.size() < 6);
    set(Feature::kFocusFirst, note.first_topic);
    set(Feature::kFocusList, note.answers > 1);
    set(Feature::kFocusOnly, parts_.named.empty());
    set(Feature::kFocusChosen, note.chosen);
    set(Feature::kFocusLeft, note.left);
    set(Feature::kFocusLeftSaid, note.left && cues_.other_one);
    set(Feature::kFocusLeftNot, !note.left && cues_.other_one && is_one_left());
    const bool last = cues_.place == kLastPlace && note.place == note.answers;
    set(Feature::kFocusPlaceFits, note.place > 0 && (note.place == cues_.place || last));
    set(Feature::kFocusPlaceNot, cues_.place > 0 && note.place != cues_.place && !last);
    for (const std::uint32_t o : candidate.mentions)
      if (o != m && parts_.mentions[o].entity == mention.entity) set(Feature::kFocusSelf, true);
  }
}

}  // namespace kgwalk::listening
