// A turn that is heard as a form and answered from the graph.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/querier.h"
#include "planner/conversation/talk.h"
#include "rl/environment/side_questions.h"
#include "runtime/stopwatch.h"

namespace kgwalk {
namespace {

using graph::EntityId;

constexpr std::size_t kMostRowsKept = 100;  // of an answer, in what is shown of it; all are counted

// The evidence as hops of a walk from `start`; empty where it is no chain from there.
std::vector<graph::Triple> as_walk(const std::vector<graph::Triple>& evidence, EntityId start,
                                   const graph::KnowledgeGraph& graph) {
  std::vector<graph::Triple> walk;
  EntityId at = start;
  for (graph::Triple fact : evidence) {
    if (fact.head != at && fact.tail == at) fact = {fact.tail, graph.inverse(fact.relation), fact.head};
    if (fact.head != at || !graph.has_edge(fact)) return {};
    walk.push_back(fact);
    at = fact.tail;
  }
  return walk;
}

}  // namespace

std::string Talk::hear_by_answerer(std::string_view text) {
  const Stopwatch watch;
  Focus focus = now_.focus;
  focus.before.context.goal = now_.situation.goal.has_value();
  AnsweredTurn answered = answerer_->answer(text, focus, earlier_.size(), *linker_, now_.situation.context);
  return take_up_answered(text, std::move(answered), watch);
}

std::string Talk::choose_by_answerer(EntityId chosen) {
  const Stopwatch watch;
  choice_ = {};
  AnsweredTurn answered = answerer_->answer_with(chosen, now_.focus, earlier_.size(), *linker_);
  return take_up_answered(name(chosen), std::move(answered), watch);
}

std::string Talk::take_up_answered(std::string_view text, AnsweredTurn answered, const Stopwatch& watch) {
  State next = now_;
  next.situation.context.push_back({graph::Speaker::kUser, std::string(text)});
  next.focus = std::move(answered.focus);
  next.answered = nullptr;
  if (answered.about && !graph().out_edges(*answered.about).empty()) {
    next.situation.start = *answered.about;
    next.placed = true;
  }
  if (answered.kind == TurnKind::kWalk) {
    if (next.placed) return turn(std::move(next));
    answered.sentence = Responder::ask_anything(earlier_.size());
  }
  next.stood = now_.placed ? std::optional(now_.situation.start) : std::nullopt;
  next.found.reset();
  next.taken = kNoPath;
  next.turns.push_back({{"said", text}, {"answer", answered.sentence}});
  if (next.placed) next.turns.back()["from"] = name(next.situation.start);
  std::string shown;
  if (answered.query) {
    if (responder_) answered.sentence = put_in_words(text, answered);
    next.turns.back()["answer"] = answered.sentence;
    next.focus.said = answered.sentence;
    AnsweredForm form = answered_form(*answered.query, std::move(answered.answer), answerer_->engine());
    form.said = answered.sentence;
    if (form.answer.entities.size() > kMostRowsKept) form.answer.entities.resize(kMostRowsKept);
    next.answered = to_json(form, answerer_->values());
    next.turns.back()["form"] = next.answered["form"];
    next.turns.back()["probability"] = answered.probability;
    if (options_.trace) shown = fmt::format("asked: {}\n", form.words);
    next.answered["probability"] = answered.probability;
    take_evidence(form, next);
    if (led(next) && next.placed) lead_on(next, answered.sentence, shown);
  }
  if (!next.focus.offered.empty()) choice_ = {next.focus.offered, Use::kMention, false, std::string(text)};
  next.turns.back()["planned_ms"] = 1000 * watch.seconds();
  next.situation.context.push_back({graph::Speaker::kAssistant, answered.sentence});
  said_ = answered.sentence;
  remember(std::move(next));
  return responder_ ? fmt::format("assistant: {}\n{}", said_, shown) : shown;
}

// Our sentence in the words of who speaks; its facts are those that it rests on.
std::string Talk::put_in_words(std::string_view asked, const AnsweredTurn& answered) const {
  dialogue::Message message{.kind = dialogue::MessageKind::kList};
  if (answered.about) message.start = name(*answered.about);
  for (const graph::Triple& fact : answered.evidence)
    message.ways.push_back(
        {{name(fact.head), std::string(graph().relation_name(fact.relation)), name(fact.tail)}});
  if (answered.answer.truth)
    message.kind = *answered.answer.truth ? dialogue::MessageKind::kYes : dialogue::MessageKind::kNo;
  message.context.push_back({graph::Speaker::kUser, std::string(asked)});
  return responder_->put(message, answered.sentence);
}

// What was asked is answered first; where that has not come nearer to the goal, a hop towards it follows.
void Talk::lead_on(State& next, std::string& sentence, std::string& shown) const {
  walker::Example& s = next.situation;
  const EntityId goal = *s.goal;
  if (s.start == goal) {
    s.goal.reset();
    shown += fmt::format("-> {}: the goal is reached. /goal NAME sets another.\n", name(goal));
    return;
  }
  if (next.stood && distances().distance(s.start, goal) < distances().distance(*next.stood, goal)) return;
  next.found = find(next);
  const Plan plan = named(graph(), *next.found);
  if (plan.paths.empty() || next.found->asked()) {
    next.found.reset();
    return;
  }
  Json answered = next.turns.back();
  next.turns.erase(next.turns.size() - 1);
  shown += walk(next, 0);
  const Json walked = next.turns.back();
  for (const char* member : {"path", "goal", "distance_to_goal"})
    if (walked.contains(member)) answered[member] = walked[member];
  if (responder_) sentence.append(" ").append(responder_->say(plan, 0));
  answered["answer"] = sentence;
  next.turns.back() = std::move(answered);
}

// What the answer rests on was walked, as far as to what was asked for; towards a goal the talk goes on from
// the nearest of both.
void Talk::take_evidence(const AnsweredForm& form, State& next) const {
  walker::Example& s = next.situation;
  if (!next.placed || form.answer.entities.empty()) return;
  const EntityId asked = s.start;
  const std::vector<EntityId>& answers = form.answer.entities;
  for (const graph::Triple& hop : as_walk(form.evidence, asked, graph())) {
    s.walked.push_back(hop);
    s.start = hop.tail;
    if (std::find(answers.begin(), answers.end(), hop.tail) != answers.end()) break;
  }
  if (s.start != asked) s.path_ends.push_back(static_cast<std::uint32_t>(s.walked.size()));
  const EntityId all[] = {s.start, asked, next.stood.value_or(asked)};
  if (s.goal) s.start = rl::nearest_to(*s.goal, all, distances());
}

}  // namespace kgwalk
