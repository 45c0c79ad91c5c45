#include "planner/answering/answering_turn.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dialogue/telling/about.h"
#include "dialogue/telling/fact_speaker.h"
#include "dialogue/telling/tell.h"
#include "kgwalk/graph_details.h"
#include "listening/acts/act_replies.h"

namespace kgwalk {
namespace {

using graph::EntityId;
using listening::HeardForm;

constexpr double kBudgetSeconds = 2;
constexpr std::size_t kMostRows = 100'000;
constexpr std::size_t kOffered = 5;
constexpr std::size_t kSuggested = 3;    // things of a recommendation
constexpr std::size_t kInCommon = 4;     // relations that are told to lead from two things to the same
constexpr std::size_t kShared = 2;       // facts that are told to be shared
constexpr std::size_t kMostListed = 10;  // names in a sentence that says that there are no others

std::string joined(const std::vector<std::string>& names, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? std::string() : i + 1 == names.size() ? fmt::format(" {} ", last) : ", ") + names[i];
  return text;
}

}  // namespace

forms::Limits answering_limits() { return {.max_rows = kMostRows, .budget_s = kBudgetSeconds}; }

AnsweringTurn::AnsweringTurn(const listening::ListenedGraph& graph, const Descriptions& descriptions,
                             const Focus& before, std::size_t turn)
    : graph_(graph),
      descriptions_(descriptions),
      values_(graph.lexicon().values()),
      before_(before),
      turn_(turn) {
  out_.focus = before;
  out_.focus.offered.clear();
  out_.focus.offered_for.clear();
  out_.focus.offered_name.clear();
  out_.focus.before.context.offered = false;
}

AnsweredTurn AnsweringTurn::reply(listening::Act act) {
  say(TurnKind::kReplied, listening::reply_to(act, turn_));
  return done();
}

AnsweredTurn AnsweringTurn::reply(std::string sentence) {
  say(TurnKind::kReplied, std::move(sentence));
  return done();
}

AnsweredTurn AnsweringTurn::walk(std::optional<EntityId> about) {
  out_.kind = TurnKind::kWalk;
  if (about) speak_of(*about);
  return done();
}

AnsweredTurn AnsweringTurn::answer_beside(const SaidName& part, const HeardForm& form) {
  tell(form, form.query);
  say(TurnKind::kAnswered, fmt::format("I do not know who played {}. {}", part.text, out_.sentence));
  return done();
}

AnsweredTurn AnsweringTurn::deny(const SaidName& name, const HeardForm& form) {
  HeardForm those = form;
  those.truth.reset();
  those.query = forms::find(form.query.set);
  tell(those, those.query);
  say(TurnKind::kAnswered,
      fmt::format("No, not as far as I know: I do not know {}. {}", name.text, out_.sentence));
  return done();
}

AnsweredTurn AnsweringTurn::unknown(const SaidName& name, std::optional<EntityId> named, std::string said) {
  if (named) speak_of(*named);
  std::string sentence = fmt::format("I do not know {}.", name.text);
  if (!name.nearest.empty()) {
    std::vector<std::string> shown;
    for (const EntityId entity : name.nearest) shown.push_back(values_.shown(entity));
    sentence += " Did you mean " + joined(shown, "or") + "?";
    offer(name.nearest);
  }
  hear_again(name.text, std::move(said));
  say(TurnKind::kUnknown, std::move(sentence));
  return done();
}

AnsweredTurn AnsweringTurn::ask_which(const std::vector<EntityId>& entities, std::string name,
                                      std::string said) {
  std::vector<std::string> shown;
  for (const EntityId entity : entities) shown.push_back(values_.shown(entity));
  offer(entities);
  hear_again(std::move(name), std::move(said));
  say(TurnKind::kAsked, "Do you mean " + joined(shown, "or") + "?");
  return done();
}

AnsweredTurn AnsweringTurn::unsaid(const HeardForm& form, std::optional<EntityId> named, std::string name,
                                   std::string said) {
  const std::optional<EntityId> entity = !form.about.empty() ? std::optional(form.about.front())
                                         : named             ? named
                                                             : topic();
  if (entity) {
    speak_of(*entity);
    say(TurnKind::kUnsaid, fmt::format("I do not know that about {}.", values_.shown(*entity)));
  } else {
    say(TurnKind::kUnsaid, "I do not know that.");
  }
  hear_again(std::move(name), std::move(said));
  return done();
}

