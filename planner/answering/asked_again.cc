#include "planner/answering/asked_again.h"

#include <algorithm>

#include "forms/rows.h"
#include "listening/candidates/candidate_sets.h"
#include "listening/words/order_words.h"
#include "planner/answering/heard.h"

namespace kgwalk {
namespace {

using graph::EntityId;
using graph::RelationId;
using listening::HeardForm;
using listening::OrderWord;

bool is_one_entity(const forms::Set& set) {
  return set.kind == forms::SetKind::kEntities && set.entities.size() == 1;
}

// Whether it asks of one thing whether it is in a set.
bool is_plain_check(const forms::Query& query) {
  return query.kind == forms::QueryKind::kCheck && !query.condition && query.members.size() == 1 &&
         is_one_entity(query.members.front());
}

// Whether the set is what one relation leads to from one thing.
bool is_plain_step(const forms::Set& set) {
  return set.kind == forms::SetKind::kStep && set.qualified.empty() && !set.relations.empty() &&
         is_one_entity(set.parts.front());
}

bool are_of_one_type(const listening::Lexicon& lexicon, EntityId a, EntityId b) {
  const auto &own = lexicon.types_of(a), &other = lexicon.types_of(b);
  return std::any_of(own.begin(), own.end(), [&](std::uint32_t type) {
    return std::find(other.begin(), other.end(), type) != other.end();
  });
}

// The word for an end where nothing else of meaning is said: "and the smallest one?"
const OrderWord* end_alone(const listening::HeardParts& parts) {
  const OrderWord* end = nullptr;
  for (const listening::SaidWord& word : parts.said.words) {
    const OrderWord* order = listening::order_word(word.folded);
    if (order != nullptr && !order->compares && end == nullptr)
      end = order;
    else if (word.content && word.folded != "one" && word.folded != "ones")
      return nullptr;
  }
  return end;
}

// Whether the word goes by a measure that the thing has: "heaviest" by a weight.
bool goes_by_another(const OrderWord& word, EntityId thing, const forms::Measure& measure,
                     const listening::Lexicon& lexicon) {
  for (const RelationId relation : listening::relations_of(lexicon.graph(), thing)) {
    const bool same =
        std::find(measure.relations.begin(), measure.relations.end(), relation) != measure.relations.end();
    if (same || !listening::has_values(lexicon, relation)) continue;
    if (listening::goes_by(word, lexicon.relation(relation).words)) return true;
  }
  return false;
}

}  // namespace

std::optional<HeardForm> check_again(const listening::HeardUtterance& heard, const Focus& before,
                                     const listening::ListenedGraph& graph) {
  if (!before.before.checked || !before.question || !is_plain_check(*before.question) || heard.forms.empty())
    return std::nullopt;
  const listening::Lexicon& lexicon = graph.lexicon();
  const auto named = named_instead(heard);
  const HeardForm& best = best_of(heard);
  if (!named || !(best.unsaid || best.is_set())) return std::nullopt;
  forms::Query again = *before.question;
  EntityId& member = again.members.front().entities.front();
  HeardForm form;
  if (*named == member) return std::nullopt;
  if (is_plain_step(again.set)) {
    const RelationId relation = again.set.relations.front();
    EntityId& from = again.set.parts.front().entities.front();
    const auto has = [&](RelationId r) { return !forms::row(lexicon.graph(), *named, r).empty(); };
    if (*named == from) return std::nullopt;
    if (has(lexicon.graph().inverse(relation)))
      member = *named;
    else if (has(relation))
      from = *named;
    else
      return std::nullopt;
    form.about = {from, member};
    form.relations = {relation};
  } else if (are_of_one_type(lexicon, *named, member)) {
    member = *named;
    form.about = {member};
  } else {
    return std::nullopt;
  }
  form.probability = best.probability;
  form.truth = graph.engine().answer(again).truth;
  form.query = std::move(again);
  return form.truth ? std::optional(std::move(form)) : std::nullopt;
}

std::optional<HeardForm> order_again(const listening::HeardUtterance& heard, const Focus& before,
                                     const listening::ListenedGraph& graph) {
  if (!before.question || before.question->kind != forms::QueryKind::kFind || before.order.empty())
    return std::nullopt;
  const OrderWord* end = end_alone(heard.parts);
  forms::Query again = *before.question;
  forms::Set& set = again.set;
  const bool ordered = set.kind == forms::SetKind::kFirst || set.kind == forms::SetKind::kLast;
  if (end == nullptr || !ordered || !heard.parts.named.empty() ||
      goes_by_another(*end, before.order.front(), set.measure, graph.lexicon()))
    return std::nullopt;
  const forms::SetKind other = end->more ? forms::SetKind::kLast : forms::SetKind::kFirst;
  if (other == set.kind) return std::nullopt;
  set.kind = other;
  if (!heard.parts.said.says("ones")) set.n = 1;  // "the three oldest" - "and the newest?"
  const forms::Answer answer = graph.engine().answer(again);
  if (!answer.complete() || answer.entities.empty()) return std::nullopt;
  HeardForm form;
  form.probability = 1;
  form.answers = answer.entities;
  std::sort(form.answers.begin(), form.answers.end());
  form.relations = before.before.relations;
  form.query = std::move(again);
  return form;
}

}  // namespace kgwalk
