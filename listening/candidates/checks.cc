// Candidates that are answered by yes or no from facts: whether a relation leads from one thing to another,
// to anything, to two; whether something is of a type; whether two have to do with the same.
#include <algorithm>
#include <map>

#include "forms/rows.h"
#include "listening/candidates/candidate_sets.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr float kSurelySaid = 0.85F;
constexpr float kByItsName = 0.93F;          // rank of a relation one of whose own words is said
constexpr float kSaidOfCheck = 0.5F;         // rank of a relation that is said
constexpr float kSaidOfAny = 0.6F;           // and of one that "is there any" may be asked of
constexpr std::size_t kMostMetEdges = 5000;  // of two things whose common ends are looked for

// "A programming language" of things that are programming, "a melee hero": the noun behind it says less.
bool is_told_more_closely(const HeardParts& parts, const HeardMention& type, const HeardMention& subject) {
  return std::any_of(parts.mentions.begin(), parts.mentions.end(), [&](const HeardMention& other) {
    if (other.last != type.first || other.last == other.first || other.overlaps(subject)) return false;
    return other.of_type
               ? other.members.size() < type.members.size()
               : !other.focus && other.fit <= dialogue::NameFit::kJoined && other.entity != subject.entity;
  });
}

// Whether the mention is of a type that is said; no where it is of others.
void add_checks_of_types(const Lexicon& lexicon, const HeardParts& parts, std::uint32_t mention,
                         std::vector<Candidate>& out) {
  const std::vector<RelationId> from_types = lexicon.from_types();
  const HeardMention& heard = parts.mentions[mention];
  if (from_types.empty() || lexicon.types_of(heard.entity).empty()) return;
  for (std::uint32_t t = 0; t < parts.mentions.size(); ++t) {
    const HeardMention& type = parts.mentions[t];
    if (!type.of_type || type.overlaps(heard) || lexicon.types()[type.type].flag ||
        is_told_more_closely(parts, type, heard) || parts.said.is_behind(type.first, {"the", "this", "that"}))
      continue;  // a flag has checks of its own
    out.push_back({.asked = Asked::kCheck,
                   .slots = {{lexicon.graph().inverse(from_types.front()), SlotRole::kSingle, 0}},
                   .mentions = {mention, t},
                   .truth = std::binary_search(type.members.begin(), type.members.end(), heard.entity)});
  }
}

}  // namespace

std::optional<JointEnds> joint_ends(const Lexicon& lexicon, const RankRelation& rank, EntityId a,
                                    EntityId b) {
  const graph::KnowledgeGraph& graph = lexicon.graph();
  const auto first = graph.out_edges(a), second = graph.out_edges(b);
  if (first.size() > kMostMetEdges || second.size() > kMostMetEdges) return std::nullopt;
  if (lexicon.kind_of(a) == EndKind::kPlace || lexicon.kind_of(b) == EndKind::kPlace) return std::nullopt;
  const auto counts = [&](RelationId relation) {
    return lexicon.is_inverse(relation) && lexicon.is_askable(relation) && !lexicon.tells_types(relation);
  };
  // Of each the relations to what they are in, with what those lead to.
  std::map<EntityId, RelationId> there;
  std::map<RelationId, std::size_t> firsts, seconds;
  for (const graph::Edge& edge : first) {
    if (!counts(edge.relation)) continue;
    ++firsts[edge.relation];
    const auto [found, added] = there.try_emplace(edge.tail, edge.relation);
    if (!added && rank(edge.relation) > rank(found->second)) found->second = edge.relation;
  }
  std::optional<JointEnds> best;
  std::map<std::pair<RelationId, RelationId>, std::size_t> common;
  for (const graph::Edge& edge : second) {
    if (!counts(edge.relation)) continue;
    ++seconds[edge.relation];
    if (const auto found = there.find(edge.tail); found != there.end())
      ++common[{found->second, edge.relation}];
  }
  if (firsts.empty() || seconds.empty()) return std::nullopt;
  double most = -1;
  for (const auto& [pair, n] : common) {
    const double fits =
        rank(pair.first) + rank(pair.second) + 0.01 * static_cast<double>(std::min<std::size_t>(n, 50));
    if (fits > most) best = JointEnds{pair.first, pair.second, true};
    most = std::max(most, fits);
  }
  if (best) return best;
  const auto likeliest = [&](const std::map<RelationId, std::size_t>& relations) {
    return std::max_element(relations.begin(), relations.end(),
                            [&](const auto& x, const auto& y) {
                              return std::pair(rank(x.first), x.second) < std::pair(rank(y.first), y.second);
                            })
        ->first;
  };
  return JointEnds{likeliest(firsts), likeliest(seconds), false};
}