std::string AnsweringTurn::told_about(EntityId entity) const {
  constexpr std::size_t kMostFacts = 5;
  return dialogue::tell_about(values_, entity, dialogue::builtin_wordings(), kMostFacts,
                              descriptions_.of(entity));
}

AnsweredTurn AnsweringTurn::about(EntityId entity) {
  speak_of(entity);
  out_.focus.question.reset();
  out_.focus.order.clear();
  say(TurnKind::kAnswered, told_about(entity));
  out_.focus.before.context.answered = true;
  return done();
}

AnsweredTurn AnsweringTurn::other_names(EntityId entity) {
  speak_of(entity);
  out_.focus.question.reset();
  out_.focus.order.clear();
  const graph::KnowledgeGraph& graph = values_.graph();
  std::vector<std::string> names;
  for (const std::string_view alias : graph::details(graph).aliases(entity)) names.emplace_back(alias);
  if (names.empty()) {
    say(TurnKind::kUnsaid, fmt::format("I do not know another name of {}.", values_.shown(entity)));
    return done();
  }
  out_.focus.before.context.answered = true;
  say(TurnKind::kAnswered, fmt::format("{} is also called {}.", values_.shown(entity), joined(names, "and")));
  return done();
}

AnsweredTurn AnsweringTurn::about(const std::vector<EntityId>& entities) {
  std::string all;
  for (const EntityId entity : entities) {
    speak_of(entity);
    if (!all.empty()) all += ' ';
    all += told_about(entity);
  }
  out_.focus.question.reset();
  out_.focus.order.clear();
  say(TurnKind::kAnswered, std::move(all));
  out_.focus.before.context.answered = true;
  return done();
}

AnsweredTurn AnsweringTurn::in_common(EntityId a, EntityId b, const std::vector<graph::Triple>& facts) {
  speak_of(a);
  speak_of(b);
  const dialogue::Names both{.texts = {values_.shown(a), values_.shown(b)}, .many = true};
  const dialogue::FactSpeaker speaker(values_, dialogue::builtin_wordings());
  std::vector<graph::RelationId> relations;
  for (const graph::Triple& fact : facts)
    if (std::find(relations.begin(), relations.end(), fact.relation) == relations.end())
      relations.push_back(fact.relation);
  if (relations.size() > kInCommon) relations.resize(kInCommon);
  std::string sentence;
  for (const graph::RelationId relation : relations) {
    std::vector<std::string> ends;
    for (const graph::Triple& fact : facts) {
      if (fact.relation != relation || ends.size() == kMostListed) continue;
      ends.push_back(values_.shown(fact.tail));
      out_.evidence.push_back(fact);
    }
    const bool many = ends.size() > 1;
    const dialogue::Worded worded =
        speaker.statement(both, relation, {.texts = std::move(ends), .many = many});
    if (!sentence.empty()) sentence += ' ';
    sentence += dialogue::ended(worded.begins_with_name ? worded.text : dialogue::capital(worded.text));
  }
  if (sentence.empty())
    sentence =
        fmt::format("I know nothing that {} and {} have in common.", values_.shown(a), values_.shown(b));
  out_.focus.question.reset();
  out_.focus.order.clear();
  out_.focus.before.context.answered = true;
  say(TurnKind::kAnswered, std::move(sentence));
  return done();
}

AnsweredTurn AnsweringTurn::suggest(const HeardForm& form) {
  out_.answer = answered(form.query);
  std::vector<EntityId> order = form.answers;
  const auto facts = [&](EntityId entity) { return values_.graph().out_edges(entity).size(); };
  std::stable_sort(order.begin(), order.end(), [&](EntityId a, EntityId b) { return facts(a) > facts(b); });
  const std::size_t told = std::min(order.size(), kSuggested);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < told; ++i) names.push_back(values_.shown(order[i]));
  std::string sentence = fmt::format("How about {}?", joined(names, "or"));
  if (order.size() > told) sentence += fmt::format(" I know {} more.", order.size() - told);
  keep(form, form.query, std::move(order), told);
  say(TurnKind::kAnswered, std::move(sentence));
  return done();
}

