// Questions that are answered by yes or no.
#include "listening/questions/english.h"
#include "listening/questions/form_draws.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr double kAny = 0.12;  // of checks, the share of those whether there is any

}  // namespace

FormDraws::Drawn FormDraws::draw_check() {
  graph::Triple fact = draws_.fact(random_);
  if (about_) {
    const auto way = some_relation(*about_, false);
    auto drawn = way ? step_from(*about_, *way) : std::nullopt;
    if (!drawn) return std::nullopt;
    const EntityId other = pick(drawn->reached, random_);
    fact = lexicon_.is_inverse(*way) ? graph::Triple{other, graph_.inverse(*way), *about_}
                                     : graph::Triple{*about_, *way, other};
  }
  if (!about_ && lexicon_.relation(fact.relation).yes) return draw_flag_check(fact);
  if (!about_ && happens(random_, kAny)) return draw_any_check(fact);
  if (draws_.is_value(fact.tail)) return std::nullopt;  // asked for by draw_value_check
  const bool so = happens(random_, 0.6);
  if (!so) {
    const bool head = about_ == fact.tail;  // then the head is another one
    graph::EntityId other = happens(random_, 0.6) ? (head ? draws_.fact_of(fact.relation, random_).head
                                                          : draws_.fact_of(fact.relation, random_).tail)
                                                  : draws_.entity(random_);
    (head ? fact.head : fact.tail) = other;
    if (!about_ && happens(random_, 0.2)) std::swap(fact.head, fact.tail);
    if (fact.tail == fact.head || graph_.has_edge(fact) || draws_.is_value(other)) return std::nullopt;
  }
  const std::string x = said(fact.head), y = said(fact.tail);
  return checked_fact(wording_.ask_whether(fact.relation, x, y), fact);
}

FormDraws::Drawn FormDraws::draw_check_of(EntityId topic) {
  about_ = topic;
  names_.clear();
  return draw_check();
}

FormDraws::Drawn FormDraws::checked_fact(std::string text, const graph::Triple& fact) {
  return made_check(std::move(text), "yes or no",
                    forms::check_among(forms::entities({fact.tail}),
                                       forms::step(forms::entities({fact.head}), {fact.relation})),
                    {fact.relation}, {fact.head, fact.tail});
}

// "Is carbon radioactive", where "is radioactive" is yes or no.
FormDraws::Drawn FormDraws::draw_flag_check(const graph::Triple& fact) {
  const EntityId yes = *lexicon_.relation(fact.relation).yes;
  Drawn drawn =
      checked_fact(wording_.ask_flag(fact.relation, said(fact.head)), {fact.head, fact.relation, yes});
  if (drawn) drawn->question.named = {fact.head};
  return drawn;
}

// "Does X have children".
FormDraws::Drawn FormDraws::draw_any_check(const graph::Triple& fact) {
  const std::string text = wording_.ask_any(fact.relation, said(fact.head));
  if (text.empty()) return std::nullopt;
  return made_check(text, "yes or no",
                    forms::check(forms::step(forms::entities({fact.head}), {fact.relation})), {fact.relation},
                    {fact.head});
}

FormDraws::Drawn FormDraws::draw_check_beside(const graph::Triple& checked) {
  about_.reset();
  names_.clear();
  const bool head = happens(random_, 0.4);  // is another one
  const EntityId kept = head ? checked.tail : checked.head;
  const RelationId from_kept = head ? graph_.inverse(checked.relation) : checked.relation;
  const graph::Triple fact = draws_.fact_of(
      lexicon_.is_inverse(checked.relation) ? graph_.inverse(checked.relation) : checked.relation, random_);
  EntityId other = head != lexicon_.is_inverse(checked.relation) ? fact.head : fact.tail;
  if (const auto so = draws_.tails(kept, from_kept); so && !so->empty() && happens(random_, 0.5))
    other = pick(*so, random_);
  graph::Triple asked = checked;
  (head ? asked.head : asked.tail) = other;
  if (asked == checked || asked.head == asked.tail || draws_.is_value(other)) return std::nullopt;
  return checked_fact(said(other), asked);
}

}  // namespace kgwalk::listening
