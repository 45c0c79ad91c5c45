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
#include "runtime/text.h"

namespace kgwalk {
namespace {

using graph::EntityId;

constexpr std::size_t kOffered = 8;  // entities to choose from
constexpr std::size_t kWeighed = 8;  // candidates that /why shows

// Nothing is walked to say yes or no, or that the graph does not say.
bool stays(const PlanAnswer& answer) {
  return answer.kind == AnswerKind::kYes || answer.kind == AnswerKind::kNo ||
         answer.kind == AnswerKind::kNotSaid;
}

}  // namespace

Talk::Talk(std::shared_ptr<const Guide> guide, std::shared_ptr<const dialogue::EntityLinker> linker,
           ConversationOptions options)
    : guide_(std::move(guide)),
      linker_(std::move(linker)),
      options_(std::move(options)),
      random_(options_.seed, 31) {}

Talk Talk::another(std::uint64_t seed) const {
  ConversationOptions options = options_;
  options.seed = seed;
  return {guide_, linker_, std::move(options)};
}

std::string Talk::name(EntityId entity) const { return std::string(graph().entity_name(entity)); }

SearchWidths Talk::widths(const State& state) const {
  const bool led = state.situation.goal && planning().stage() == Planner::Stage::kTwo;
  return {.k = options_.paths, .beam = options_.beam, .max_hops = led ? 1 : options_.max_hops};
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
  const dialogue::LinkedText linked =
      linker_->link(text, now_.placed ? std::optional(now_.situation.start) : std::nullopt);
  State next = now_;
  next.situation.context.push_back({graph::Speaker::kUser, std::string(text)});
  if (linked.unknown.empty() && listen(linked, next))
    return notes_on(linked, text, next) + turn(std::move(next));
  if (!linked.mentions.empty()) {
    const std::string notes = take_up(linked, text, next);
    return notes + turn(std::move(next));
  }
  std::string notes;
  const auto nearest = linked.unknown.empty() ? std::vector<std::string>{} : linked.unknown.front().nearest;
  for (const dialogue::UnknownName& unknown : linked.unknown)
    notes += fmt::format("I know no '{}'.\n", unknown.text);
  if (now_.placed) {
    if (nearest.empty()) return turn(std::move(next));
    notes += turn(std::move(next)) + "Or did you mean one of these? A number turns there.\n";
    return notes + offer(nearest, {.use = Use::kMention, .replaces = true, .said = std::string(text)});
  }
  remember(std::move(next));
  if (nearest.empty())
    return "I found no entity of the graph in that. Name one, or give it with /from NAME.\n";
  return notes + "Did you mean one of these? A number picks it.\n" +
         offer(nearest, {.use = Use::kMention, .replaces = true, .said = std::string(text)});
}

// Stands where a walker that listens would start from; false when it finds nowhere, or does not listen.
bool Talk::listen(const dialogue::LinkedText& linked, State& next) const {
  const std::vector<walker::ChosenStart> starts = planning().starts(next.situation);
  // Where nothing new was named the walk may go on from where it was put by hand.
  if (starts.empty() || (linked.mentions.empty() && now_.placed && now_.turns.empty())) return false;
  next.situation.start = starts.front().entity;
  next.placed = true;
  return true;
}

// What else may have been meant by a name that is started from.
std::string Talk::notes_on(const dialogue::LinkedText& linked, std::string_view text, const State& next) {
  for (const dialogue::LinkedMention& mention : linked.mentions) {
    const auto& all = mention.entities;
    if (all.size() < 2 || std::find(all.begin(), all.end(), next.situation.start) == all.end()) continue;
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
  const bool in_full = fold_name(taken->text) == fold_name(best) && dialogue::plain_name(best) != best;
  if (taken->entities.size() > 1 && !in_full) {
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
  State next = now_;
  next.situation.context.push_back({graph::Speaker::kUser, choice.said});
  next.situation.start = entity;
  next.placed = true;
  return turn(std::move(next));
}

// One turn of the walker: plans, takes the best path, tells what is left.
std::string Talk::turn(State next) {
  if (next.situation.goal == next.situation.start) {
    next.situation.goal.reset();
    const std::string reached =
        fmt::format("{} is the goal: you have come to it yourself.\n", name(next.situation.start));
    return reached + turn(std::move(next));
  }
  next.found = planning().plan(next.situation, widths(next));
  const Plan plan = named(graph(), *next.found);
  if (plan.answer && stays(*plan.answer)) {
    next.turns.push_back(
        {{"said", next.situation.context.back().text}, {"from", name(next.situation.start)}});
    next.taken = kNoPath;
    std::string text = answer_as_text(plan);
    remember(std::move(next));
    return text;
  }
  std::string text = plan_as_text(plan);
  if (!next.found->paths.empty()) text += walk(next, 0);
  remember(std::move(next));
  return text;
}

std::string Talk::walk(State& state, std::size_t taken) const {
  state.taken = taken;
  walker::Example& s = state.situation;
  const FoundPath& path = state.found->paths[taken];
  const auto& goal = state.found->goal;
  Json turn = {{"said", s.context.empty() ? "" : s.context.back().text},
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
  if (s.goal && state.found->answer && state.found->answer->act != walker::Act::kNothing)
    stay_near_goal(state);
  s.path_ends.push_back(static_cast<std::uint32_t>(s.walked.size()));
  if (s.goal != s.start) return fmt::format("-> {}{}\n", name(s.start), distance_text(state));
  s.goal.reset();
  return fmt::format("-> {}: the goal is reached, {} walked. /goal NAME sets another.\n", name(s.start),
                     hops_as_text(static_cast<int>(s.walked.size())));
}

// After a question on the way the talk heads for the goal from the better of both ends.
void Talk::stay_near_goal(State& state) const {
  walker::Example& s = state.situation;
  const graph::Distance there = index().distance(s.start, *s.goal),
                        here = index().distance(state.found->start, *s.goal);
  if (here < there) s.start = state.found->start;
}

std::string Talk::distance_text(const State& state) const {
  if (!state.situation.goal) return "";
  const graph::Distance hops = index().distance(state.situation.start, *state.situation.goal);
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
    s.path_ends.pop_back();
    s.walked.resize(s.path_ends.empty() ? 0 : s.path_ends.back());
  }
  s.start = now_.found->start;
  if (now_.found->goal) s.goal = now_.found->goal;
  std::string text = walk(next, taken);
  remember(std::move(next));
  return text;
}

std::string Talk::undo() {
  if (earlier_.empty()) return "There is nothing to take back.\n";
  now_ = std::move(earlier_.back());
  earlier_.pop_back();
  plan_again(now_);
  return where();
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
    }
    text += turn(std::move(next));
    if (now_.found->paths.empty()) break;
  }
  return text;
}

std::string Talk::paths() const {
  return now_.found ? plan_as_text(named(graph(), *now_.found)) : std::string("Nothing was planned yet.\n");
}

// How sure the walker is that something is asked for, and of what.
std::string Talk::heard_text(const Findings& found) const {
  const walker::Hearing& heard = found.answer->hearing;
  std::string text = fmt::format("A fact is asked for with {:.1f} %", 100 * heard.asks());
  if (heard.asks() >= 0.05) {
    for (std::size_t i = 0; i < std::min<std::size_t>(3, heard.present.size()); ++i)
      text +=
          fmt::format("{} {} {:.1f} %", i == 0 ? ":" : ",", graph().relation_name(heard.present[i].relation),
                      100 * heard.present[i].probability);
    text += fmt::format("; that {} has none of it: {:.1f} %", name(found.start), 100 * heard.missing);
  }
  text += ". Otherwise habit decides.\n";
  return text;
}

std::string Talk::why() const {
  if (!now_.found || now_.found->paths.empty()) return "Nothing was planned yet.\n";
  const FoundBranch& branch = now_.found->branches.front();
  const auto& goal = now_.found->goal;
  std::string text = fmt::format("At {} the walker weighed {} edges", name(branch.at), branch.num_candidates);
  if (goal) text += " towards " + name(*goal);
  text += fmt::format("; stopping there had {:.1f} %:\n", 100 * branch.stop_probability);
  if (now_.found->answer) text = heard_text(*now_.found) + text;
  const graph::Triple taken =
      now_.taken == kNoPath ? graph::Triple{} : now_.found->paths[now_.taken].hops.front().triple;
  for (std::size_t i = 0; i < std::min(kWeighed, branch.candidates.size()); ++i) {
    const auto& [hop, probability] = branch.candidates[i];
    text += fmt::format("{} {:6.2f} %  -[{}]-> {}", now_.taken != kNoPath && hop == taken ? "->" : "  ",
                        100 * probability, graph().relation_name(hop.relation), name(hop.tail));
    if (goal) {
      const graph::Distance left = index().distance(hop.tail, *goal);
      text += left == graph::kUnreachable ? "   no path to goal" : fmt::format("   {} to goal", left);
    }
    text += '\n';
  }
  return text;
}

std::string Talk::where() const {
  const auto& s = now_.situation;
  if (!now_.placed)
    return s.goal ? fmt::format("goal: {}. Name an entity to start from.\n", name(*s.goal))
                  : std::string("Nowhere yet, and no goal. Name an entity to start from.\n");
  return fmt::format("at {}{}\n", name(s.start), s.goal ? distance_text(now_) : std::string("; no goal"));
}

Json Talk::transcript() const {
  const auto& goal = now_.situation.goal;
  return {{"turns", now_.turns}, {"goal", goal ? Json(name(*goal)) : Json(nullptr)}};
}

}  // namespace kgwalk
