#include "dialogue/telling/set_speaker.h"

#include <algorithm>
#include <utility>

#include "dialogue/telling/names.h"
#include "forms/fitted.h"
#include "forms/rows.h"
#include "forms/text/relation_phrases.h"
#include "graph/values/value_group.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::dialogue {
namespace {

using forms::Comparison;
using forms::Measure;
using forms::MeasureKind;
using forms::Set;
using forms::SetKind;
using graph::EntityId;

constexpr std::uint64_t kFewVisits = 1'000'000;  // more are not spent on a word
constexpr std::size_t kTypedMembers = 500;       // so many are asked for their types

// "born in Oslo that starred in Heat": a short clause behind a relative one would belong to its last word.
// What orders or takes away stays behind what it orders.
std::vector<std::string> short_first(std::vector<std::string> clauses) {
  const auto is_short = [](const std::string& clause) {
    return !clause.starts_with("that ") && !clause.starts_with("other than ") &&
           !clause.starts_with("with the ");
  };
  for (std::size_t i = 1; i < clauses.size(); ++i)
    for (std::size_t at = i; at > 0 && is_short(clauses[at]) && clauses[at - 1].starts_with("that "); --at)
      std::swap(clauses[at], clauses[at - 1]);
  return clauses;
}

constexpr std::size_t kMostNamed = 3;  // of a set that is spoken of again

// "those 8": a list that was told is not told again.
std::string those(const Set& set) { return "those " + number_text(set.entities.size()); }

std::string in_number(const std::string& noun, bool many) { return many ? plural_noun(noun) : noun; }

// Whether both go from named things by one relation.
bool is_same_step(const Set& part, const Set& other) {
  return part.kind == SetKind::kStep && other.kind == SetKind::kStep && part.relations == other.relations &&
         part.qualified == other.qualified && part.parts.front().kind == SetKind::kEntities &&
         other.parts.front().kind == SetKind::kEntities;
}

}  // namespace

std::string Phrase::text() const {
  std::string all = noun;
  const bool people = noun.ends_with("people") || noun.ends_with("person");
  bool relative = false;  // a "that ..." before
  for (const std::string& clause : short_first(clauses)) {
    const bool that = clause.starts_with("that ");
    all += relative && that ? " and " : " ";
    all += that && people ? "who" + clause.substr(4) : clause;
    relative = relative || that;
  }
  return all;
}

std::string Phrase::definite() const { return (kind == PhraseKind::kDefinite ? "the " : "") + text(); }

std::string Phrase::all() const { return (kind == PhraseKind::kNames ? "" : "the ") + text(); }

std::optional<OneHop> one_hop(const Set& set) {
  if (set.kind == SetKind::kAnd && set.parts.size() == 2) {
    const bool typed = set.parts[0].kind == SetKind::kOfType;
    const Set &type = set.parts[typed ? 0 : 1], &step = set.parts[typed ? 1 : 0];
    if (type.kind != SetKind::kOfType) return std::nullopt;
    auto hop = step.kind == SetKind::kStep ? one_hop(step) : std::nullopt;
    if (hop) hop->type = &type;
    return hop;
  }
  if (set.kind != SetKind::kStep || set.parts.front().kind != SetKind::kEntities ||
      set.parts.front().entities.size() != 1 || !set.qualified.empty())
    return std::nullopt;
  return OneHop{set.parts.front().entities.front(), set.relations.front()};
}

std::optional<std::vector<EntityId>> SetSpeaker::members(const Set& set) const {
  return engine_.members(set, before_, {.max_visits = kFewVisits});
}

std::string SetSpeaker::shared_type(std::span<const EntityId> entities) const {
  const graph::KnowledgeGraph& graph = facts_.values().graph();
  const auto relation = facts_.kinds();
  if (!relation || entities.empty() || entities.size() > kTypedMembers) return {};
  std::vector<EntityId> shared;
  for (const graph::Edge& edge : forms::row(graph, entities.front(), *relation)) shared.push_back(edge.tail);
  for (const EntityId each : entities.subspan(1))
    std::erase_if(shared, [&](EntityId type) { return !graph.has_edge({each, *relation, type}); });
  const auto size = [&](EntityId type) { return forms::row(graph, type, graph.inverse(*relation)).size(); };
  const auto best = std::min_element(shared.begin(), shared.end(),
                                     [&](EntityId a, EntityId b) { return size(a) < size(b); });
  return best == shared.end() ? std::string() : noun_of(graph.entity_name(*best));
}

std::string SetSpeaker::shared_type(const Set& set) const {
  const auto all = members(set);
  return all ? shared_type(*all) : std::string();
}

