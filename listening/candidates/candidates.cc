#include "listening/candidates/candidates.h"

#include <algorithm>
#include <map>
#include <set>

#include "listening/candidates/candidate_sets.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kMostJoinedKeys = 80;  // steps that lead to one answer: more say nothing

constexpr float kSaid = 0.5F;  // rank of a relation that is said

bool says_several(const SaidText& said) { return said.says("and") || said.says("both") || said.says("also"); }

// The steps from an entity: a relation with what it leads to.
struct Run {
  RelationId relation = 0;
  std::span<const graph::Edge> edges;
};

void add_tails(std::span<const graph::Edge> edges, std::vector<EntityId>& out) {
  for (const graph::Edge& edge : edges) out.push_back(edge.tail);
}

std::vector<EntityId> common(const std::vector<EntityId>& a, const std::vector<EntityId>& b) {
  std::vector<EntityId> out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

void tidy(std::vector<EntityId>& entities) {
  std::sort(entities.begin(), entities.end());
  entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
}

class SetMaker {
 public:
  SetMaker(const Lexicon& lexicon, const HeardParts& parts, const RankRelation& rank,
           const CandidateLimits& limits)
      : lexicon_(lexicon),
        graph_(lexicon.graph()),
        parts_(parts),
        rank_(rank),
        limits_(limits),
        says_several_(says_several(parts.said)) {}

  std::vector<Candidate> make() {
    for (std::uint32_t m = 0; m < parts_.mentions.size(); ++m) {
      if (parts_.mentions[m].of_type)
        add_type(m);
      else if (parts_.mentions[m].members.empty())
        for (const Run& run : runs_of(parts_.mentions[m].entity)) {
          Step step{m, run.relation, {}};
          add_tails(run.edges, step.answers);
          add_one(std::move(step));
          add_qualified(m, run.relation);
        }
      else
        add_those(m);
    }
    const std::size_t singles = steps_.size();
    for (std::size_t i = 0; i < singles; ++i)
      if (steps_[i].relation) add_two(steps_[i]);
    add_pairs();
    return std::move(out_);
  }

 private:
  struct Step {  // of one hop, or the answers of before; kept to be gone on from and joined
    std::uint32_t mention = 0;
    std::optional<RelationId> relation = {};
    std::vector<EntityId> answers;
  };

  [[nodiscard]] std::vector<Run> runs_of(EntityId entity) const {
    std::vector<Run> runs;
    const auto edges = graph_.out_edges(entity);
    for (std::size_t i = 0; i < edges.size();) {
      std::size_t end = i;
      while (end < edges.size() && edges[end].relation == edges[i].relation) ++end;
      if (lexicon_.is_askable(edges[i].relation) || lexicon_.tells_types(edges[i].relation))
        runs.push_back({edges[i].relation, edges.subspan(i, end - i)});
      i = end;
    }
    if (runs.size() > limits_.relations && rank_) {
      std::stable_sort(runs.begin(), runs.end(),
                       [&](const Run& a, const Run& b) { return rank_(a.relation) > rank_(b.relation); });
      runs.resize(limits_.relations);
    }
    return runs;
  }

  [[nodiscard]] bool is_in_mention(const HeardType& type, const Candidate& candidate) const {
    return std::any_of(candidate.mentions.begin(), candidate.mentions.end(), [&](std::uint32_t m) {
      return parts_.mentions[m].first <= type.word && type.word < parts_.mentions[m].last;
    });
  }

  // The candidate, and with each type that leaves some of its answers.
  void put(Candidate candidate) {
    if (candidate.answers.empty()) return;
    for (std::uint32_t t = 0; t < parts_.types.size(); ++t) {
      if (candidate.type_at != TypeAt::kNone || is_in_mention(parts_.types[t], candidate)) continue;
      if (lexicon_.is_told_of_some(parts_.types[t].type, candidate.answers)) continue;
      Candidate typed = candidate;
      typed.type_at = TypeAt::kAnswer;
      typed.type = t;
      typed.answers = common(candidate.answers, lexicon_.types()[parts_.types[t].type].members);
      if (!typed.answers.empty()) out_.push_back(std::move(typed));
    }
    out_.push_back(std::move(candidate));
  }

  void add_one(Step step) {
    put({.shape = Shape::kOne,
         .slots = {{*step.relation, SlotRole::kSingle, 0}},
         .mentions = {step.mention},
         .answers = step.answers});
    if (!lexicon_.tells_types(*step.relation)) steps_.push_back(std::move(step));
  }

  void add_qualified(std::uint32_t mention, RelationId relation) {
    for (QualifiedStep& step : qualified_steps(lexicon_, parts_, parts_.mentions[mention].entity, relation))
      put({.shape = Shape::kOne,
           .slots = {{relation, SlotRole::kSingle, 0}},
           .mentions = {mention},
           .value = step.value,
           .qualified = std::move(step.said),
           .answers = std::move(step.answers)});
  }

  // All of a type. What a name leads to of it is a set with a type, so that it is joined only to leave
  // something out.
  void add_type(std::uint32_t mention) {
    const std::vector<EntityId>& members = parts_.mentions[mention].members;
    put({.shape = Shape::kThose, .mentions = {mention}, .answers = members});
    if (has_negation(parts_.said)) steps_.push_back({mention, {}, members});
  }

  // The answers of before as they are, and where each relation leads from all of them.
  void add_those(std::uint32_t mention) {
    const std::vector<EntityId>& members = parts_.mentions[mention].members;
    put({.shape = Shape::kThose, .mentions = {mention}, .answers = members});
    std::map<RelationId, std::vector<EntityId>> reached;
    if (members.size() <= limits_.middle)
      for (const EntityId member : members)
        for (const Run& run : runs_of(member)) add_tails(run.edges, reached[run.relation]);
    for (auto& [relation, answers] : reached) {
      tidy(answers);
      if (answers.size() <= limits_.answers) add_one({mention, relation, std::move(answers)});
    }
    steps_.push_back({mention, {}, members});
  }

  void add_two(const Step& step) {
    go_on(step, step.answers, TypeAt::kNone, 0);
    for (std::uint32_t t = 0; t < parts_.types.size(); ++t) {
      const HeardMention& mention = parts_.mentions[step.mention];
      if (mention.first <= parts_.types[t].word && parts_.types[t].word < mention.last) continue;
      const std::vector<EntityId> typed =
          common(step.answers, lexicon_.types()[parts_.types[t].type].members);
      if (lexicon_.is_told_of_some(parts_.types[t].type, step.answers)) continue;
      if (!typed.empty() && typed.size() < step.answers.size()) go_on(step, typed, TypeAt::kMiddle, t);
    }
  }

  void go_on(const Step& step, const std::vector<EntityId>& middle, TypeAt type_at, std::uint32_t type) {
    if (middle.size() > limits_.middle || gone_on_ > limits_.middle_in_all) return;
    gone_on_ += middle.size();
    std::map<RelationId, std::vector<EntityId>> reached;
    std::set<RelationId> too_many;
    for (const EntityId x : middle)
      for (const Run& run : runs_of(x)) {
        std::vector<EntityId>& all = reached[run.relation];
        if (all.size() + run.edges.size() > limits_.answers) too_many.insert(run.relation);
        if (too_many.contains(run.relation)) continue;
        for (const graph::Edge& edge : run.edges) all.push_back(edge.tail);
      }
    const EntityId start = parts_.mentions[step.mention].entity;
    for (auto& [relation, answers] : reached) {
      if (too_many.contains(relation)) continue;
      tidy(answers);
      if (answers.size() == 1 && answers.front() == start) continue;
      put({.shape = Shape::kTwo,
           .slots = {{*step.relation, SlotRole::kInner, 0}, {relation, SlotRole::kOuter, 0}},
           .mentions = {step.mention},
           .type_at = type_at,
           .type = type,
           .answers = std::move(answers)});
    }
  }

  // Steps from two mentions that have an answer in common.
  void add_pairs() {
    std::vector<std::pair<EntityId, std::uint32_t>> by_answer;
    for (std::uint32_t i = 0; i < steps_.size(); ++i)
      if (steps_[i].answers.size() <= limits_.answers)
        for (const EntityId answer : steps_[i].answers) by_answer.emplace_back(answer, i);
    std::sort(by_answer.begin(), by_answer.end());
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::size_t i = 0; i < by_answer.size();) {
      std::size_t end = i;
      while (end < by_answer.size() && by_answer[end].first == by_answer[i].first) ++end;
      if (end - i >= 2 && end - i <= kMostJoinedKeys)
        for (std::size_t a = i; a < end; ++a)
          for (std::size_t b = a + 1; b < end; ++b) add_pair(by_answer[a].second, by_answer[b].second, pairs);
      i = end;
    }
    const bool negated = has_negation(parts_.said);
    for (const auto& [a, b] : pairs) {
      if (!parts_.mentions[steps_[a].mention].of_type) join(steps_[a], steps_[b]);
      if (negated && steps_[a].mention != steps_[b].mention) {
        leave_out(steps_[a], steps_[b]);
        if (steps_[a].relation) leave_out(steps_[b], steps_[a]);
      }
    }
  }

  void add_pair(std::uint32_t a, std::uint32_t b,
                std::set<std::pair<std::uint32_t, std::uint32_t>>& pairs) const {
    const HeardMention &left = parts_.mentions[steps_[a].mention],
                       &right = parts_.mentions[steps_[b].mention];
    if (steps_[a].mention == steps_[b].mention) {
      if (is_said(a) && is_said(b) && right.members.empty()) pairs.insert({a, b});
      return;
    }
    if (left.entity == right.entity || left.overlaps(right)) return;
    // Where each member of before leads says nothing of them.
    if ((!left.members.empty() && steps_[a].relation) || (!right.members.empty() && steps_[b].relation))
      return;
    const bool in_order = right.members.empty() && (left.first <= right.first || !left.members.empty());
    pairs.insert(in_order ? std::pair(a, b) : std::pair(b, a));
  }

  // Of one name both relations must be said: "which films did X write and direct".
  [[nodiscard]] bool is_said(std::uint32_t step) const {
    return says_several_ && rank_ && steps_[step].relation && rank_(*steps_[step].relation) >= kSaid;
  }

  [[nodiscard]] static std::vector<Slot> both_slots(const Step& a, const Step& b) {
    std::vector<Slot> slots;
    if (a.relation) slots.push_back({*a.relation, SlotRole::kBoth, 0});
    if (b.relation) slots.push_back({*b.relation, SlotRole::kBoth, 1});
    return slots;
  }

  void join(const Step& a, const Step& b) {
    put({.shape = Shape::kAnd,
         .slots = both_slots(a, b),
         .mentions = {a.mention, b.mention},
         .answers = common(a.answers, b.answers)});
  }

  void leave_out(const Step& a, const Step& b) {
    Candidate candidate{.shape = Shape::kBut, .slots = both_slots(a, b), .mentions = {a.mention, b.mention}};
    std::set_difference(a.answers.begin(), a.answers.end(), b.answers.begin(), b.answers.end(),
                        std::back_inserter(candidate.answers));
    put(std::move(candidate));
  }

  const Lexicon& lexicon_;
  const graph::KnowledgeGraph& graph_;
  const HeardParts& parts_;
  const RankRelation& rank_;
  const CandidateLimits& limits_;
  bool says_several_ = false;  // "and", "both"
  std::vector<Step> steps_;
  std::size_t gone_on_ = 0;
  std::vector<Candidate> out_;
};