AnsweredTurn AnsweringTurn::suggest(EntityId liked, const std::vector<AlikeThing>& alike) {
  std::vector<EntityId> order;
  for (const AlikeThing& thing : alike) order.push_back(thing.entity);
  HeardForm form;
  form.probability = 1;
  form.answers = order;
  std::sort(form.answers.begin(), form.answers.end());
  form.query = forms::find(forms::entities(form.answers));
  form.about = {liked};
  out_.answer = answered(form.query);
  const std::size_t told = std::min(order.size(), kSuggested);
  std::vector<std::string> names, shared;
  for (std::size_t i = 0; i < told; ++i) names.push_back(values_.shown(order[i]));
  const dialogue::FactSpeaker facts(values_, dialogue::builtin_wordings());
  std::vector<graph::Triple> evidence;
  for (const graph::Triple& fact : alike.front().facts) {
    if (std::any_of(evidence.begin(), evidence.end(),
                    [&](const graph::Triple& before) { return before.relation == fact.relation; }))
      continue;
    evidence.push_back(fact);
    shared.push_back(facts.fact(fact).text);
    if (shared.size() == kShared) break;
  }
  keep(form, form.query, std::move(order), told);
  out_.evidence = std::move(evidence);
  say(TurnKind::kAnswered, fmt::format("You might like {}. Like {}, {}.", joined(names, "or"),
                                       values_.shown(liked), joined(shared, "and")));
  return done();
}

AnsweredTurn AnsweringTurn::answer(const HeardForm& form, bool whether) {
  tell(form, form.query);
  if (whether) say(out_.kind, "Yes: " + out_.sentence);
  return done();
}

std::vector<EntityId> AnsweringTurn::known_of(const HeardForm& form, std::span<const EntityId> named) const {
  std::vector<EntityId> known(form.about);
  known.insert(known.end(), named.begin(), named.end());
  for (const auto& [entity, note] : before_.before.focus)
    if (note.turns_ago == 0) known.push_back(entity);
  known.insert(known.end(), before_.order.begin(), before_.order.end());
  std::erase_if(known, [&](EntityId entity) {
    return !std::binary_search(form.answers.begin(), form.answers.end(), entity);
  });
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return known;
}

AnsweredTurn AnsweringTurn::rest(std::span<const HeardForm> forms, std::span<const EntityId> named) {
  constexpr double kAsLikely = 0.05;  // of the likeliest: who asks for others means what there are others of
  for (const HeardForm& form : forms) {
    if (form.probability < kAsLikely * forms.front().probability) break;
    if (!form.is_set() && &form == &forms.front()) break;
    if (form.is_set() && known_of(form, named).size() < form.answers.size()) return rest(form, named);
  }
  return rest(forms.front(), named);
}

AnsweredTurn AnsweringTurn::rest(const HeardForm& form, std::span<const EntityId> named) {
  if (!form.is_set()) return answer(form);
  std::vector<EntityId> told(before_.order);
  std::sort(told.begin(), told.end());
  if (told == form.answers && before_.told < before_.order.size()) return more(false);
  const std::vector<EntityId> known = known_of(form, named);
  if (known.empty()) return answer(form);
  if (known.size() == form.answers.size()) {
    std::vector<std::string> names;
    for (const EntityId entity : known) names.push_back(values_.shown(entity));
    if (names.size() > kMostListed) return reply("I know no others than those.");
    return reply(fmt::format("I know no others than {}.", joined(names, "and")));
  }
  forms::Query query = form.query;
  query.set = forms::but(std::move(query.set), forms::entities(known));
  tell(form, query);
  return done();
}

AnsweredTurn AnsweringTurn::rest_of_before() {
  HeardForm form;
  form.query = *before_.question;
  form.answers = before_.order;
  std::sort(form.answers.begin(), form.answers.end());
  return rest(form, {});
}

AnsweredTurn AnsweringTurn::rest_of_checked(const HeardForm& check) {
  HeardForm form = check;
  form.truth.reset();
  form.query = forms::find(check.query.set);
  form.answers = answered(form.query).entities;
  std::sort(form.answers.begin(), form.answers.end());
  return form.answers.empty() ? answer(check) : rest(form, {});
}

std::optional<AnsweredTurn> AnsweringTurn::listed_of_before() {
  const auto& asked = before_.question;
  const bool any =
      asked && asked->kind == forms::QueryKind::kCheck && asked->members.empty() && !asked->condition;
  if (!any && !(asked && asked->kind == forms::QueryKind::kCount)) return std::nullopt;
  HeardForm form;
  form.probability = 1;
  form.relations = before_.before.relations;
  if (const auto about = topic()) form.about = {*about};
  form.query = forms::find(asked->set);
  form.answers = answered(form.query).entities;
  if (form.answers.empty()) return std::nullopt;
  std::sort(form.answers.begin(), form.answers.end());
  return answer(form);
}