std::string SetSpeaker::noun_of_ends(graph::RelationId relation) const {
  const std::string type = shared_type(forms::having({facts_.values().graph().inverse(relation)}));
  return type.empty() ? facts_.kind_noun(relation) : type;
}

Names SetSpeaker::names(const Set& set) const {
  if (set.kind == SetKind::kEntities) {
    if (set.entities.size() > kMostNamed) return {.texts = {those(set)}, .many = true};
    Names names{.join = "or"};
    for (const EntityId id : set.entities) names.texts.push_back(said_name(facts_.values(), id));
    return names;
  }
  const auto all = members(set);
  const bool many = !all || all->size() > 1;
  Phrase phrase = this->phrase(set, many, all ? shared_type(*all) : std::string());
  if (!many && phrase.kind == PhraseKind::kAny) phrase.kind = PhraseKind::kDefinite;
  return {.texts = {phrase.definite()}, .many = many};
}

Phrase SetSpeaker::phrase(const Set& set, bool many, const std::string& type) const {
  switch (set.kind) {
    case SetKind::kEntities: {
      if (set.entities.size() > kMostNamed) return {those(set), {}, PhraseKind::kNames};
      std::vector<std::string> names;
      for (const EntityId id : set.entities) names.push_back(said_name(facts_.values(), id));
      return {forms::listed(names), {}, PhraseKind::kNames};
    }
    case SetKind::kBefore:
      return {"those", {}, PhraseKind::kNames};
    case SetKind::kStep:
      return step(set, many, type);
    case SetKind::kOfType: {
      std::vector<std::string> nouns;
      for (const EntityId id : set.entities)
        nouns.push_back(in_number(noun_of(facts_.values().graph().entity_name(id)), many));
      return {forms::listed(nouns, "or")};
    }
    case SetKind::kAnd:
      return all_of(set, many, type);
    case SetKind::kOr:
      return any_of(set, many, type);
    case SetKind::kBut:
      return without(set, many, type);
    case SetKind::kHaving:
    case SetKind::kWhere:
    case SetKind::kWhereCount:
      return limited(set, many, type);
    case SetKind::kFirst:
    case SetKind::kLast:
      return ranked(set, many, type);
  }
  return {};
}

// Whether a step leads from named types to what is of them.
bool SetSpeaker::is_of_kind(const Set& step) const {
  const auto types = facts_.kinds();
  return step.kind == SetKind::kStep && types &&
         step.relations.front() == facts_.values().graph().inverse(*types) &&
         step.parts.front().kind == SetKind::kEntities;
}

Phrase SetSpeaker::step(const Set& set, bool many, const std::string& type, const char* join) const {
  const graph::RelationId relation = set.relations.front();
  if (is_of_kind(set)) return phrase(forms::of_type(set.parts.front().entities), many, type);
  const Names from = names(set.parts.front());
  const std::string noun = facts_.noun(from, relation, many);
  if (!noun.empty()) return {noun, qualified_clauses(set), PhraseKind::kDefinite};
  const std::string thing = type.empty() ? noun_of_ends(relation) : type;
  return {in_number(thing, many), step_clauses(set, many, join), PhraseKind::kAny, true};
}

// "in 2010"
std::vector<std::string> SetSpeaker::qualified_clauses(const Set& step) const {
  std::vector<std::string> clauses;
  for (const forms::Qualified& each : step.qualified)
    clauses.push_back(forms::qualified_words(each, facts_.values()));
  return clauses;
}

// "directed by Nolan in 2010": what is said beside the fact belongs to its clause.
std::vector<std::string> SetSpeaker::step_clauses(const Set& set, bool many, const char* join) const {
  std::string clause = step_clause(set, many, join);
  for (const std::string& beside : qualified_clauses(set)) clause += ' ' + beside;
  return {clause};
}

std::string SetSpeaker::step_clause(const Set& set, bool many, const char* join) const {
  const graph::RelationId relation = set.relations.front();
  const graph::RelationId forward = facts_.values().graph().inverse(relation);
  const Set& from = set.parts.front();
  if (!facts_.leads_to_values(forward)) {
    Names head = names(from);
    if (from.kind == SetKind::kEntities) head.join = join;
    return facts_.clause(head, relation, many);
  }
  // "that came out in 1995": whatever has this value.
  const bool times = facts_.leads_to_times(forward);
  const auto is_fit = [&](EntityId id) {
    return graph::is_time(facts_.values().value(forward, id).kind) == times;
  };
  const bool named =
      from.kind == SetKind::kEntities && std::all_of(from.entities.begin(), from.entities.end(), is_fit);
  if (!named) return whose(facts_.value_noun(forward)) + forms::listed(names(from).texts, join);
  std::vector<std::string> texts;
  for (const EntityId id : from.entities)
    texts.push_back(times ? when_text(facts_.values().value(forward, id))
                          : said_tail(facts_.values(), forward, id));
  return facts_.value_clause(forward, (times ? "" : "of ") + forms::listed(texts, join), true, many);
}

