// Candidates that compare, order, filter and check.
#include <algorithm>
#include <map>
#include <set>

#include "listening/candidates/candidate_sets.h"
#include "listening/words/likeness.h"
#include "listening/words/order_words.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kMostSets = 60;  // that are ordered and filtered, the best by their relations' words
constexpr std::size_t kMostMembers = 500;  // of such a set
constexpr std::size_t kMostMeasures = 6;   // of a set
constexpr float kSaidByValue = 0.5F;       // rank of a measure that is of the kind of the value or the order
constexpr std::size_t kMostCounts = 6;
constexpr std::size_t kMostEnds = 6;         // relations whose ends are ordered
constexpr std::size_t kMostEdges = 300'000;  // of such a relation
constexpr float kLeastRank = 0.5F;           // and how well its words fit
constexpr std::size_t kMostThan = 4;         // mentions whose values limit

// "Higher", "after", "more": a word that compares by a measure.
bool says_comparison(const SaidText& said) {
  const std::vector<const OrderWord*> orders = order_words(said);
  return std::any_of(orders.begin(), orders.end(), [](const OrderWord* order) { return order->compares; });
}

class Orders {
 public:
  Orders(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
         const RankRelation& rank, std::vector<Candidate>& out)
      : lexicon_(lexicon),
        engine_(engine),
        parts_(parts),
        rank_(rank),
        out_(out),
        orders_(order_words(parts.said)) {}

  void add(const Candidate& set) {
    const std::vector<RelationId> values = measures_of(
        lexicon_, set.answers, true, [&](RelationId r) { return rank_of(r); }, kMostMeasures);
    std::vector<RelationId> counts;
    if (has_amount(parts_.said)) counts = measures_of(lexicon_, set.answers, false, rank_, kMostCounts);
    if (has_superlative(parts_.said)) {
      const bool by_birth = goes_by_birth(values);
      std::vector<RelationId> ordered = values;
      leave_meant_by_order(lexicon_, parts_.said, rank_, ordered);
      for (const RelationId r : ordered)
        if (!by_birth || tells_birth(r)) order(set, r, false);
      for (const RelationId r : counts) order(set, r, true);
    }
    for (std::uint32_t v = 0; v < parts_.values.size(); ++v) {
      for (const RelationId r : values) filter(set, r, v, false);
      const graph::TypedValue& value = parts_.values[v].value;
      if (value.kind == graph::ValueKind::kNumber && value.unit == 0)
        for (const RelationId r : counts) filter(set, r, v, true);
    }
    if (says_comparison(parts_.said)) filter_by_others(set, values);
  }

