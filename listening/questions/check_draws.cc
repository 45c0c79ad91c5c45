// Questions that are answered by yes or no.
#include "listening/candidates/candidate_sets.h"
#include "listening/questions/english.h"
#include "listening/questions/form_draws.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr double kAny = 0.12;        // of checks, the share of those whether there is any
constexpr double kOfType = 0.12;     // and whether something is of a type
constexpr double kOfGeneral = 0.35;  // of these, with a word for what it is like: "is X a comic film"
constexpr double kOfBoth = 0.08;     // and whether two others are both so
constexpr double kOfMeeting = 0.1;   // and whether two are in anything together
constexpr double kOfSame = 0.07;     // and whether a relation leads from two to the same
constexpr double kWithin = 0.18;     // and by "in" alone, where that can be said
constexpr int kTriesWithin = 60;

}  // namespace

FormDraws::Drawn FormDraws::draw_check() {
  if (happens(random_, kOfType) && !lexicon_.own_types().empty()) return draw_type_check();
  if (happens(random_, kOfBoth)) return draw_check_of_both();
  if (happens(random_, kOfMeeting)) return draw_check_of_meeting();
  if (happens(random_, kOfSame)) return draw_check_of_same();
  graph::Triple fact = draws_.fact(random_);
  if (about_) {
    const auto way = some_relation(*about_, false);
    auto drawn = way ? step_from(*about_, *way) : std::nullopt;
    if (!drawn) return std::nullopt;
    const EntityId other = pick(drawn->reached, random_);
    fact = lexicon_.is_inverse(*way) ? graph::Triple{other, graph_.inverse(*way), *about_}
                                     : graph::Triple{*about_, *way, other};
  }
  const bool within = happens(random_, kWithin);
  // As often who takes part in something as what stands somewhere.
  const bool people = happens(random_, 0.6);
  const auto fits = [&](RelationId relation) {
    return (lexicon_.relation(relation).tail == EndKind::kPerson) == people &&
           !wording_.ask_whether_within(relation, "", "").empty();
  };
  for (int i = 0; i < kTriesWithin && within && !about_ && !fits(fact.relation); ++i)
    fact = draws_.fact(random_);
  if (!about_ && lexicon_.relation(fact.relation).yes) return draw_flag_check(fact);
  if (!about_ && !within && happens(random_, kAny)) return draw_any_check(fact);
  if (draws_.is_value(fact.tail)) return std::nullopt;  // asked for by draw_value_check
  const bool so = happens(random_, 0.55);
  // "Is Geneva the capital of Switzerland": what joins both is not what is asked.
  const auto beside = so || within ? std::nullopt : another_relation(fact);
  if (beside && happens(random_, 0.5)) {
    fact.relation = *beside;
  } else if (!so) {
    const bool head = about_ == fact.tail;  // then the head is another one
    graph::EntityId other = happens(random_, 0.6) ? (head ? draws_.fact_of(fact.relation, random_).head
                                                          : draws_.fact_of(fact.relation, random_).tail)
                                                  : draws_.entity(random_);
    (head ? fact.head : fact.tail) = other;
    if (!about_ && happens(random_, 0.2)) std::swap(fact.head, fact.tail);
    if (fact.tail == fact.head || graph_.has_edge(fact) || draws_.is_value(other)) return std::nullopt;
  }
  const std::string x = said(fact.head), y = said(fact.tail);
  std::string text = within ? wording_.ask_whether_within(fact.relation, x, y) : std::string();
  if (text.empty()) text = wording_.ask_whether(fact.relation, x, y);
  return checked_fact(std::move(text), fact);
}

// "Are Y and Z both in X", "did X direct both Y and Z".
FormDraws::Drawn FormDraws::draw_check_of_both() {
  const auto from = step(0.5);
  if (!from || draws_.is_value(from->reached.front()) || lexicon_.relation(from->relation).yes)
    return std::nullopt;
  const bool back = lexicon_.is_inverse(from->relation);
  const RelationId forward = back ? graph_.inverse(from->relation) : from->relation;
  const auto another = [&] {
    if (happens(random_, 0.6)) return pick(from->reached, random_);
    const graph::Triple fact = draws_.fact_of(forward, random_);
    return back ? fact.head : fact.tail;
  };
  const EntityId one = another(), other = another();
  if (one == other || one == from->from || other == from->from) return std::nullopt;
  const std::string x = said(from->from), y = said(one), z = said(other);
  const std::string both = wording_.one_of({"both ", "both ", ""}) + y + " and " + z;
  std::string text = wording_.ask_whether(forward, back ? both : x, back ? x : both);
  constexpr std::pair<std::string_view, std::string_view> kSeveral[] = {
      {"is ", "are "}, {"was ", "were "}, {"does ", "do "}};
  for (const auto& [is, are] : kSeveral)
    if (text.starts_with(std::string(is) + both))
      text = std::string(are) + y + " and " + z + wording_.one_of({" both", ""}) +
             text.substr(is.size() + both.size());
  return made_check(std::move(text), "yes or no",
                    forms::check_among(forms::entities({one, other}),
                                       forms::step(forms::entities({from->from}), {from->relation})),
                    {from->relation}, {from->from, one, other});
}

