// Candidates that compare, order, filter and check.
#include <algorithm>
#include <map>
#include <set>

#include "listening/candidates/candidate_sets.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kMostSets = 60;  // that are ordered and filtered, the best by their relations' words
constexpr std::size_t kMostMembers = 500;  // of such a set
constexpr std::size_t kLookedAt = 12;      // members whose relations are looked at
constexpr std::size_t kMostMeasures = 6;   // of a set
constexpr std::size_t kMostCounts = 6;

std::vector<RelationId> relations_of(const graph::KnowledgeGraph& graph, EntityId entity) {
  std::vector<RelationId> relations;
  for (const graph::Edge& edge : graph.out_edges(entity))
    if (relations.empty() || relations.back() != edge.relation) relations.push_back(edge.relation);
  return relations;
}

bool has_values(const Lexicon& lexicon, RelationId relation) {
  return !lexicon.is_inverse(relation) && lexicon.values().group(relation) != 0 &&
         !lexicon.relation(relation).yes;
}

// The relations that some of the entities looked at have, the best by rank: values that can be ordered of a
// sixth (graphs know the year of few films), others of half.
std::vector<RelationId> measures_of(const Lexicon& lexicon, std::span<const EntityId> entities, bool values,
                                    const RankRelation& rank, std::size_t most) {
  std::map<RelationId, std::size_t> times;
  const std::size_t looked = std::min(entities.size(), kLookedAt);
  for (std::size_t i = 0; i < looked; ++i)
    for (const RelationId r : relations_of(lexicon.graph(), entities[i * entities.size() / looked]))
      if (lexicon.is_askable(r) && has_values(lexicon, r) == values) ++times[r];
  std::vector<RelationId> measures;
  for (const auto& [relation, n] : times)
    if ((values ? 6 : 2) * n >= looked) measures.push_back(relation);
  std::stable_sort(measures.begin(), measures.end(),
                   [&](RelationId a, RelationId b) { return rank(a) > rank(b); });
  measures.resize(std::min(measures.size(), most));
  return measures;
}

class Orders {
 public:
  Orders(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
         const RankRelation& rank, std::vector<Candidate>& out)
      : lexicon_(lexicon), engine_(engine), parts_(parts), rank_(rank), out_(out) {}

  void add(const Candidate& set) {
    const std::vector<RelationId> values = measures_of(lexicon_, set.answers, true, rank_, kMostMeasures);
    if (has_superlative(parts_.said)) {
      for (const RelationId r : values) order(set, r, false);
      if (has_amount(parts_.said))
        for (const RelationId r : measures_of(lexicon_, set.answers, false, rank_, kMostCounts))
          order(set, r, true);
    }
    for (std::uint32_t v = 0; v < parts_.values.size(); ++v)
      for (const RelationId r : values) filter(set, r, v);
  }

 private:
  [[nodiscard]] Candidate with_measure(const Candidate& set, RelationId relation, Asked asked) const {
    Candidate candidate = set;
    candidate.asked = asked;
    candidate.slots.push_back({relation, SlotRole::kMeasure, 0});
    candidate.answers.clear();
    return candidate;
  }

  void order(const Candidate& set, RelationId relation, bool by_count) {
    if (set.answers.size() < 2) return;
    const forms::Measure measure = by_count ? forms::count_of({relation}) : forms::value_of({relation});
    for (const Asked asked : {Asked::kFirst, Asked::kLast}) {
      Candidate candidate = with_measure(set, relation, asked);
      candidate.by_count = by_count;
      const forms::Set members = forms::entities(set.answers);
      const forms::Answer answer = engine_.answer(forms::find(
          asked == Asked::kFirst ? forms::first(members, measure) : forms::last(members, measure)));
      put(std::move(candidate), answer);
    }
  }

  void filter(const Candidate& set, RelationId relation, std::uint32_t value) {
    const HeardValue heard = as_measured(parts_.values[value], relation, lexicon_.values());
    for (const Asked asked : {Asked::kAfter, Asked::kBefore, Asked::kAt}) {
      Candidate candidate = with_measure(set, relation, asked);
      candidate.value = value;
      const forms::Answer answer = engine_.answer(
          forms::find(forms::where(forms::entities(set.answers), {relation}, condition_of(asked, heard))));
      put(std::move(candidate), answer);
    }
  }