// Nobody counts numbers: "how many inhabitants has X" asks for the number itself.
bool is_countable(const Lexicon& lexicon, const Candidate& candidate) {
  if (candidate.truth || candidate.amount || candidate.answers.empty()) return false;
  if (candidate.asked != Asked::kSet && !is_filter(candidate.asked)) return false;
  const std::span<const Slot> slots = set_slots(candidate);
  return slots.empty() || lexicon.is_inverse(slots.back().relation) ||
         lexicon.values().ends(slots.back().relation).tails != graph::ValueKind::kNumber;
}

// "Where was X born" asks for no person, "when" for nothing that is somewhere or somebody.
void leave_out_other_kinds(const Lexicon& lexicon, const HeardParts& parts, std::vector<Candidate>& all) {
  constexpr std::string_view kBefore[] = {"and", "so", "but", "ok", "okay", "well", "then", "now"};
  std::size_t first = 0;
  const auto& words = parts.said.words;
  while (first < words.size() &&
         (!words[first].is_word ||
          std::find(std::begin(kBefore), std::end(kBefore), words[first].folded) != std::end(kBefore)))
    ++first;
  if (first == words.size() || (words[first].folded != "where" && words[first].folded != "when")) return;
  const bool where = words[first].folded == "where";
  std::erase_if(all, [&](const Candidate& candidate) {
    if (candidate.truth || candidate.amount || candidate.answers.empty()) return false;
    const EndKind kind = lexicon.kind_of(candidate.answers.front());
    return kind == EndKind::kPerson || (!where && kind == EndKind::kPlace);
  });
}

}  // namespace

std::span<const Slot> set_slots(const Candidate& candidate) noexcept {
  const std::span<const Slot> slots(candidate.slots);
  return !slots.empty() && slots.back().role == SlotRole::kMeasure ? slots.first(slots.size() - 1) : slots;
}

std::vector<Candidate> make_candidates(const Lexicon& lexicon, const forms::Engine& engine,
                                       const HeardParts& parts, const RankRelation& rank,
                                       const CandidateLimits& limits) {
  std::vector<Candidate> all = SetMaker(lexicon, parts, rank, limits).make();
  const std::size_t sets = all.size();
  add_orders_and_filters(lexicon, engine, parts, rank, {all.data(), sets}, all);
  add_totals(lexicon, engine, parts, rank, {all.data(), sets}, all);
  add_ends(lexicon, engine, parts, rank, all);
  add_comparisons(lexicon, parts, rank, all);
  add_differences(lexicon, engine, parts, rank, all);
  add_checks(lexicon, parts, rank, limits, all);
  leave_out_other_kinds(lexicon, parts, all);
  for (Candidate& candidate : all) candidate.countable = is_countable(lexicon, candidate);
  return all;
}

}  // namespace kgwalk::listening
