#include "planner/conversation/talk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/entity_named.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/plan_formats.h"
#include "planner/conversation/typed.h"
#include "planner/formats/plan_parts.h"
#include "rl/environment/side_questions.h"
#include "runtime/stopwatch.h"
#include "runtime/text.h"

namespace kgwalk {
namespace {

using graph::EntityId;

constexpr std::size_t kLately = 4;  // hops walked that a name may have to do with

std::string last_said(const walker::Example& situation) {
  const auto& context = situation.context;
  return context.empty() || context.back().speaker != graph::Speaker::kUser ? "" : context.back().text;
}

// Nothing is walked to say yes or no, or that the graph does not say.
bool stays(const PlanAnswer& answer) {
  return answer.kind == AnswerKind::kYes || answer.kind == AnswerKind::kNo ||
         answer.kind == AnswerKind::kNotSaid;
}

}  // namespace

Talk::Talk(std::shared_ptr<const Guide> guide, std::shared_ptr<const dialogue::EntityLinker> linker,
           ConversationOptions options, std::shared_ptr<const Responder> responder,
           std::shared_ptr<const Answerer> answerer)
    : guide_(std::move(guide)),
      linker_(std::move(linker)),
      options_(std::move(options)),
      random_(options_.seed, 31),
      responder_(std::move(responder)),
      answerer_(std::move(answerer)) {}

Talk Talk::another(std::uint64_t seed) const {
  ConversationOptions options = options_;
  options.seed = seed;
  return {guide_, linker_, std::move(options), responder_, answerer_};
}

std::string Talk::name(EntityId entity) const { return std::string(graph().entity_name(entity)); }

// By a walker that heads for goals.
bool Talk::led(const State& state) const {
  return state.situation.goal.has_value() && planning().stage() == Planner::Stage::kTwo;
}

SearchWidths Talk::widths(const State& state) const {
  // What was heard by a listener is not heard again: to "I watched Heat again" nothing is to be refused.
  return {.k = options_.paths,
          .beam = options_.beam,
          .max_hops = led(state) ? 1 : options_.max_hops,
          .hears = answerer_ == nullptr};
}

// Towards a goal it goes hop by hop, but an answer may lie further away.
Findings Talk::find(const State& state) const {
  const SearchWidths near = widths(state);
  Findings found = planning().plan(state.situation, near);
  if (!found.asked() || near.max_hops == options_.max_hops) return found;
  SearchWidths far = near;
  far.max_hops = options_.max_hops;
  return planning().plan(state.situation, far);
}

void Talk::remember(State next) { earlier_.push_back(std::exchange(now_, std::move(next))); }

std::string Talk::welcome() const {
  std::string text =
      fmt::format("{} entities, {} relations. Name one in what you say; /help lists the commands.\n",
                  with_commas(graph().num_connected()), with_commas(graph().num_relations()));
  if (planning().stage() == Planner::Stage::kOne)
    text += "This walker is of stage 1: it does not head for goals, it only tells the distance to them.\n";
  return text;
}

std::string Talk::hear(std::string_view text) {
  choice_ = {};
  question_.clear();
  if (answerer_) return hear_by_answerer(text);
  const dialogue::LinkedText linked = linker_->link(text, context());
  State next = now_;
  next.situation.context.push_back({graph::Speaker::kUser, std::string(text)});
  if (linked.unknown.empty() && listen(linked, next)) {
    const std::string notes = notes_on(linked, text, next);
    return turn(std::move(next), notes);
  }
  if (!linked.mentions.empty()) {
    const std::string notes = take_up(linked, text, next);
    return turn(std::move(next), notes);
  }
  std::string notes;
  const auto nearest = linked.unknown.empty() ? std::vector<std::string>{} : linked.unknown.front().nearest;
  for (const dialogue::UnknownName& unknown : linked.unknown)
    notes += fmt::format("I know no '{}'.\n", unknown.text);
  if (responder_ && (!nearest.empty() || !now_.placed))
    question_ = nearest.empty() ? Responder::ask_anything(earlier_.size())
                                : Responder::ask_nearest(nearest, earlier_.size());
  if (now_.placed) {
    if (nearest.empty()) return turn(std::move(next));
    notes = turn(std::move(next), notes) + "Or did you mean one of these? A number turns there.\n";
    return notes + offer(nearest, {.use = Use::kMention, .replaces = true, .said = std::string(text)});
  }
  remember(std::move(next));
  const std::string asked = ask_back();  // what the assistant asks is not told again
  if (nearest.empty())
    return asked.empty() ? "I found no entity of the graph in that. Name one, or give it with /from NAME.\n"
                         : asked;
  return (asked.empty() ? notes + "Did you mean one of these? " : asked) + "A number picks it.\n" +
         offer(nearest, {.use = Use::kMention, .replaces = true, .said = std::string(text)});
}

dialogue::LinkContext Talk::context() const {
  const walker::Example& s = now_.situation;
  dialogue::LinkContext context;
  if (now_.placed) context.near = s.start;
  for (const graph::Chat& chat : s.context) context.earlier.push_back(chat.text);
  for (std::size_t i = s.walked.size() - std::min(s.walked.size(), kLately); i < s.walked.size(); ++i)
    context.walked.insert(context.walked.end(), {s.walked[i].head, s.walked[i].tail});
  return context;
}

// Stands where a walker that listens would start from; false when it finds nowhere, or does not listen.
bool Talk::listen(const dialogue::LinkedText& linked, State& next) const {
  const std::vector<walker::ChosenStart> starts = planning().starts(next.situation);
  // Where nothing new was named the walk may go on from where it was put by hand, and on its way to a goal
  // from where it stands unless something is asked.
  if (starts.empty() || (linked.mentions.empty() && now_.placed && now_.turns.empty())) return false;
  // Names that are everyday words ("Next") are meant where something is asked of them, not in small talk.
  if (linked.mentions.empty() && (!now_.placed || led(now_))) {
    walker::Example asked = next.situation;
    if (!now_.placed) asked.start = starts.front().entity;
    if (!planning().hears_question(asked)) return false;
  }
  next.situation.start = starts.front().entity;
  next.placed = true;
  for (const dialogue::LinkedMention& mention : linked.mentions) {  // of one name, the one that is meant
    const auto& all = mention.entities;
    if (mention.sure && std::find(all.begin(), all.end(), next.situation.start) != all.end())
      next.situation.start = all.front();
  }
  return true;
}

// What else may have been meant by a name that is started from.
std::string Talk::notes_on(const dialogue::LinkedText& linked, std::string_view text, const State& next) {
  for (const dialogue::LinkedMention& mention : linked.mentions) {
    const auto& all = mention.entities;
    if (mention.sure || std::find(all.begin(), all.end(), next.situation.start) == all.end()) continue;
    ask_which(mention.text, all);
    return fmt::format("{} entities are called '{}'; I take {}. A number takes another:\n", all.size(),
                       mention.text, name(next.situation.start)) +
           offer({all, Use::kMention, true, std::string(text)});
  }
  return "";
}

// Stands on what was named last, other than where the walk is already; tells what else was named.
std::string Talk::take_up(const dialogue::LinkedText& linked, std::string_view text, State& next) {
  const dialogue::LinkedMention* taken = &linked.mentions.back();
  for (const dialogue::LinkedMention& mention : linked.mentions)
    if (!now_.placed || mention.entities.front() != now_.situation.start) taken = &mention;
  next.situation.start = taken->entities.front();
  next.placed = true;
  std::string notes, others;
  for (const dialogue::LinkedMention& mention : linked.mentions)
    if (&mention != taken && mention.entities.front() != taken->entities.front())
      others += (others.empty() ? "" : ", ") + name(mention.entities.front());
  if (!others.empty())
    notes += fmt::format("You named {} as well; /from NAME turns there. From {}:\n", others,
                         name(next.situation.start));
  const std::string best = name(taken->entities.front());
  if (!taken->sure) {
    ask_which(taken->text, taken->entities);
    notes += fmt::format("{} entities are called '{}'; I take {}. A number takes another:\n",
                         taken->entities.size(), taken->text, best);
    notes += offer({taken->entities, Use::kMention, true, std::string(text)});
  }
  return notes;
}

std::string Talk::offer(Choice choice) {
  choice.entities.resize(std::min(choice.entities.size(), kOffered));
  std::string text;
  for (std::size_t i = 0; i < choice.entities.size(); ++i) {
    const std::size_t edges = graph().out_edges(choice.entities[i]).size();
    text += fmt::format("  {}. {} ({} {})\n", i + 1, name(choice.entities[i]),
                        with_commas(static_cast<long long>(edges)), edges == 1 ? "edge" : "edges");
  }
  choice_ = std::move(choice);
  return text;
}

std::string Talk::offer(const std::vector<std::string>& names, Choice choice) {
  for (const std::string& near : names) choice.entities.push_back(graph::entity_named(graph(), near));
  return offer(std::move(choice));
}

std::string Talk::choose(std::size_t place) {
  if (place < 1 || place > choice_.entities.size())
    return fmt::format("A number from 1 to {}, please, or say something.\n", choice_.entities.size());
  const Choice choice = choice_;  // stays: another number may follow
  const EntityId entity = choice.entities[place - 1];
  if (choice.replaces && !earlier_.empty()) {
    now_ = std::move(earlier_.back());
    earlier_.pop_back();
  }
  if (choice.use != Use::kMention) return use_entity(choice.use, entity);
  if (answerer_) return choose_by_answerer(entity);
  question_.clear();
  State next = now_;
  next.situation.context.push_back({graph::Speaker::kUser, choice.said});
  next.situation.start = entity;
  next.placed = true;
  return turn(std::move(next));
}

// One turn of the walker: plans, says it, takes the best path, tells what is left.
std::string Talk::turn(State next, const std::string& notes) {
  if (next.situation.goal == next.situation.start) {
    next.situation.goal.reset();
    const std::string reached =
        fmt::format("{} is the goal: you have come to it yourself.\n", name(next.situation.start));
    return turn(std::move(next), notes + reached);
  }
  const Stopwatch watch;
  next.stood = now_.placed ? std::optional(now_.situation.start) : std::nullopt;
  next.found = find(next);
  const Plan plan = named(graph(), *next.found);
  const bool stands = plan.answer && stays(*plan.answer);
  const bool traced = options_.trace || !responder_;
  std::string text = !traced ? "" : stands ? answer_as_text(plan) : plan_as_text(plan);
  next.taken = kNoPath;
  if (stands || plan.paths.empty()) {
    next.turns.push_back({{"said", last_said(next.situation)}, {"from", name(next.situation.start)}});
    if (stands && next.situation.goal) stay_near_goal(next);
  } else {
    const bool led_on = next.situation.goal.has_value();
    const std::string walked = walk(next, 0);
    if (traced || led_on) text += walked;
  }
  next.turns.back()["planned_ms"] = 1000 * watch.seconds();
  const std::string spoken = speak(next, plan, 0);
  remember(std::move(next));
  return spoken + notes + text;
}

std::string Talk::walk(State& state, std::size_t taken) const {
  state.taken = taken;
  walker::Example& s = state.situation;
  const FoundPath& path = state.found->paths[taken];
  const auto& goal = state.found->goal;
  Json turn = {{"said", last_said(s)},
               {"from", name(state.found->start)},
               {"path", hops_as_json(named(graph(), path.hops))},
               {"probability", std::exp(path.log_prob)}};
  if (goal) {
    turn["goal"] = name(*goal);
    turn["distance_to_goal"] = path.distance_to_goal ? Json(*path.distance_to_goal) : Json(nullptr);
  }
  state.turns.push_back(std::move(turn));
  for (const FoundHop& hop : path.hops) s.walked.push_back(hop.triple);
  s.start = path.end();
  if (s.goal && s.goal != s.start && state.found->asked()) stay_near_goal(state);
  s.path_ends.push_back(static_cast<std::uint32_t>(s.walked.size()));
  if (s.start != path.end())
    return fmt::format("-> {}; on from {}{}\n", name(path.end()), name(s.start), distance_text(state));
  if (s.goal != s.start) return fmt::format("-> {}{}\n", name(s.start), distance_text(state));
  s.goal.reset();
  return fmt::format("-> {}: the goal is reached, {} walked. /goal NAME sets another.\n", name(s.start),
                     hops_as_text(static_cast<int>(s.walked.size())));
}

// After a question on the way the talk heads for the goal from the nearest of the answer, what was asked
// about and where it stood.
void Talk::stay_near_goal(State& state) const {
  walker::Example& s = state.situation;
  const EntityId all[] = {s.start, state.found->start, state.stood.value_or(state.found->start)};
  s.start = rl::nearest_to(*s.goal, all, distances());
}

// Where the user says nothing, a question that was answered before is not heard again.
void Talk::leave_out_answered(State& next) const {
  if (!led(next) || !now_.found || !now_.found->asked()) return;
  auto& context = next.situation.context;
  while (!context.empty() && context.back().speaker == graph::Speaker::kAssistant) context.pop_back();
  if (!context.empty()) context.pop_back();
}

std::string Talk::distance_text(const State& state) const {
  if (!state.situation.goal) return "";
  const graph::Distance hops = distances().distance(state.situation.start, *state.situation.goal);
  const std::string goal = name(*state.situation.goal);
  return hops == graph::kUnreachable ? fmt::format(", from where no path leads to {}", goal)
                                     : fmt::format(", {} left to {}", hops_as_text(hops), goal);
}

std::string Talk::name_for(Use use, std::string_view words) {
  if (words.empty()) return use == Use::kGoal ? where() : "Which entity? /from NAME\n";
  const dialogue::NameMatch match = linker_->resolve(words);
  if (match.entities.empty()) {
    if (match.nearest.empty()) return fmt::format("'{}' is not in the graph, nor anything like it.\n", words);
    return fmt::format("'{}' is not in the graph. Did you mean one of these? A number picks it.\n", words) +
           offer(match.nearest, {.use = use});
  }
  std::string text = use_entity(use, match.entities.front());
  if (match.entities.size() == 1) return text;
  text += fmt::format("{} entities are called '{}'. A number takes another:\n", match.entities.size(), words);
  return text + offer({match.entities, use, false, ""});
}

std::string Talk::use_entity(Use use, EntityId entity) {
  return use == Use::kGoal ? set_goal(entity) : stand_at(entity);
}

std::string Talk::set_goal(EntityId goal) {
  State next = now_;
  next.situation.goal = goal;
  if (!now_.placed) {
    if (graph().out_edges(goal).empty())
      return fmt::format("{} has no edges in the graph: no walk ends there. The goal stays as it was.\n",
                         name(goal));
    remember(std::move(next));
    return fmt::format("goal: {}. Name an entity to start from.\n", name(goal));
  }
  const Findings survey = planning().survey(now_.situation.start, goal);
  std::string text = goal_as_text(named(graph(), survey)) + "\n";
  if (survey.goal_standing != GoalStanding::kReachable) return text + "The goal stays as it was.\n";
  remember(std::move(next));
  return text;
}

std::string Talk::stand_at(EntityId place) {
  if (graph().out_edges(place).empty())
    return fmt::format("{} has no edges in the graph: no walk begins there.\n", name(place));
  State next = now_;
  next.situation.start = place;
  next.placed = true;
  remember(std::move(next));
  return where();
}

std::string Talk::drop_goal() {
  if (!now_.situation.goal) return "There is no goal.\n";
  State next = now_;
  next.situation.goal.reset();
  remember(std::move(next));
  return "The walk is free now.\n";
}

// Another path of the last turn in place of the one walked.
std::string Talk::take(std::string_view number) {
  if (!now_.found || now_.taken == kNoPath) return "Nothing was walked by the last answer.\n";
  const std::size_t count = now_.found->paths.size();
  const auto place = number_of(number);
  if (!place || *place < 1 || *place > count)
    return fmt::format("/take N, with N from 1 to {} (see /paths)\n", count);
  return walk_instead(*place - 1);
}

// `more`: walked by none of the planned paths, but weighed; it becomes the last of them.
std::string Talk::walk_instead(std::size_t taken, const FoundPath* more) {
  State next = now_;
  if (more != nullptr) next.found->paths.push_back(*more);
  walker::Example& s = next.situation;
  if (next.taken != kNoPath) {
    next.turns.erase(next.turns.size() - 1);
    if (responder_) s.context.pop_back();  // what was said of the other path
    s.path_ends.pop_back();
    s.walked.resize(s.path_ends.empty() ? 0 : s.path_ends.back());
  }
  s.start = now_.found->start;
  if (now_.found->goal) s.goal = now_.found->goal;
  const std::string text = walk(next, taken);
  question_.clear();
  const std::string spoken = speak(next, named(graph(), *next.found), taken);
  remember(std::move(next));
  return spoken + text;
}

std::string Talk::undo() {
  if (earlier_.empty()) return "There is nothing to take back.\n";
  now_ = std::move(earlier_.back());
  earlier_.pop_back();
  plan_again(now_);
  return where();
}

std::string Talk::forget() {
  now_ = {};
  earlier_.clear();
  choice_ = {};
  said_.clear();
  message_.reset();
  question_.clear();
  return "All that was said is deleted. Name an entity to start from.\n";
}

std::string Talk::let_talk(std::string_view words) {
  const auto turns = words.empty() ? std::optional<std::size_t>(1) : number_of(words);
  if (!turns || *turns < 1 || *turns > static_cast<std::size_t>(kMaxTurns))
    return fmt::format("/auto N, with N from 1 to {}\n", kMaxTurns);
  if (!now_.placed) return "Name an entity to start from first.\n";
  const bool led = now_.situation.goal.has_value();
  std::string text;
  for (std::size_t i = 0; i < *turns && led == now_.situation.goal.has_value(); ++i) {
    State next = now_;
    const walker::Example* const situations[] = {&now_.situation};
    std::string said = guide_->core().user().speak(situations, random_).front();
    if (!said.empty()) {
      text += "user: " + said + "\n";
      next.situation.context.push_back({graph::Speaker::kUser, std::move(said)});
    } else {
      leave_out_answered(next);
    }
    text += turn(std::move(next));
    if (now_.found->paths.empty()) break;
  }
  return text;
}

}  // namespace kgwalk