// What limits a noun that another part of the form gives.
std::vector<std::string> SetSpeaker::clauses(const Set& set, bool many) const {
  if (set.kind == SetKind::kStep) return step_clauses(set, many);
  const Phrase phrase = this->phrase(set, many);
  if (phrase.generic) return phrase.clauses;
  if (phrase.kind == PhraseKind::kNames) return {"among " + phrase.text()};
  return {many ? "that are " + phrase.definite() : "that is " + phrase.definite()};
}

Phrase SetSpeaker::all_of(const Set& set, bool many, const std::string& type) const {
  // Steps by one relation are one clause: "whose weaknesses include Fire and Ice".
  std::vector<Set> parts;
  for (const Set& part : set.parts) {
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const Set& other) {
      return is_same_step(part, other) && !is_of_kind(part);
    });
    if (same == parts.end()) {
      parts.push_back(part);
      continue;
    }
    const std::vector<EntityId>& more = part.parts.front().entities;
    same->parts.front().entities.insert(same->parts.front().entities.end(), more.begin(), more.end());
  }
  const auto phrase_of = [&](const Set& part) {
    return part.kind == SetKind::kStep ? step(part, many, type, "and") : phrase(part, many, type);
  };
  // The noun is that of a type, else of what has one, else of the first part.
  const auto rank = [&](const Set& part) {
    if (part.kind == SetKind::kOfType) return 0;
    return phrase_of(part).generic ? 2 : 1;
  };
  std::size_t head = 0;
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (rank(parts[i]) < rank(parts[head])) head = i;
  Phrase all = phrase_of(parts[head]);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == head) continue;
    const std::vector<std::string> more =
        parts[i].kind == SetKind::kStep ? step_clauses(parts[i], many, "and") : clauses(parts[i], many);
    all.clauses.insert(all.clauses.end(), more.begin(), more.end());
  }
  return all;
}

Phrase SetSpeaker::any_of(const Set& set, bool many, const std::string& type) const {
  if (std::all_of(set.parts.begin(), set.parts.end(),
                  [&](const Set& part) { return is_same_step(part, set.parts.front()); })) {
    Set from;
    for (const Set& part : set.parts)
      from.entities.insert(from.entities.end(), part.parts.front().entities.begin(),
                           part.parts.front().entities.end());
    const Set& first = set.parts.front();
    return step(forms::step(std::move(from), first.relations, first.qualified), many, type);
  }
  std::vector<Phrase> phrases;
  std::vector<std::string> texts, limits;
  for (const Set& part : set.parts) {
    phrases.push_back(phrase(part, many, type));
    texts.push_back(phrases.back().definite());
    limits.push_back(Phrase{.clauses = phrases.back().clauses}.text());
  }
  const auto alike = [&](const Phrase& phrase) {
    return phrase.noun == phrases.front().noun && !phrase.clauses.empty() && phrase.kind == PhraseKind::kAny;
  };
  if (!std::all_of(phrases.begin(), phrases.end(), alike)) return {forms::listed(texts, "or")};
  for (std::string& limit : limits) limit.erase(0, 1);
  return {phrases.front().noun, {forms::listed(limits, "or")}, PhraseKind::kAny, phrases.front().generic};
}

Phrase SetSpeaker::without(const Set& set, bool many, const std::string& type) const {
  if (const std::uint64_t place = forms::place_of(set); place > 0)
    return ranked(set.parts.front(), many, type, place);
  Phrase all = phrase(set.parts.front(), many, type);
  for (std::size_t i = 1; i < set.parts.size(); ++i) {
    const Set& part = set.parts[i];
    const Phrase other = phrase(part, true);
    const bool limits = part.kind == SetKind::kStep || other.generic;
    all.clauses.push_back("other than " +
                          (limits ? Phrase{"those", clauses(part, true)}.text() : other.definite()));
  }
  return all;
}

std::string SetSpeaker::condition(const Set& where) const {
  const forms::Condition fitted = forms::fitted(where.condition, where.relations, facts_.values()).condition;
  const std::string words = forms::condition_words(fitted);
  if (fitted.upper || !graph::is_time(fitted.value.kind)) return words;
  if (fitted.test == Comparison::kEqual) return when_text(fitted.value);
  if (fitted.test == Comparison::kNotEqual) return "not " + when_text(fitted.value);
  if (fitted.test == Comparison::kAtMost) return "in or before " + graph::shown(fitted.value);
  if (fitted.test == Comparison::kAtLeast) return "in or after " + graph::shown(fitted.value);
  return words;
}

