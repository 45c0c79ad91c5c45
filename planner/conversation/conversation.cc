#include "planner/conversation/conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "planner/conversation/typed.h"
#include "planner/formats/plan_format.h"
#include "planner/formats/plan_parts.h"
#include "planner/planning.h"
#include "runtime/text.h"

namespace kgwalk {
namespace {

using graph::EntityId;

constexpr std::size_t kOffered = 8;  // entities to choose from

Json turn_json(const Plan& plan, const PlannedPath& path) {
  const auto& history = plan.request.history;
  Json json = {{"said", history.empty() ? "" : history.back().text},
               {"from", plan.request.start},
               {"path", hops_as_json(path.hops)},
               {"probability", std::exp(path.log_prob)}};
  if (!plan.request.goal) return json;
  json["goal"] = *plan.request.goal;
  json["distance_to_goal"] = path.distance_to_goal ? Json(*path.distance_to_goal) : Json(nullptr);
  return json;
}

}  // namespace

Conversation::Conversation(const Guide& guide, const dialogue::EntityLinker& linker,
                           const ConversationOptions& options)
    : guide_(guide), linker_(linker), options_(options), random_(options.seed, 31) {}

std::string Conversation::name(EntityId entity) const { return std::string(graph().entity_name(entity)); }

Plan Conversation::plan_from(const walker::Example& situation) const {
  const bool led = situation.goal && guide_.planner().stage() == Planner::Stage::kTwo;
  return PlanAccess::explain(guide_.planner(), situation,
                             {options_.paths, options_.beam, led ? 1 : options_.max_hops});
}

void Conversation::remember(State next) { earlier_.push_back(std::exchange(now_, std::move(next))); }

std::string Conversation::welcome() const {
  std::string text =
      fmt::format("{} entities, {} relations. Name one in what you say; /help lists the commands.\n",
                  with_commas(graph().num_connected()), with_commas(graph().num_relations()));
  if (guide_.planner().stage() == Planner::Stage::kOne)
    text += "This walker is of stage 1: it does not head for goals, it only tells the distance to them.\n";
  return text;
}

Conversation::Reply Conversation::answer(std::string_view line) {
  line = trimmed(line);
  if (line.empty()) return {};
  if (line == "/quit" || line == "/exit") return {"", true};
  try {
    if (line.front() == '/') return {command(line)};
    if (!choice_.entities.empty() && number_of(line)) return {choose(line)};
    return {hear(line)};
  } catch (const ConfigError& error) {
    return {std::string(error.what()) + "\n"};
  }
}

std::string Conversation::hear(std::string_view text) {
  choice_ = {};
  const dialogue::LinkedText linked =
      linker_.link(text, now_.placed ? std::optional(now_.situation.start) : std::nullopt);
  State next = now_;
  next.situation.context.push_back({graph::Speaker::kUser, std::string(text)});
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

// Stands on what was named last, other than where the walk is already; tells what else was named.
std::string Conversation::take_up(const dialogue::LinkedText& linked, std::string_view text, State& next) {
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

std::string Conversation::offer(Choice choice) {
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

std::string Conversation::offer(const std::vector<std::string>& names, Choice choice) {
  for (const std::string& near : names) choice.entities.push_back(graph::entity_named(graph(), near));
  return offer(std::move(choice));
}

std::string Conversation::choose(std::string_view number) {
  const std::size_t place = *number_of(number);
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
std::string Conversation::turn(State next) {
  if (next.situation.goal == next.situation.start) {
    next.situation.goal.reset();
    const std::string reached =
        fmt::format("{} is the goal: you have come to it yourself.\n", name(next.situation.start));
    return reached + turn(std::move(next));
  }
  next.plan = plan_from(next.situation);
  std::string text = plan_as_text(*next.plan);
  if (!next.plan->paths.empty()) text += walk(next, 0);
  remember(std::move(next));
  return text;
}

std::string Conversation::walk(State& state, std::size_t taken) const {
  state.taken = taken;
  walker::Example& s = state.situation;
  const PlannedPath& path = state.plan->paths[taken];
  state.turns.push_back(turn_json(*state.plan, path));
  for (const PlannedHop& hop : path.hops) {
    const EntityId tail = graph::entity_named(graph(), hop.tail);
    s.walked.push_back({s.start, *graph().find_relation(hop.relation), tail});
    s.start = tail;
  }
  s.path_ends.push_back(static_cast<std::uint32_t>(s.walked.size()));
  if (s.goal != s.start) return fmt::format("-> {}{}\n", name(s.start), distance_text(state));
  s.goal.reset();
  return fmt::format("-> {}: the goal is reached, {} walked. /goal NAME sets another.\n", name(s.start),
                     hops_as_text(static_cast<int>(s.walked.size())));
}

std::string Conversation::distance_text(const State& state) const {
  if (!state.situation.goal) return "";
  const graph::Distance hops = guide_.index().distance(state.situation.start, *state.situation.goal);
  const std::string goal = name(*state.situation.goal);
  return hops == graph::kUnreachable ? fmt::format(", from where no path leads to {}", goal)
                                     : fmt::format(", {} left to {}", hops_as_text(hops), goal);
}

Json Conversation::transcript() const {
  const auto& goal = now_.situation.goal;
  return {{"turns", now_.turns}, {"goal", goal ? Json(name(*goal)) : Json(nullptr)}};
}

}  // namespace kgwalk
