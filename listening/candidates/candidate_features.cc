// Groups of features that tell a candidate's own make: shape, answers, words, measures, types.
#include "listening/candidates/candidate_features.h"

#include <algorithm>
#include <cmath>

#include "dialogue/telling/measures.h"
#include "listening/words/likeness.h"

namespace kgwalk::listening {
namespace {

using graph::RelationId;

constexpr std::size_t kManyAnswers = 10;
constexpr float kLessHint = 0.06F, kLeastHint = 0.7F;  // of a later hint of an order
constexpr float kOneWordForBoth = 0.6F;  // what is left of the weaker of two relations that one word says

Feature feature_of(Asked asked) {
  constexpr Feature kFeatures[kNumAsked] = {
      Feature::kCount,  Feature::kCheck, Feature::kFirst, Feature::kLast,    Feature::kAfter,
      Feature::kBefore, Feature::kAt,    Feature::kWhich, Feature::kLeastOf, Feature::kMore,
      Feature::kLess,   Feature::kSame,  Feature::kSum,   Feature::kAverage, Feature::kDifference};
  return kFeatures[static_cast<std::size_t>(asked)];
}

Feature feature_of(Shape shape) {
  constexpr Feature kFeatures[] = {Feature::kShapeOne,     Feature::kShapeTwo,   Feature::kShapeAnd,
                                   Feature::kShapeBut,     Feature::kShapeThose, Feature::kShapePair,
                                   Feature::kShapeNothing, Feature::kShapeEnds};
  return kFeatures[static_cast<std::size_t>(shape)];
}

// Whether the relation leads from the entity to anything: a person is in no language.
bool has_relation(const graph::KnowledgeGraph& graph, graph::EntityId entity, graph::RelationId relation) {
  const auto edges = graph.out_edges(entity);
  const auto first = std::lower_bound(edges.begin(), edges.end(), graph::Edge{relation, 0});
  return first != edges.end() && first->relation == relation;
}

// Which way a word orders the values of a measure: as they are spoken of ("youngest" is the last by a date of
// birth and the first by an age), else as it does everywhere.
bool asks_for_more(const OrderWord& order, const dialogue::MeasureWords* measure) {
  if (measure == nullptr) return order.more;
  const auto is_in = [&](const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {  // "longest-serving" too
      return word.starts_with(order.word) &&
             (word.size() == order.word.size() || word[order.word.size()] == '-');
    });
  };
  if (is_in(measure->most) || is_in(measure->more)) return true;
  return order.more && !is_in(measure->least) && !is_in(measure->less);
}

Feature direction_of(bool first, bool second) {
  return first ? (second ? Feature::kDirBB : Feature::kDirBF) : (second ? Feature::kDirFB : Feature::kDirFF);
}

}  // namespace

float CandidateFeatures::plain_sum(bool begins_as_check) const {
  const CandidateFeatures& f = *this;
  const float sum = 2 * f[Feature::kNameMean] + f[Feature::kNameMin] + 0.5F * f[Feature::kNearestMin] +
                    f[Feature::kLinkMean] + f[Feature::kCoverWords] - f[Feature::kUnexplained] +
                    0.5F * f[Feature::kPrepositionFits] + f[Feature::kOrderFits] - f[Feature::kOrderWrong] +
                    0.5F * f[Feature::kMeasureHint] - 0.5F * f[Feature::kValueUnused];
  return begins_as_check ? sum : sum - 3 * f[Feature::kCheck];
}

FeatureMaker::FeatureMaker(const Lexicon& lexicon, const HeardParts& parts, const UtteranceCues& cues,
                           WordMatch& match)
    : lexicon_(lexicon), parts_(parts), cues_(cues), match_(match) {
  find_prepositions();
  if (const std::vector<RelationId> from = lexicon.from_types(); !from.empty()) type_relation_ = from.front();
}

CandidateFeatures FeatureMaker::make(const Candidate& candidate) {
  CandidateFeatures out;
  cover_words(candidate, out);
  add_shape(candidate, out);
  add_answers(candidate, out);
  add_words(candidate, out);
  add_measure(candidate, out);
  add_types(candidate, out);
  add_head(candidate, out);
  add_links(candidate, out);
  add_unused(candidate, out);
  add_called(candidate);
  add_kind_nouns(candidate);
  add_prepositions(candidate, out);
  add_voice(candidate, out);
  add_unexplained(out);
  add_places(candidate, out);
  add_kinds(candidate, out);
  add_crossed(candidate, out);
  add_focus(candidate, out);
  add_before(candidate, out);
  return out;
}