  // A value inside a mention is a part of its name.
  [[nodiscard]] bool is_named(const Candidate& candidate) const {
    const bool filters = candidate.asked == Asked::kAfter || candidate.asked == Asked::kBefore ||
                         candidate.asked == Asked::kAt;
    return filters && std::any_of(candidate.mentions.begin(), candidate.mentions.end(), [&](std::uint32_t m) {
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
};

// What an entity has of a relation: how many, or the value that compares (the least of several).
std::optional<double> measured(const Lexicon& lexicon, EntityId entity, RelationId relation, bool by_count) {
  std::optional<double> value;
  double count = 0;
  for (const graph::Edge& edge : lexicon.graph().out_edges(entity)) {
    if (edge.relation != relation) continue;
    ++count;
    if (by_count || lexicon.values().group(relation, edge.tail) != lexicon.values().group(relation)) continue;
    const double own = lexicon.values().value(relation, edge.tail).from;
    value = value ? std::min(*value, own) : own;
  }
  return by_count ? std::optional(count) : value;
}

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
    const HeardValue said = as_measured(parts.values[value], edge.relation, lexicon.values());
    for (const auto& [asked, test] : {std::pair(Asked::kMore, graph::Comparison::kGreater),
                                      {Asked::kLess, graph::Comparison::kLess},
                                      {Asked::kSame, graph::Comparison::kEqual}}) {
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

HeardValue as_measured(HeardValue heard, RelationId relation, const graph::TypedValues& values) {
  if (!heard.bare) return heard;
  const auto ranked = values.ranked(relation);
  const bool plain = !ranked.empty() && values.value(relation, ranked.front().value).unit == 0;
  if (plain) heard.value = *heard.bare;
  return heard;
}

forms::Condition condition_of(Asked asked, const HeardValue& value) {
  switch (asked) {
    case Asked::kAfter:
    case Asked::kMore:
      return {graph::Comparison::kGreater, value.upper.value_or(value.value)};
    case Asked::kBefore:
    case Asked::kLess:
      return {graph::Comparison::kLess, value.value};
    default:
      return value.upper ? forms::between(value.value, *value.upper)
                         : forms::Condition{graph::Comparison::kEqual, value.value};
  }
}

void add_orders_and_filters(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
                            const RankRelation& rank, std::span<const Candidate> sets,
                            std::vector<Candidate>& out) {
  if (!has_superlative(parts.said) && parts.values.empty()) return;
  std::vector<std::pair<float, const Candidate*>> order;
  for (const Candidate& set : sets) {
    const bool of_type = set.slots.empty() && parts.mentions[set.mentions.front()].of_type;
    if (set.answers.size() > kMostMembers && !of_type) continue;
    float sum = 0;
    for (const Slot& slot : set.slots) sum += rank(slot.relation);
    // The answers of before need no words.
    order.emplace_back(set.slots.empty() ? 1.0F : sum / static_cast<float>(set.slots.size()), &set);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  order.resize(std::min(order.size(), kMostSets));
  std::vector<Candidate> made;
  Orders orders(lexicon, engine, parts, rank, made);
  for (const auto& [sum, set] : order) orders.add(*set);
  std::move(made.begin(), made.end(), std::back_inserter(out));
}

void add_comparisons(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
                     std::vector<Candidate>& out) {
  if (!has_comparison(parts.said)) return;
  const graph::KnowledgeGraph& graph = lexicon.graph();
  for (std::uint32_t a = 0; a < parts.mentions.size(); ++a) {
    if (!parts.mentions[a].members.empty()) continue;
    for (std::uint32_t v = 0; v < parts.values.size(); ++v) compare_with_value(lexicon, parts, a, v, out);
    for (std::uint32_t b = 0; b < parts.mentions.size(); ++b) {
      const HeardMention &left = parts.mentions[a], &right = parts.mentions[b];
      if (!right.members.empty() || left.entity == right.entity || left.overlaps(right)) continue;
      // In the order of the words; of two that are not named, as they were spoken of.
      if (left.focus && right.focus ? a > b : left.first >= right.first) continue;
      const std::vector<RelationId> first = relations_of(graph, left.entity),
                                    second = relations_of(graph, right.entity);
      std::vector<RelationId> both;
      std::set_intersection(first.begin(), first.end(), second.begin(), second.end(),
                            std::back_inserter(both));
      std::vector<RelationId> counts;
      for (const RelationId r : both) {
        if (!lexicon.is_askable(r)) continue;
        if (has_values(lexicon, r))
          compare_pair(lexicon, parts, a, b, r, false, out);
        else
          counts.push_back(r);
      }
      std::stable_sort(counts.begin(), counts.end(),
                       [&](RelationId x, RelationId y) { return rank(x) > rank(y); });
      counts.resize(std::min(counts.size(), kMostCounts));
      for (const RelationId r : counts) compare_pair(lexicon, parts, a, b, r, true, out);
    }
  }
}

void add_checks(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
                const CandidateLimits& limits, std::vector<Candidate>& out) {
  const graph::KnowledgeGraph& graph = lexicon.graph();
  const bool check = begins_as_check(parts.said);
  for (std::uint32_t a = 0; a < parts.mentions.size(); ++a) {
    if (!parts.mentions[a].members.empty()) continue;
    const EntityId from = parts.mentions[a].entity;
    std::vector<RelationId> relations = relations_of(graph, from);
    std::erase_if(relations, [&](RelationId r) { return !lexicon.is_askable(r); });
    if (relations.size() > limits.relations) {
      std::stable_sort(relations.begin(), relations.end(),
                       [&](RelationId x, RelationId y) { return rank(x) > rank(y); });
      relations.resize(limits.relations);
    }
    for (const RelationId r : relations) {
      // Whether there is any; of yes and no, whether it is yes.
      Candidate any{
          .asked = Asked::kCheck, .slots = {{r, SlotRole::kSingle, 0}}, .mentions = {a}, .truth = true};
      const auto yes = lexicon.relation(r).yes;
      if (yes && !lexicon.is_inverse(r)) any.truth = graph.has_edge({from, r, *yes});
      if (check) out.push_back(any);
      if (yes) continue;
      for (std::uint32_t b = 0; b < parts.mentions.size(); ++b) {
        const EntityId to = parts.mentions[b].entity;
        if (a == b || from == to || !parts.mentions[b].members.empty() ||
            parts.mentions[a].overlaps(parts.mentions[b]))
          continue;
        const bool so = graph.has_edge({from, r, to});
        if (so && lexicon.is_inverse(r)) continue;  // the same from the other end
        Candidate candidate = any;
        candidate.mentions = {a, b};
        candidate.truth = so;
        out.push_back(candidate);
      }
    }
  }
}

}  // namespace kgwalk::listening
