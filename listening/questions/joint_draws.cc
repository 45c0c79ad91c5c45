// What one thing is in by two relations, whether two things are in anything together, the one with a number
// in an order, and what a thing lacks that was asked of another one.
#include <algorithm>

#include "listening/candidates/candidate_sets.h"
#include "listening/questions/english.h"
#include "listening/questions/form_draws.h"
#include "listening/words/rank_words.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr int kTriesJoint = 30;
constexpr double kLargestNumber = 1000;

}  // namespace

// "Which films did X write and direct".
FormDraws::Drawn FormDraws::draw_two_of_one() {
  for (int i = 0; i < kTriesJoint; ++i) {
    graph::Triple fact = draws_.fact(random_);
    if (about_) {
      const auto way = some_relation(*about_, false);
      if (!way || !lexicon_.is_inverse(*way)) return std::nullopt;
      const auto reached = step_from(*about_, *way);
      if (!reached) return std::nullopt;
      fact = {pick(reached->reached, random_), graph_.inverse(*way), *about_};
    }
    if (draws_.is_value(fact.tail)) continue;
    std::vector<RelationId> others;
    for (const graph::Edge& edge : graph_.out_edges(fact.head))
      if (edge.tail == fact.tail && edge.relation != fact.relation && lexicon_.is_askable(edge.relation) &&
          !lexicon_.is_inverse(edge.relation))
        others.push_back(edge.relation);
    if (others.empty()) continue;
    const RelationId first = graph_.inverse(fact.relation), second = graph_.inverse(pick(others, random_));
    const auto one = step_from(fact.tail, first), other = step_from(fact.tail, second);
    if (!one || !other) continue;
    EntitySet answers;
    std::set_intersection(one->reached.begin(), one->reached.end(), other->reached.begin(),
                          other->reached.end(), std::back_inserter(answers));
    if (answers.empty()) continue;
    std::string text =
        wording_.ask_two_of_one(first, second, said(fact.tail), wording_.set_noun(answers, first));
    if (text.empty()) return std::nullopt;
    return made(std::move(text), "and", false, std::move(answers),
                forms::both(form_of_step(*one), form_of_step(*other)), {first, second}, {fact.tail});
  }
  return std::nullopt;
}

// "Has X ever worked with Y".
FormDraws::Drawn FormDraws::draw_check_of_meeting() {
  for (int i = 0; i < kTriesJoint; ++i) {
    const graph::Triple fact = draws_.fact(random_);
    EntityId work = fact.head, one = fact.tail;
    if (about_) {
      const auto way = some_relation(*about_, false);
      const auto reached = way && lexicon_.is_inverse(*way) ? step_from(*about_, *way) : std::nullopt;
      if (!reached) return std::nullopt;
      work = pick(reached->reached, random_);
      one = *about_;
    }
    const EndKind kind = lexicon_.kind_of(one);
    if (draws_.is_value(one) || (kind != EndKind::kPerson && !happens(random_, 0.2))) continue;
    std::vector<EntityId> others;
    for (const graph::Edge& edge : graph_.out_edges(work))
      if (edge.tail != one && !draws_.is_value(edge.tail) && lexicon_.is_askable(edge.relation) &&
          !lexicon_.is_inverse(edge.relation) && lexicon_.kind_of(edge.tail) == kind)
        others.push_back(edge.tail);
    EntityId other = one;
    if (!others.empty() && happens(random_, 0.55))
      other = pick(others, random_);
    else if (const graph::Triple another = draws_.fact_of(fact.relation, random_);
             !draws_.is_value(another.tail))
      other = another.tail;
    if (other == one) continue;
    const auto joint = joint_ends(
        lexicon_, [](RelationId) { return 0.0F; }, one, other);
    if (!joint) continue;
    const std::string x = said(one), y = said(other);
    std::string text =
        wording_.ask_whether_met(joint->first, joint->second, x, y, wording_.set_noun({work}, joint->first));
    return made_check(std::move(text), "yes or no",
                      forms::check(forms::both(forms::step(forms::entities({one}), {joint->first}),
                                               forms::step(forms::entities({other}), {joint->second}))),
                      {joint->first, joint->second}, {one, other});
  }
  return std::nullopt;
}