void FeatureMaker::cover_words(const Candidate& candidate, CandidateFeatures& out) {
  out.cover.assign(parts_.said.words.size(), 0);
  const auto cover = [&](std::size_t first, std::size_t last) {
    std::fill(out.cover.begin() + static_cast<std::ptrdiff_t>(first),
              out.cover.begin() + static_cast<std::ptrdiff_t>(last), 1);
  };
  for (const std::uint32_t m : candidate.mentions) cover(parts_.mentions[m].first, parts_.mentions[m].last);
  const bool filters =
      is_filter(candidate.asked) || (candidate.shape == Shape::kOne && is_whether(candidate.asked));
  if (!candidate.qualified.empty())
    cover(parts_.values[candidate.value].first, parts_.values[candidate.value].last);
  // What an ordinal says is both the value and what it is a value of.
  if (filters && !candidate.than && !parts_.values[candidate.value].ordinal)
    cover(parts_.values[candidate.value].first, parts_.values[candidate.value].last);
  const bool orders = candidate.asked == Asked::kFirst || candidate.asked == Asked::kLast;
  if (orders && parts_.rank) cover(parts_.rank->word, parts_.rank->word + 1);
  free_.assign(out.cover.size(), 0);
  for (std::size_t t = 0; t < free_.size(); ++t)
    free_[t] = parts_.said.words[t].is_word && out.cover[t] == 0 ? 1 : 0;
  explained_.assign(free_.size(), 0);
  near_.assign(free_.size(), 0);
}

void FeatureMaker::add_shape(const Candidate& candidate, CandidateFeatures& out) const {
  out[feature_of(candidate.shape)] = 1;
  if (candidate.asked != Asked::kSet) out[feature_of(candidate.asked)] = 1;
  out[Feature::kByCount] = candidate.by_count ? 1 : 0;
  out[Feature::kThan] = candidate.than ? 1 : 0;
  out[Feature::kThanSaid] = candidate.than && parts_.said.says("than") ? 1 : 0;
  out[Feature::kFilterCount] = candidate.by_count && is_filter(candidate.asked) ? 1 : 0;
  if (candidate.truth) out[Feature::kTruth] = *candidate.truth ? 1 : 0;
  if (candidate.asked == Asked::kCheck) {
    out[Feature::kCheckYes] = candidate.truth.value_or(false) ? 1 : 0;
    const bool flag = lexicon_.relation(candidate.slots.front().relation).yes.has_value();
    out[Feature::kCheckUnknown] = candidate.mentions.size() == 1 && !flag ? 1 : 0;
    if (lexicon_.is_type_relation(candidate.slots.front().relation)) out[Feature::kCheckType] = 1;
    if (candidate.mentions.size() == 2 && candidate.shape != Shape::kAnd) {
      const graph::EntityId one = parts_.mentions[candidate.mentions[0]].entity;
      const graph::EntityId other = parts_.mentions[candidate.mentions[1]].entity;
      const auto edges = lexicon_.graph().out_edges(one);
      const graph::RelationId relation = candidate.slots.front().relation;
      const bool one_has = has_relation(lexicon_.graph(), one, relation);
      const bool other_has = has_relation(lexicon_.graph(), other, lexicon_.graph().inverse(relation));
      out[Feature::kCheckBothHave] = one_has && other_has ? 1 : 0;
      out[Feature::kCheckNoneHas] = one_has || other_has ? 0 : 1;
      out[Feature::kCheckEdge] =
          std::any_of(edges.begin(), edges.end(), [&](const graph::Edge& edge) { return edge.tail == other; })
              ? 1
              : 0;
    }
  }
  const std::span<const Slot> slots = set_slots(candidate);
  if (slots.empty()) return;
  const bool first = lexicon_.is_inverse(slots[0].relation);
  if (slots.size() == 1) {
    out[first ? Feature::kDirB : Feature::kDirF] = 1;
    return;
  }
  const bool second = lexicon_.is_inverse(slots[1].relation);
  const bool same = lexicon_.entry_of(slots[0].relation) == lexicon_.entry_of(slots[1].relation);
  if (candidate.shape == Shape::kTwo) {
    out[direction_of(first, second)] = 1;
    out[Feature::kTwoBack] = same && first != second ? 1 : 0;
  } else {
    out[first != second ? Feature::kAndMixed : first ? Feature::kAndBB : Feature::kAndFF] = 1;
    out[Feature::kAndSame] = same && first == second ? 1 : 0;
  }
}