// A relation that leads to the same kind of thing and not from the one end of the fact to the other.
std::optional<RelationId> FormDraws::another_relation(const graph::Triple& fact) {
  const RelationWords& own = lexicon_.relation(fact.relation);
  std::vector<RelationId> others;
  for (const RelationId other : draws_.relations_of(fact.head)) {
    const RelationWords& words = lexicon_.relation(other);
    const bool alike = !lexicon_.is_inverse(other) && words.tail == own.tail && words.words != own.words &&
                       (words.family == nullptr || words.family != own.family);
    if (alike && !words.yes && !draws_.is_measure(other) && !graph_.has_edge({fact.head, other, fact.tail}))
      others.push_back(other);
  }
  if (others.empty()) return std::nullopt;
  return pick(others, random_);
}

FormDraws::Drawn FormDraws::draw_check_of(EntityId topic) {
  about_ = topic;
  names_.clear();
  return draw_check();
}

FormDraws::Drawn FormDraws::draw_check_between(EntityId topic, EntityId other) {
  about_ = topic;
  names_.clear();
  std::vector<RelationId> fitting;
  for (const RelationId relation : draws_.relations_of(topic)) {
    const RelationWords& words = lexicon_.relation(relation);
    const EndKind leads_to = lexicon_.is_inverse(relation) ? words.head : words.tail;
    if (leads_to == lexicon_.kind_of(other) && !words.yes && !draws_.is_measure(relation))
      fitting.push_back(relation);
  }
  if (fitting.empty()) return std::nullopt;
  const RelationId relation = pick(fitting, random_);
  const graph::Triple fact = lexicon_.is_inverse(relation)
                                 ? graph::Triple{other, graph_.inverse(relation), topic}
                                 : graph::Triple{topic, relation, other};
  const std::string x = said(fact.head), y = said(fact.tail);
  return checked_fact(wording_.ask_whether(fact.relation, x, y), fact);
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

// "Is X a river".
FormDraws::Drawn FormDraws::draw_type_check() {
  const auto types = lexicon_.own_types();
  EntityId thing = about_.value_or(0);
  if (!about_) thing = pick(types[random_.below(types.size())].members, random_);
  const std::vector<std::uint32_t>& own = lexicon_.types_of(thing);
  if (own.empty() || draws_.is_value(thing)) return std::nullopt;
  if (happens(random_, kOfGeneral))
    if (Drawn drawn = draw_general_check(thing, pick(own, random_))) return drawn;
  const std::uint32_t type =
      happens(random_, 0.55) ? pick(own, random_) : static_cast<std::uint32_t>(random_.below(types.size()));
  if (types[type].words.empty()) return std::nullopt;
  const std::string noun = join_words(types[type].words), a = with_article(noun), x = said(thing);
  return made_check(
      wording_.one_of({"is " + x + " " + a, "is " + x + " " + a, "was " + x + " " + a,
                       "is " + x + " a kind of " + noun, x + " is " + a + ", right",
                       "is it true that " + x + " is " + a, "isn't " + x + " " + a,
                       "does " + x + " count as " + a, "is " + x + " one of the " + plural_of(noun)}),
      "yes or no", forms::check_among(forms::entities({thing}), all_of(types[type].type, lexicon_)),
      {graph_.inverse(lexicon_.from_types().front())}, {thing, types[type].type});
}

// "Is X a melee hero", where "melee" is what many are said to have.
FormDraws::Drawn FormDraws::draw_general_check(EntityId thing, std::uint32_t type) {
  std::vector<graph::Triple> facts;
  for (const graph::Edge& edge : graph_.out_edges(thing)) {
    const bool may = !lexicon_.is_inverse(edge.relation) && draws_.is_asked_about(edge.relation) &&
                     !lexicon_.relation(edge.relation).yes && !draws_.is_value(edge.tail);
    if (may && lexicon_.is_general(edge.tail)) facts.push_back({thing, edge.relation, edge.tail});
  }
  if (facts.empty() || lexicon_.types()[type].words.empty()) return std::nullopt;
  graph::Triple fact = pick(facts, random_);
  if (happens(random_, 0.5)) {
    fact.tail = draws_.fact_of(fact.relation, random_).tail;
    if (draws_.is_value(fact.tail) || graph_.has_edge(fact)) return std::nullopt;
  }
  const std::string x = said(fact.head), y = said(fact.tail), noun = join_words(lexicon_.types()[type].words);
  const std::string a = with_article(y + " " + noun);
  return checked_fact(
      wording_.one_of({"is " + x + " " + a, "is " + x + " " + a, "was " + x + " " + a,
                       x + " is " + a + ", right", "isn't " + x + " " + a,
                       "is " + x + " one of the " + y + " " + plural_of(noun), "is " + x + " " + y}),
      fact);
}

FormDraws::Drawn FormDraws::draw_check_beside(const graph::Triple& checked) {
  about_.reset();
  names_.clear();
  if (!draws_.is_asked_about(checked.relation)) return std::nullopt;
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
