// Candidates that compare, order, filter and check.
#include <algorithm>
#include <map>
#include <set>

#include "listening/candidates/candidate_sets.h"
#include "listening/words/order_words.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kMostSets = 60;  // that are ordered and filtered, the best by their relations' words
constexpr std::size_t kMostMembers = 500;  // of such a set
constexpr std::size_t kMostMeasures = 6;   // of a set
constexpr std::size_t kMostCounts = 6;
constexpr std::size_t kMostEnds = 6;         // relations whose ends are ordered
constexpr std::size_t kMostEdges = 300'000;  // of such a relation
constexpr float kLeastRank = 0.5F;           // and how well its words fit
constexpr float kSaidOfCheck = 0.5F;         // rank of a relation that is said
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
      : lexicon_(lexicon), engine_(engine), parts_(parts), rank_(rank), out_(out) {}

  void add(const Candidate& set) {
    const std::vector<RelationId> values = measures_of(lexicon_, set.answers, true, rank_, kMostMeasures);
    std::vector<RelationId> counts;
    if (has_amount(parts_.said)) counts = measures_of(lexicon_, set.answers, false, rank_, kMostCounts);
    if (has_superlative(parts_.said)) {
      for (const RelationId r : values) order(set, r, false);
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

// Whether the mention is of a type that is said; no where it is of others.
void add_checks_of_types(const Lexicon& lexicon, const HeardParts& parts, std::uint32_t mention,
                         std::vector<Candidate>& out) {
  const std::vector<RelationId> from_types = lexicon.from_types();
  const HeardMention& heard = parts.mentions[mention];
  if (from_types.empty() || lexicon.types_of(heard.entity).empty()) return;
  for (std::uint32_t t = 0; t < parts.mentions.size(); ++t) {
    const HeardMention& type = parts.mentions[t];
    if (!type.of_type || type.overlaps(heard) || lexicon.types()[type.type].flag)
      continue;  // a flag has checks of its own
    out.push_back({.asked = Asked::kCheck,
                   .slots = {{lexicon.graph().inverse(from_types.front()), SlotRole::kSingle, 0}},
                   .mentions = {mention, t},
                   .truth = std::binary_search(type.members.begin(), type.members.end(), heard.entity)});
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
  for (const auto& [a, b] : pairs_named(parts))
    for (const auto& [relation, by_count] :
         measures_of_both(lexicon, parts.mentions[a].entity, parts.mentions[b].entity, rank, counts))
      compare_pair(lexicon, parts, a, b, relation, by_count, out);
}

namespace {

// Who names two things asks about both, not about one of them and what was spoken of: "is A in B too". Of the
// checks of a relation from `first` on, those of the most names are left.
void leave_most_named(const Lexicon& lexicon, const HeardParts& parts, std::size_t first,
                      std::vector<Candidate>& out) {
  if (parts.named.size() < 2) return;
  std::map<std::size_t, std::size_t> most;  // by entry of the lexicon
  const auto entry = [&](const Candidate& check) { return lexicon.entry_of(check.slots.front().relation); };
  for (std::size_t i = first; i < out.size(); ++i)
    most[entry(out[i])] = std::max(most[entry(out[i])], names_covered(parts, out[i].mentions));
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  out.erase(std::remove_if(begin, out.end(),
                           [&](const Candidate& check) {
                             const std::size_t all = most[entry(check)];
                             return all >= 2 && names_covered(parts, check.mentions) < all;
                           }),
            out.end());
}

// "Are B and C both in A": whether the relation leads to two that are named.
void add_checks_of_both(const Lexicon& lexicon, const HeardParts& parts, std::uint32_t from,
                        graph::RelationId relation, bool said, std::vector<Candidate>& out) {
  if (parts.named.size() < 2 || !(parts.said.says("both") || parts.said.says("and"))) return;
  const HeardMention& a = parts.mentions[from];
  for (std::size_t i = 0; i < parts.named.size(); ++i)
    for (std::size_t j = i + 1; j < parts.named.size(); ++j) {
      const std::uint32_t b = std::min(parts.named[i], parts.named[j]),
                          c = std::max(parts.named[i], parts.named[j]);
      const HeardMention &left = parts.mentions[b], &right = parts.mentions[c];
      if (b == from || c == from || left.overlaps(a) || right.overlaps(a) || left.overlaps(right) ||
          left.entity == right.entity || left.entity == a.entity || right.entity == a.entity ||
          !left.members.empty() || !right.members.empty())
        continue;
      const bool one = lexicon.graph().has_edge({a.entity, relation, left.entity}),
                 other = lexicon.graph().has_edge({a.entity, relation, right.entity});
      if (one || other || said)
        out.push_back({.asked = Asked::kCheck,
                       .slots = {{relation, SlotRole::kSingle, 0}},
                       .mentions = {from, b, c},
                       .truth = one && other});
    }
}

}  // namespace

void add_checks(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
                const CandidateLimits& limits, std::vector<Candidate>& out) {
  const graph::KnowledgeGraph& graph = lexicon.graph();
  const std::size_t before = out.size();
  const bool check = begins_as_check(parts.said);
  // "Is X in it", "does X belong to Y": where the graph joins both, a relation does not say no that is not
  // said, or not more than the one that joins them.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<float>> joined;
  const auto joining = [&](std::uint32_t a, std::uint32_t b) {
    const auto [found, added] = joined.try_emplace({std::min(a, b), std::max(a, b)}, std::nullopt);
    if (added) {
      const EntityId to = parts.mentions[b].entity;
      for (const graph::Edge& edge : graph.out_edges(parts.mentions[a].entity))
        if (edge.tail == to && lexicon.is_askable(edge.relation))
          found->second = std::max(found->second.value_or(0), rank(edge.relation));
    }
    return found->second;
  };
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
    if (check) add_checks_of_types(lexicon, parts, a, out);
    for (const RelationId r : relations) {
      // Whether there is any; of yes and no, whether it is yes.
      Candidate any{
          .asked = Asked::kCheck, .slots = {{r, SlotRole::kSingle, 0}}, .mentions = {a}, .truth = true};
      const auto yes = lexicon.relation(r).yes;
      if (yes && !lexicon.is_inverse(r)) any.truth = graph.has_edge({from, r, *yes});
      if (check) out.push_back(any);
      if (yes) continue;
      if (check) add_checks_of_both(lexicon, parts, a, r, rank(r) >= kSaidOfCheck, out);
      for (std::uint32_t b = 0; b < parts.mentions.size(); ++b) {
        const EntityId to = parts.mentions[b].entity;
        if (a == b || from == to || !parts.mentions[b].members.empty() ||
            parts.mentions[a].overlaps(parts.mentions[b]))
          continue;
        const bool so = graph.has_edge({from, r, to});
        if (so && lexicon.is_inverse(r)) continue;  // the same from the other end
        const std::optional<float> other = so ? std::nullopt : joining(a, b);
        if (other && (rank(r) < kSaidOfCheck || rank(r) <= *other)) continue;
        Candidate candidate = any;
        candidate.mentions = {a, b};
        candidate.truth = so;
        out.push_back(candidate);
      }
    }
  }
  leave_most_named(lexicon, parts, before, out);
}

}  // namespace kgwalk::listening