void FeatureMaker::add_answers(const Candidate& candidate, CandidateFeatures& out) const {
  const std::size_t count = candidate.answers.size();
  out[Feature::kAnswersLog] = std::log1p(static_cast<float>(count));
  out[Feature::kAnswersOne] = count == 1 ? 1 : 0;
  out[Feature::kAnswersMany] = count > kManyAnswers ? 1 : 0;
  out[Feature::kOnePlural] = count == 1 && cues_.plural ? 1 : 0;
  out[Feature::kMoreSingular] = count > 1 && !cues_.plural ? 1 : 0;
  float sum = 0, least = 100;
  for (const Slot& slot : candidate.slots) {
    const float edges = std::log1p(static_cast<float>(lexicon_.relation(slot.relation).edges));
    sum += edges;
    least = std::min(least, edges);
  }
  if (candidate.slots.empty()) return;
  out[Feature::kEdgesLog] = sum / static_cast<float>(candidate.slots.size());
  out[Feature::kEdgesLogMin] = least;
}

void FeatureMaker::explain(std::span<const float> fits, float share) {
  for (std::size_t t = 0; t < explained_.size(); ++t)
    if (free_[t] != 0) explained_[t] = std::max(explained_[t], share * fits[t]);
}

void FeatureMaker::add_words(const Candidate& candidate, CandidateFeatures& out) {
  for (std::size_t k = 0; k < candidate.slots.size(); ++k) {
    const std::size_t entry = lexicon_.entry_of(candidate.slots[k].relation);
    slots_[k] = match_.match(entry, free_);
    explain(match_.fits(entry), 1);
    const std::span<const float> nears = match_.nears(entry);
    for (std::size_t t = 0; t < near_.size(); ++t) near_[t] = std::max(near_[t], nears[t]);
    if (candidate.mentions.empty()) continue;
    const HeardMention& mention = parts_.mentions[candidate.mentions[candidate.slots[k].mention]];
    out.centers[k] = (static_cast<float>(mention.first) + static_cast<float>(mention.last) - 1) / 2;
  }
  const std::size_t count = set_slots(candidate).size();
  if (count == 0) return;
  out[Feature::kStem1] = slots_[0].stem;
  out[Feature::kFamily1] = slots_[0].family;
  out[Feature::kName1] = slots_[0].name;
  out[Feature::kMeaning1] = slots_[0].meaning;
  out[Feature::kNearest1] = slots_[0].near;
  float first = slots_[0].name, second = first;
  if (count == 2) {
    out[Feature::kStem2] = slots_[1].stem;
    out[Feature::kFamily2] = slots_[1].family;
    out[Feature::kMeaning2] = slots_[1].meaning;
    out[Feature::kNearest2] = slots_[1].near;
    out[Feature::kName2] = second = slots_[1].name;
    const bool one_word =
        slots_[0].place >= 0 && slots_[0].place == slots_[1].place &&
        lexicon_.entry_of(candidate.slots[0].relation) != lexicon_.entry_of(candidate.slots[1].relation);
    if (one_word) (slots_[0].stem >= slots_[1].stem ? second : first) *= kOneWordForBoth;
  }
  const RelationMatch& last = slots_[count - 1];
  out[Feature::kStemMin] = std::min(slots_[0].stem, last.stem);
  out[Feature::kStemMean] = (slots_[0].stem + last.stem) / 2;
  out[Feature::kFamilyMin] = std::min(slots_[0].family, last.family);
  out[Feature::kMeaningMin] = std::min(slots_[0].meaning, last.meaning);
  out[Feature::kNearestMin] = std::min(slots_[0].near, last.near);
  out[Feature::kNameMin] = std::min(first, second);
  out[Feature::kNameMean] = (first + second) / 2;
  out[Feature::kNameWholeMin] = std::min(slots_[0].whole, last.whole);
}