namespace {

bool joint_ends_are_same(const Lexicon& lexicon, const RankRelation& rank, const HeardParts& parts,
                         std::uint32_t a, std::uint32_t b) {
  const auto ends = joint_ends(lexicon, rank, parts.mentions[a].entity, parts.mentions[b].entity);
  return ends && ends->so;
}

// "Do X and Y have the same director": relations that are said and that both have.
std::vector<JointEnds> shared_ends(const Lexicon& lexicon, const RankRelation& rank, EntityId a, EntityId b) {
  std::vector<JointEnds> shared;
  std::vector<RelationId> both;
  const graph::KnowledgeGraph& graph = lexicon.graph();
  std::ranges::set_intersection(relations_of(graph, a), relations_of(graph, b), std::back_inserter(both));
  for (const RelationId relation : both) {
    if (!lexicon.is_askable(relation) || has_values(lexicon, relation) || lexicon.relation(relation).yes ||
        rank(relation) < kSaidOfCheck)
      continue;
    const auto row = forms::row(graph, a, relation);
    const bool so = std::any_of(row.begin(), row.end(), [&](const graph::Edge& edge) {
      return graph.has_edge({b, relation, edge.tail});
    });
    shared.push_back({relation, relation, so});
  }
  return shared;
}

// "Has X ever worked with Y", "did they make a film together", "are they from the same country".
void add_checks_of_meeting(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
                           std::vector<Candidate>& out) {
  if (!says_together(parts.said)) return;
  const auto add = [&](const JointEnds& ends, std::uint32_t a, std::uint32_t b) {
    out.push_back({.shape = Shape::kAnd,
                   .asked = Asked::kCheck,
                   .slots = {{ends.first, SlotRole::kBoth, 0}, {ends.second, SlotRole::kBoth, 1}},
                   .mentions = {a, b},
                   .truth = ends.so});
  };
  for (const auto& [a, b] : pairs_named(lexicon, parts)) {
    const EntityId one = parts.mentions[a].entity, other = parts.mentions[b].entity;
    for (const JointEnds& ends : shared_ends(lexicon, rank, one, other)) add(ends, a, b);
    if (const auto ends = joint_ends(lexicon, rank, one, other); ends && ends->first != ends->second)
      add(*ends, a, b);
    else if (ends && rank(ends->first) < kSaidOfCheck)
      add(*ends, a, b);
  }
}

std::size_t num_in_focus(const HeardParts& parts, const Candidate& check) {
  return static_cast<std::size_t>(std::count_if(check.mentions.begin(), check.mentions.end(),
                                                [&](std::uint32_t m) { return parts.mentions[m].focus; }));
}

// Who names two things asks about both, not about one of them and what was spoken of: "is A in B too"; and
// who says "he" and "it" means both: "did he write it" is not whether anybody did. Of the checks of a
// relation from `first` on, those of the most that is named or meant are left.
void leave_most_meant(const Lexicon& lexicon, const HeardParts& parts, const References& references,
                      std::size_t first, std::vector<Candidate>& out) {
  if (parts.named.size() + references.least < 2) return;
  std::map<std::size_t, std::size_t> most;  // by entry of the lexicon
  const auto entry = [&](const Candidate& check) { return lexicon.entry_of(check.slots.front().relation); };
  const auto meant = [&](const Candidate& check) {
    return names_covered(parts, check.mentions) + std::min(references.least, num_in_focus(parts, check));
  };
  for (std::size_t i = first; i < out.size(); ++i)
    most[entry(out[i])] = std::max(most[entry(out[i])], meant(out[i]));
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  out.erase(std::remove_if(begin, out.end(),
                           [&](const Candidate& check) {
                             const std::size_t all = most[entry(check)];
                             return all >= 2 && meant(check) < all;
                           }),
            out.end());
}

// "Did Ada die" means nothing that was spoken of, "did it win a prize" one thing. Leaves out of the checks
// from `first` on those of more.
void leave_referred_to(const HeardParts& parts, const References& references, std::size_t first,
                       std::vector<Candidate>& out) {
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  out.erase(
      std::remove_if(begin, out.end(),
                     [&](const Candidate& check) { return num_in_focus(parts, check) > references.most; }),
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

// What things are said to be and nothing else is said of: "hero" in "is X a melee hero". Other relations lead
// to none.
bool is_type_alone(const Lexicon& lexicon, EntityId entity) {
  const auto edges = lexicon.graph().out_edges(entity);
  return !edges.empty() && lexicon.is_type_relation(edges.front().relation) &&
         lexicon.is_type_relation(edges.back().relation);
}

// Whether nothing of this kind is where a relation leads, so that nobody asks for it: no range of X is Y, no
// birthplace a year, no director a city.
bool is_of_another_kind(const Lexicon& lexicon, RelationId relation, EntityId entity) {
  const bool value = lexicon.values().kind(entity) != graph::ValueKind::kThing;
  const bool to_values = !lexicon.is_inverse(relation) && has_values(lexicon, relation);
  if (value || to_values) return value != to_values;
  const RelationWords& words = lexicon.relation(relation);
  const EndKind leads_to = lexicon.is_inverse(relation) ? words.head : words.tail,
                kind = lexicon.kind_of(entity);
  const auto are = [&](EndKind a, EndKind b) {
    return (leads_to == a && kind == b) || (leads_to == b && kind == a);
  };
  return are(EndKind::kPerson, EndKind::kPlace) || are(EndKind::kPerson, EndKind::kWork) ||
         are(EndKind::kPlace, EndKind::kWork);
}

bool may_be(EndKind end, EndKind kind) {
  return end == kind || end == EndKind::kUnknown || kind == EndKind::kUnknown;
}

// "Did Ada direct the book": neither has the relation that is said. It is not so, whatever else joins them.
void add_checks_of_neither(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
                           std::vector<Candidate>& out) {
  constexpr std::size_t kMost = 3;
  const graph::KnowledgeGraph& graph = lexicon.graph();
  std::vector<RelationId> said;
  for (RelationId r = 0; r < graph.num_relations(); ++r)
    if (!lexicon.is_inverse(r) && lexicon.is_askable(r) && !has_values(lexicon, r) &&
        !lexicon.relation(r).yes && !lexicon.is_type_relation(r) && rank(r) >= kByItsName)
      said.push_back(r);
  std::stable_sort(said.begin(), said.end(), [&](RelationId x, RelationId y) { return rank(x) > rank(y); });
  if (said.size() > kMost) said.resize(kMost);
  for (const RelationId r : said)
    for (std::uint32_t a = 0; a < parts.mentions.size(); ++a)
      for (std::uint32_t b = 0; b < parts.mentions.size(); ++b) {
        const HeardMention &head = parts.mentions[a], &tail = parts.mentions[b];
        if (a == b || head.entity == tail.entity || !head.members.empty() || !tail.members.empty() ||
            head.overlaps(tail) || !may_be(lexicon.relation(r).head, lexicon.kind_of(head.entity)) ||
            lexicon.relation(r).tail != lexicon.kind_of(tail.entity))
          continue;
        if (forms::row(graph, head.entity, r).empty() &&
            forms::row(graph, tail.entity, graph.inverse(r)).empty())
          out.push_back({.asked = Asked::kCheck,
                         .slots = {{r, SlotRole::kSingle, 0}},
                         .mentions = {a, b},
                         .truth = false});
      }
}

}  // namespace

void add_checks(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
                const CandidateLimits& limits, std::vector<Candidate>& out) {
  if (asks_openly(parts.said)) return;  // no yes or no to "how does he earn a living"
  const graph::KnowledgeGraph& graph = lexicon.graph();
  const std::size_t before = out.size();
  const bool check = begins_as_check(parts.said);
  // "Is X in it", "does X belong to Y": where the graph joins both, a relation does not say no that is not
  // said, or not more than the one that joins them.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<float>> joined;
  const bool together = says_together(parts.said);
  const auto joining = [&](std::uint32_t a, std::uint32_t b) {
    const auto [found, added] = joined.try_emplace({std::min(a, b), std::max(a, b)}, std::nullopt);
    if (added) {
      const EntityId to = parts.mentions[b].entity;
      for (const graph::Edge& edge : graph.out_edges(parts.mentions[a].entity))
        if (edge.tail == to && lexicon.is_askable(edge.relation))
          found->second = std::max(found->second.value_or(0), rank(edge.relation));
      const bool met = together && !found->second && joint_ends_are_same(lexicon, rank, parts, a, b);
      if (met) found->second = kSurelySaid;
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
      // "Was it a hit" does not ask whether somebody made it.
      if (check && (yes || rank(r) >= kSaidOfAny)) out.push_back(any);
      if (yes) continue;
      if (check) add_checks_of_both(lexicon, parts, a, r, rank(r) >= kSaidOfCheck, out);
      for (std::uint32_t b = 0; b < parts.mentions.size(); ++b) {
        const EntityId to = parts.mentions[b].entity;
        if (a == b || from == to || !parts.mentions[b].members.empty() ||
            parts.mentions[a].overlaps(parts.mentions[b]))
          continue;
        const bool so = graph.has_edge({from, r, to});
        if (so && lexicon.is_inverse(r)) continue;  // the same from the other end
        if (!so && (is_type_alone(lexicon, to) || is_of_another_kind(lexicon, r, to))) continue;
        const std::optional<float> other = so ? std::nullopt : joining(a, b);
        if (other && (rank(r) < kSaidOfCheck || rank(r) <= *other)) continue;
        Candidate candidate = any;
        candidate.mentions = {a, b};
        candidate.truth = so;
        out.push_back(candidate);
      }
    }
  }
  if (check) add_checks_of_neither(lexicon, parts, rank, out);
  const References references = references_said(lexicon, parts);
  if (check) leave_referred_to(parts, references, before, out);
  leave_most_meant(lexicon, parts, references, before, out);
  if (check) add_checks_of_meeting(lexicon, parts, rank, out);
}

}  // namespace kgwalk::listening