Phrase SetSpeaker::limited(const Set& set, bool many, const std::string& type) const {
  if (set.kind == SetKind::kHaving) {
    const graph::RelationId relation = set.relations.front();
    const graph::KnowledgeGraph& graph = facts_.values().graph();
    // Whatever cities lead from: the cities.
    if (type.empty() && set.relations.size() == 1 && graph.relation_name(relation).starts_with('~'))
      return {in_number(noun_of(graph.relation_name(graph.inverse(relation))), many), {}, PhraseKind::kAny};
    const std::string noun = type.empty() ? "thing" : type;
    const std::string what =
        facts_.leads_to_values(relation) ? facts_.value_noun(relation) : facts_.counted_noun(relation, false);
    return {in_number(noun, many), {"with " + with_article(what)}, PhraseKind::kAny, true};
  }
  Phrase all = phrase(set.parts.front(), many, type);
  if (set.kind == SetKind::kWhere) {
    all.clauses.push_back(
        facts_.value_clause(set.relations.front(), condition(set),
                            set.condition.test == Comparison::kEqual && !set.condition.upper, many));
    return all;
  }
  const bool one = !set.condition.upper && set.condition.value.from == 1;
  all.clauses.push_back("with " + forms::count_words(set.condition) + ' ' + counted_noun(set.measure, !one));
  return all;
}

std::string SetSpeaker::counted_noun(const Measure& measure, bool many) const {
  if (!measure.among.empty()) {
    const Phrase among = phrase(measure.among.front(), many);
    if (among.kind != PhraseKind::kNames && !among.generic) return among.text();
    return facts_.counted_noun(measure.relations.front(), many) + " among " + among.text();
  }
  const graph::RelationId relation = measure.relations.front();
  const std::string noun = facts_.counted_noun(relation, many);
  return noun == in_number(facts_.kind_noun(relation), many) ? in_number(noun_of_ends(relation), many) : noun;
}

std::string SetSpeaker::superlative(const Measure& measure, bool greatest) const {
  const MeasureWords* const words =
      measure.kind == MeasureKind::kValue ? facts_.measure(measure.relations.front()) : nullptr;
  if (words == nullptr) return {};
  const std::vector<std::string>& all = greatest ? words->most : words->least;
  return all.empty() ? std::string() : all.front();
}

std::string SetSpeaker::extreme(const Measure& measure, bool greatest) const {
  const graph::RelationId relation = measure.relations.front();
  if (measure.kind == MeasureKind::kCount)
    return (greatest ? "most " : "fewest ") + counted_noun(measure, true);
  if (facts_.leads_to_times(relation))
    return (greatest ? "latest " : "earliest ") + facts_.value_noun(relation);
  return (greatest ? "greatest " : "least ") + facts_.value_noun(relation);
}

Phrase SetSpeaker::ranked(const Set& set, bool many, const std::string& type, std::uint64_t place) const {
  const bool greatest = set.kind == SetKind::kLast;
  const std::string how_many = place > 0           ? forms::ordinal(place) + ' '
                               : many && set.n > 1 ? number_text(set.n) + ' '
                                                   : std::string();
  Phrase all = phrase(set.parts.front(), many, type);
  const std::string word = superlative(set.measure, greatest);
  const bool names = all.kind == PhraseKind::kNames;
  all.kind = PhraseKind::kDefinite;
  all.generic = false;
  if (word.empty()) {
    all.noun =
        (place > 0 ? std::string() : how_many) + (names ? (many ? "ones of " : "one of ") : "") + all.noun;
    all.clauses.push_back("with the " + (place > 0 ? how_many : std::string()) +
                          extreme(set.measure, greatest));
    return all;
  }
  all.noun = how_many + word + (names ? " of " : " ") + all.noun;
  return all;
}

std::string SetSpeaker::counted(std::uint64_t number, const Set& set, const std::string& type) const {
  const bool is_ranked = set.kind == SetKind::kFirst || set.kind == SetKind::kLast;
  if (is_ranked && number == 0) return counted(0, set.parts.front(), type);
  Set asked = set;  // "2 oldest films", not "2 3 oldest films"
  asked.n = 1;
  const Phrase phrase = this->phrase(asked, number != 1, type);
  const std::string text = phrase.text();
  if (phrase.kind == PhraseKind::kNames)
    return (number == 0 ? "none" : number == 1 ? "one" : number_text(number)) + (" of " + text);
  return (number == 0 ? "no" : number == 1 ? "one" : number_text(number)) + (' ' + text);
}

}  // namespace kgwalk::dialogue