// "Do X and Y have the same director".
FormDraws::Drawn FormDraws::draw_check_of_same() {
  for (int i = 0; i < kTriesJoint; ++i) {
    graph::Triple fact = draws_.fact(random_);
    if (about_) {
      const auto way = some_relation(*about_, false);
      const auto reached = way && !lexicon_.is_inverse(*way) ? step_from(*about_, *way) : std::nullopt;
      if (!reached) return std::nullopt;
      fact = {*about_, *way, pick(reached->reached, random_)};
    }
    if (draws_.is_value(fact.tail) || lexicon_.relation(fact.relation).yes ||
        draws_.is_measure(fact.relation))
      continue;
    EntityId other = draws_.fact_of(fact.relation, random_).head;
    if (const auto there = draws_.tails(fact.tail, graph_.inverse(fact.relation));
        there && happens(random_, 0.5))
      other = pick(*there, random_);
    if (other == fact.head) continue;
    std::string text = wording_.ask_whether_same(fact.relation, said(fact.head), said(other));
    if (text.empty()) return std::nullopt;
    return made_check(std::move(text), "yes or no",
                      forms::check(forms::both(forms::step(forms::entities({fact.head}), {fact.relation}),
                                               forms::step(forms::entities({other}), {fact.relation}))),
                      {fact.relation, fact.relation}, {fact.head, other});
  }
  return std::nullopt;
}

// "Who was the 16th president".
FormDraws::Drawn FormDraws::draw_by_order(const forms::Set& all, const EntitySet& members,
                                          const std::string& noun) {
  const EntityId member = pick(members, random_);
  std::vector<RelationId> orders;
  for (const RelationId relation : draws_.relations_of(member)) {
    const std::vector<std::string>& words = lexicon_.relation(relation).words;
    if (draws_.is_measure(relation) && std::any_of(words.begin(), words.end(), says_order))
      orders.push_back(relation);
  }
  if (orders.empty()) return std::nullopt;
  const RelationId by = pick(orders, random_);
  const auto values = draws_.tails(member, by);
  if (!values || values->empty()) return std::nullopt;
  const graph::TypedValue value = lexicon_.values().value(by, values->front());
  const auto number = static_cast<std::int64_t>(value.from);
  if (value.kind != graph::ValueKind::kNumber || value.unit != 0 || value.from < 1 ||
      value.from > kLargestNumber || static_cast<double>(number) != value.from)
    return std::nullopt;
  const std::string digits = std::to_string(number), nth = ordinal_of(number);
  const std::string who = lexicon_.kind_of(member) == EndKind::kPerson ? "who" : "what";
  names_.push_back(digits);
  names_.push_back(nth);
  return made_of(wording_.one_of({who + " was the " + nth + " " + noun, who + " is the " + nth + " " + noun,
                                  "the " + nth + " " + noun, "which is the " + nth + " " + noun,
                                  "name the " + nth + " " + noun, who + " is " + noun + " number " + digits,
                                  "which " + noun + " is number " + digits, noun + " number " + digits,
                                  "which " + noun + " has the number " + digits}),
                 "of a type", forms::find(forms::where(all, {by}, {graph::Comparison::kEqual, value})), {by},
                 {}, static_cast<std::size_t>(config_.most_answers));
}

FormDraws::Drawn FormDraws::draw_lacking(EntityId topic, EntityId other, RelationId relation) {
  about_ = topic;
  names_.clear();
  const RelationWords& words = lexicon_.relation(relation);
  if (draws_.num_tails(topic, relation) > 0 || draws_.num_tails(topic, graph_.inverse(relation)) > 0 ||
      (words.family != nullptr && may_say(topic, *words.family)) || has_said(topic, words.words))
    return std::nullopt;
  const auto reached = draws_.tails(other, relation);
  if (!reached || reached->empty()) return std::nullopt;
  const std::string x = said(topic);
  std::string text = wording_.ask(relation, x, *reached, "");
  const EndKind kind = lexicon_.is_inverse(relation) ? words.head : words.tail;
  if (may_answer(topic, text, x, kind)) return std::nullopt;
  return unsaid(std::move(text), {topic});
}

}  // namespace kgwalk::listening