AnsweredTurn AnsweringTurn::more(bool all) {
  // "Could you name all of them?" of what was only counted.
  if (auto listed = listed_of_before()) return std::move(*listed);
  if (before_.question && !before_.order.empty() && before_.told >= before_.order.size() && !all)
    return rest_of_before();
  if (!before_.question || before_.told >= before_.order.size())
    return reply(all ? listening::Act::kAll : listening::Act::kMore);
  forms::Answer answer = answered(*before_.question);
  // It goes on in the order in which the first of them were told.
  if (answer.entities.size() == before_.order.size()) answer.entities = before_.order;
  const dialogue::Told told =
      dialogue::tell(*before_.question, answer, graph_.engine(), dialogue::builtin_wordings(),
                     {.skip = before_.told, .all = all, .variety = turn_});
  out_.query = before_.question;
  out_.answer = answer;
  out_.focus.told = before_.told + told.named;
  out_.focus.before.context.cut = out_.focus.told < before_.order.size();
  say(TurnKind::kAnswered, told.sentence);
  return done();
}

std::optional<EntityId> AnsweringTurn::topic() const {
  std::optional<EntityId> found;
  int ago = 1000;
  for (const auto& [entity, note] : before_.before.focus)
    if (note.topic && note.turns_ago <= ago) {
      found = entity;
      ago = note.turns_ago;
    }
  return found;
}

forms::Answer AnsweringTurn::answered(const forms::Query& query) const {
  return graph_.engine().answer(query, {}, answering_limits());
}

// A name may end with a point itself: "Warner Bros.".
void AnsweringTurn::say(TurnKind kind, std::string sentence) {
  for (std::size_t at = sentence.find(".."); at != std::string::npos; at = sentence.find("..", at)) {
    const std::size_t end = std::min(sentence.find_first_not_of('.', at), sentence.size());
    if (end - at == 2) sentence.erase(at, 1);
    at = end;
  }
  out_.kind = kind;
  out_.sentence = std::move(sentence);
  out_.focus.said = out_.sentence;
}

void AnsweringTurn::offer(const std::vector<EntityId>& entities) {
  out_.focus.offered = entities;
  if (out_.focus.offered.size() > kOffered) out_.focus.offered.resize(kOffered);
  out_.focus.before.context.offered = true;
}

void AnsweringTurn::hear_again(std::string name, std::string said) {
  out_.focus.offered_name = std::move(name);
  out_.focus.offered_for = std::move(said);
}

void AnsweringTurn::speak_of(EntityId entity) {
  const EntityId named[] = {entity};
  listening::remember({.named = named}, out_.focus.before);
  out_.about = entity;
}

void AnsweringTurn::tell(const HeardForm& form, const forms::Query& query) {
  out_.answer = answered(query);
  dialogue::Told told =
      dialogue::tell(query, out_.answer, graph_.engine(), dialogue::builtin_wordings(), {.variety = turn_});
  keep(form, query, std::move(told.order), told.named);
  say(TurnKind::kAnswered, std::move(told.sentence));
}

void AnsweringTurn::keep(const HeardForm& form, const forms::Query& query, std::vector<EntityId> order,
                         std::size_t told) {
  out_.probability = form.probability;
  out_.query = query;
  if (!out_.answer.entities.empty())
    out_.evidence = graph_.engine().evidence(query, out_.answer.entities.front());
  if (!form.about.empty()) out_.about = form.about.front();
  std::vector<EntityId> named = form.about;
  std::erase_if(named, [&](EntityId e) { return values_.kind(e) != graph::ValueKind::kThing; });
  const bool values = !form.answers.empty() && values_.kind(form.answers.front()) != graph::ValueKind::kThing;
  listening::remember({.named = named,
                       .answers = form.answers,
                       .told = std::span<const EntityId>(order.data(), std::min(told, order.size())),
                       .relations = form.relations,
                       .counted = form.counted || form.amount,
                       .checked = form.truth.has_value(),
                       .values = values},
                      out_.focus.before);
  out_.focus.question = query;
  out_.focus.order = std::move(order);
  out_.focus.told = told;
  out_.focus.before.context.answered = true;
  out_.focus.before.context.cut = form.is_set() && told < out_.focus.order.size();
}

}  // namespace kgwalk