void FeatureMaker::add_measure(const Candidate& candidate, CandidateFeatures& out) {
  if (candidate.slots.empty() || candidate.slots.back().role != SlotRole::kMeasure) return;
  const RelationWords& relation = lexicon_.relation(candidate.slots.back().relation);
  const RelationMatch& match = slots_[candidate.slots.size() - 1];
  out[Feature::kMeasureStem] = match.stem;
  out[Feature::kMeasureFamily] = match.family;
  const bool date = !candidate.by_count && relation.tail == EndKind::kDate;
  const bool number = !candidate.by_count && relation.tail == EndKind::kNumber;
  out[Feature::kMeasureDate] = date ? 1 : 0;
  out[Feature::kMeasureNumber] = number ? 1 : 0;
  const bool more = candidate.asked == Asked::kLast || candidate.asked == Asked::kAfter ||
                    candidate.asked == Asked::kWhich || candidate.asked == Asked::kMore;
  const dialogue::MeasureWords* measure =
      cues_.orders.empty() || !(date || number) ? nullptr : dialogue::measure_of(relation.words, date);
  for (const OrderWord* order : cues_.orders) {
    const bool compares = candidate.asked == Asked::kWhich || candidate.asked == Asked::kLeast ||
                          is_whether(candidate.asked) || candidate.asked == Asked::kDifference ||
                          candidate.asked == Asked::kAfter || candidate.asked == Asked::kBefore;
    if (order->compares != compares && !(candidate.shape == Shape::kPair && !order->compares)) continue;
    // A difference has no side.
    const bool fits = candidate.asked == Asked::kDifference || asks_for_more(*order, measure) == more;
    out[fits ? Feature::kOrderFits : Feature::kOrderWrong] = 1;
    const bool kind = order->kind == EndKind::kUnknown ? candidate.by_count || number
                      : order->kind == EndKind::kDate  ? date
                                                       : number;
    if (kind) out[Feature::kOrderKind] = 1;
    // Of those that an order goes by, the first is meant before the others: a bigger country has more land.
    float share = 1;
    for (const std::string_view hint : order->relations) {
      for (const std::string& word : relation.words)
        out[Feature::kMeasureHint] = std::max(out[Feature::kMeasureHint], share * likeness(hint, word));
      share = std::max(kLeastHint, share - kLessHint);
    }
  }
}

// Whether the head is what the set's last step leads to, or something on the way there: who asks for the
// origin of weapons wants no weapons.
void FeatureMaker::add_head(const Candidate& candidate, CandidateFeatures& out) {
  const std::span<const Slot> slots = set_slots(candidate);
  if (cues_.head >= free_.size() || free_[cues_.head] == 0 || slots.empty()) return;
  const auto fit = [&](RelationId relation) { return match_.fits(lexicon_.entry_of(relation))[cues_.head]; };
  float answer = head_as_type_, other = 0;
  if (candidate.shape == Shape::kTwo) {
    answer = std::max(answer, fit(slots[1].relation));
    other = fit(slots[0].relation);
    if (candidate.type_at == TypeAt::kMiddle)
      other = std::max(other, match_.type_fits(parts_.types[candidate.type].type)[cues_.head]);
  } else {
    for (const Slot& slot : slots) answer = std::max(answer, fit(slot.relation));
  }
  out[Feature::kHeadAnswer] = answer;
  out[Feature::kHeadOther] = std::max(0.0F, other - answer);
  out[Feature::kHeadNone] = 1 - std::max(answer, other);
}

void FeatureMaker::add_types(const Candidate& candidate, CandidateFeatures& out) {
  head_as_type_ = 0;
  const auto take_head = [&](std::uint32_t type, float share) {
    if (cues_.head < free_.size())
      head_as_type_ = std::max(head_as_type_, share * match_.type_fits(type)[cues_.head]);
  };
  if (candidate.type_at == TypeAt::kAnswer) take_head(parts_.types[candidate.type].type, 1);
  if (candidate.type_at != TypeAt::kNone) {
    const HeardType& type = parts_.types[candidate.type];
    out[candidate.type_at == TypeAt::kAnswer ? Feature::kTypeAnswer : Feature::kTypeMiddle] = 1;
    out[Feature::kTypeMatch] = type.match;
    explain(match_.type_fits(type.type), 1);
    for (std::size_t k = 0; k < candidate.slots.size(); ++k)
      if (slots_[k].place == static_cast<int>(type.word)) out[Feature::kTypeSame] = 1;
  }
  bool unused = false;
  for (std::uint32_t t = 0; t < parts_.types.size(); ++t) {
    if (free_[parts_.types[t].word] == 0) continue;
    unused = true;
    if (candidate.type_at != TypeAt::kNone && t == candidate.type) continue;
    const std::vector<graph::EntityId>& members = lexicon_.types()[parts_.types[t].type].members;
    if (candidate.answers.empty() ||
        (!std::includes(members.begin(), members.end(), candidate.answers.begin(), candidate.answers.end()) &&
         !lexicon_.is_told_of_some(parts_.types[t].type, candidate.answers)))
      continue;
    out[Feature::kTypeOwn] = 1;  // all answers are of it, told or not
    explain(match_.type_fits(parts_.types[t].type), 0.8F);
    take_head(parts_.types[t].type, 0.8F);
  }
  out[Feature::kTypeUnused] = unused && candidate.type_at == TypeAt::kNone ? 1 : 0;
}

}  // namespace kgwalk::listening