 private:
  [[nodiscard]] bool tells_birth(RelationId relation) const {
    const std::vector<std::string>& words = lexicon_.relation(relation).words;
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word.starts_with("birth") || word == "born" || word == "age";
    });
  }
  // "The oldest employee" was born first, whoever was hired first.
  [[nodiscard]] bool goes_by_birth(const std::vector<RelationId>& measures) const {
    const bool old = std::any_of(orders_.begin(), orders_.end(), [](const OrderWord* order) {
      return !order->relations.empty() && order->relations.front() == "birth";
    });
    return old && std::any_of(measures.begin(), measures.end(), [&](RelationId r) { return tells_birth(r); });
  }

  // "Cars of 1974", "the heaviest car": the value or the word of the order says what is measured where no
  // word does.
  [[nodiscard]] float rank_of(RelationId relation) {
    const auto [known, added] = ranks_.try_emplace(relation);
    if (added) known->second = found_rank(relation);
    return known->second;
  }

  [[nodiscard]] float found_rank(RelationId relation) const {
    const bool time = graph::is_time(lexicon_.values().ends(relation).tails);
    float rank = rank_(relation);
    if (time && std::any_of(parts_.values.begin(), parts_.values.end(),
                            [](const HeardValue& value) { return graph::is_time(value.value.kind); }))
      rank = std::max(rank, kSaidByValue);
    for (const OrderWord* order : orders_) {
      if (time && order->kind == EndKind::kDate) rank = std::max(rank, kSaidByValue);
      for (const std::string_view hint : order->relations)
        for (const std::string& word : lexicon_.relation(relation).words)
          rank = std::max(rank, likeness(hint, word));
    }
    return rank;
  }

  [[nodiscard]] Candidate with_measure(const Candidate& set, RelationId relation, Asked asked) const {
    Candidate candidate = set;
    candidate.asked = asked;
    candidate.slots.push_back({relation, SlotRole::kMeasure, 0});
    candidate.answers.clear();
    return candidate;
  }

  void order(const Candidate& set, RelationId relation, bool by_count) {
    // "The highest mountain in Germany" may be the only one there.
    if (set.answers.size() < 2 && set.type_at != TypeAt::kAnswer) return;
    const forms::Measure measure = by_count ? forms::count_of({relation}) : forms::value_of({relation});
    for (const Asked asked : {Asked::kFirst, Asked::kLast}) {
      Candidate candidate = with_measure(set, relation, asked);
      candidate.by_count = by_count;
      const forms::Set members = forms::entities(set.answers);
      put(std::move(candidate), engine_.answer(forms::find(ranked(members, measure, asked, parts_.rank))));
    }
  }

  void filter(const Candidate& set, RelationId relation, std::uint32_t value, bool by_count) {
    const HeardValue heard =
        by_count ? parts_.values[value] : as_measured(parts_.values[value], relation, lexicon_);
    for (const Asked asked : {Asked::kAfter, Asked::kBefore, Asked::kAt}) {
      Candidate candidate = with_measure(set, relation, asked);
      candidate.value = value;
      candidate.by_count = by_count;
      forms::Set members = forms::entities(set.answers);
      const forms::Condition condition = condition_of(asked, heard);
      put(std::move(candidate),
          engine_.answer(forms::find(
              by_count ? forms::where_count(std::move(members), forms::count_of({relation}), condition)
                       : forms::where(std::move(members), {relation}, condition))));
    }
  }

  // "Mountains higher than Mont Blanc".
  void filter_by_others(const Candidate& set, const std::vector<RelationId>& values) {
    if (set.mentions.size() > 1) return;
    std::size_t tried = 0;
    for (std::uint32_t m = 0; m < parts_.mentions.size() && tried < kMostThan; ++m) {
      const HeardMention& other = parts_.mentions[m];
      const auto is_same = [&](std::uint32_t own) {
        return parts_.mentions[own].entity == other.entity || parts_.mentions[own].overlaps(other);
      };
      if (!other.members.empty() || other.focus ||
          std::any_of(set.mentions.begin(), set.mentions.end(), is_same))
        continue;
      ++tried;
      for (const RelationId r : values) filter_by(set, r, m);
    }
  }

  void filter_by(const Candidate& set, RelationId relation, std::uint32_t mention) {
    const auto value = value_of(lexicon_, parts_.mentions[mention].entity, relation);
    if (!value) return;
    for (const Asked asked : {Asked::kAfter, Asked::kBefore}) {
      Candidate candidate = with_measure(set, relation, asked);
      candidate.than = true;
      candidate.mentions.push_back(mention);
      put(std::move(candidate),
          engine_.answer(forms::find(forms::where(forms::entities(set.answers), {relation},
                                                  condition_of(asked, {.value = *value})))));
    }
  }

  // A value inside a mention is a part of its name.
  [[nodiscard]] bool is_named(const Candidate& candidate) const {
    const bool filters = candidate.asked == Asked::kAfter || candidate.asked == Asked::kBefore ||
                         candidate.asked == Asked::kAt;
    return filters && !candidate.than &&
           std::any_of(candidate.mentions.begin(), candidate.mentions.end(), [&](std::uint32_t m) {
             const HeardMention& mention = parts_.mentions[m];
             const HeardValue& value = parts_.values[candidate.value];
             return mention.first < value.last && value.first < mention.last;
           });
  }

  void put(Candidate candidate, const forms::Answer& answer) {
    if (!answer.complete() || answer.no_common_value || answer.entities.empty() || is_named(candidate))
      return;
    candidate.answers = answer.entities;
    std::sort(candidate.answers.begin(), candidate.answers.end());
    out_.push_back(std::move(candidate));
  }

  const Lexicon& lexicon_;
  const forms::Engine& engine_;
  const HeardParts& parts_;
  const RankRelation& rank_;
  std::vector<Candidate>& out_;
  std::vector<const OrderWord*> orders_;
  std::map<RelationId, float> ranks_;  // of the measures that were looked at
};

void compare_pair(const Lexicon& lexicon, const HeardParts& parts, std::uint32_t a, std::uint32_t b,
                  RelationId relation, bool by_count, std::vector<Candidate>& out) {
  const EntityId left = parts.mentions[a].entity, right = parts.mentions[b].entity;
  const auto x = measured(lexicon, left, relation, by_count),
             y = measured(lexicon, right, relation, by_count);
  if (!x || !y) return;
  Candidate candidate{.shape = Shape::kPair,
                      .by_count = by_count,
                      .slots = {{relation, SlotRole::kMeasure, 0}},
                      .mentions = {a, b}};
  const auto put = [&](Asked asked, std::vector<EntityId> answers, std::optional<bool> truth) {
    candidate.asked = asked;
    candidate.answers = std::move(answers);
    candidate.truth = truth;
    out.push_back(candidate);
  };
  if (*x != *y) {
    put(Asked::kWhich, {*x > *y ? left : right}, std::nullopt);
    put(Asked::kLeast, {*x < *y ? left : right}, std::nullopt);
  }
  put(Asked::kMore, {}, *x > *y);
  put(Asked::kLess, {}, *x < *y);
  put(Asked::kSame, {}, *x == *y);
}

void compare_with_value(const Lexicon& lexicon, const HeardParts& parts, std::uint32_t mention,
                        std::uint32_t value, std::vector<Candidate>& out) {
  const HeardMention& heard = parts.mentions[mention];
  if (heard.first < parts.values[value].last && parts.values[value].first < heard.last) return;
  for (const graph::Edge& edge : lexicon.graph().out_edges(heard.entity)) {
    if (!lexicon.is_askable(edge.relation) || !has_values(lexicon, edge.relation)) continue;
    const graph::TypedValue own = lexicon.values().value(edge.relation, edge.tail);
    const HeardValue said = as_measured(parts.values[value], edge.relation, lexicon);
    for (const Asked asked : {Asked::kMore, Asked::kLess, Asked::kSame}) {
      const graph::Comparison test =
          asked == Asked::kSame ? graph::Comparison::kEqual : condition_of(asked, said).test;
      const auto truth = graph::compare(own, test, said.value);
      if (truth)
        out.push_back({.shape = Shape::kOne,
                       .asked = asked,
                       .slots = {{edge.relation, SlotRole::kMeasure, 0}},
                       .mentions = {mention},
                       .value = value,
                       .truth = truth});
    }
  }
}

}  // namespace

forms::Set ranked(forms::Set members, const forms::Measure& measure, Asked asked,
                  const std::optional<SaidRank>& rank) {
  const auto some = [&](forms::Set of, std::uint64_t n) {
    return asked == Asked::kFirst ? forms::first(std::move(of), measure, n)
                                  : forms::last(std::move(of), measure, n);
  };
  if (!rank) return some(std::move(members), 1);
  if (!rank->alone) return some(std::move(members), rank->n);
  return forms::but(some(members, rank->n), some(members, rank->n - 1));
}

void add_orders_and_filters(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
                            const RankRelation& rank, std::span<const Candidate> sets,
                            std::vector<Candidate>& out) {
  if (!has_superlative(parts.said) && !says_comparison(parts.said) && parts.values.empty()) return;
  std::vector<Candidate> made;
  Orders orders(lexicon, engine, parts, rank, made);
  for (const Candidate* set : likeliest_sets(parts, rank, sets, kMostSets, kMostMembers)) orders.add(*set);
  std::move(made.begin(), made.end(), std::back_inserter(out));
}

void add_ends(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
              const RankRelation& rank, std::vector<Candidate>& out) {
  if (!has_superlative(parts.said) || !has_amount(parts.said)) return;
  std::vector<std::pair<float, RelationId>> order;
  for (RelationId r = 0; r < lexicon.graph().num_relations(); ++r) {
    const float fits = lexicon.is_askable(r) ? rank(r) : 0;
    if (fits < kLeastRank || has_values(lexicon, lexicon.graph().inverse(r)) || has_values(lexicon, r) ||
        lexicon.relation(r).edges > kMostEdges)
      continue;
    order.emplace_back(-fits, r);
  }
  std::sort(order.begin(), order.end());
  order.resize(std::min(order.size(), kMostEnds));
  for (const auto& [negative, r] : order)
    for (const Asked asked : {Asked::kFirst, Asked::kLast}) {
      forms::Answer answer =
          engine.answer(forms::find(ranked(forms::having({r}), forms::count_of({r}), asked, parts.rank)));
      // Many of one each say nothing.
      if (!answer.complete() || answer.entities.empty() || answer.entities.size() > kMostMembers) continue;
      std::sort(answer.entities.begin(), answer.entities.end());
      out.push_back({.shape = Shape::kEnds,
                     .asked = asked,
                     .by_count = true,
                     .slots = {{r, SlotRole::kMeasure, 0}},
                     .answers = std::move(answer.entities)});
    }
}

void add_comparisons(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
                     std::vector<Candidate>& out) {
  if (!has_comparison(parts.said)) return;
  for (std::uint32_t a = 0; a < parts.mentions.size(); ++a) {
    if (!parts.mentions[a].members.empty()) continue;
    // "Queen songs longer than 5 minutes" asks not whether something is so.
    if (begins_as_check(parts.said))
      for (std::uint32_t v = 0; v < parts.values.size(); ++v) compare_with_value(lexicon, parts, a, v, out);
  }
  const bool counts = may_compare_counts(parts.said);
  for (const auto& [a, b] : pairs_named(lexicon, parts))
    for (const auto& [relation, by_count] : measures_of_both(lexicon, parts.said, parts.mentions[a].entity,
                                                             parts.mentions[b].entity, rank, counts))
      compare_pair(lexicon, parts, a, b, relation, by_count, out);
}

}  // namespace kgwalk::listening
