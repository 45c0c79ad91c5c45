// The commands of a conversation: lines that begin with '/'.
#include <fmt/format.h>

#include <algorithm>

#include "graph/entity_named.h"
#include "kgwalk/knowledge_graph.h"
#include "planner/conversation/conversation.h"
#include "planner/conversation/typed.h"
#include "planner/formats/plan_format.h"
#include "runtime/text.h"

namespace kgwalk {

using graph::EntityId;

constexpr std::size_t kWeighed = 8;  // candidates that /why shows

// What a command does with the words behind it.
struct Conversation::Verb {
  const char* name;
  const char* words;
  const char* help;
  bool changes;  // what was offered to choose from is over
  std::string (*run)(Conversation&, std::string_view words);
};

std::string Conversation::name_for(Use use, std::string_view words) {
  if (words.empty()) return use == Use::kGoal ? where() : "Which entity? /from NAME\n";
  const dialogue::NameMatch match = linker_.resolve(words);
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

std::string Conversation::use_entity(Use use, EntityId entity) {
  return use == Use::kGoal ? set_goal(entity) : stand_at(entity);
}

std::string Conversation::set_goal(EntityId goal) {
  State next = now_;
  next.situation.goal = goal;
  if (!now_.placed) {
    if (graph().out_edges(goal).empty())
      return fmt::format("{} has no edges in the graph: no walk ends there. The goal stays as it was.\n",
                         name(goal));
    remember(std::move(next));
    return fmt::format("goal: {}. Name an entity to start from.\n", name(goal));
  }
  const Plan survey = guide_.planner().survey(name(now_.situation.start), name(goal));
  std::string text = goal_as_text(survey) + "\n";
  if (survey.goal_standing != GoalStanding::kReachable) return text + "The goal stays as it was.\n";
  remember(std::move(next));
  return text;
}

std::string Conversation::stand_at(EntityId place) {
  if (graph().out_edges(place).empty())
    return fmt::format("{} has no edges in the graph: no walk begins there.\n", name(place));
  State next = now_;
  next.situation.start = place;
  next.placed = true;
  remember(std::move(next));
  return where();
}

std::string Conversation::drop_goal() {
  if (!now_.situation.goal) return "There is no goal.\n";
  State next = now_;
  next.situation.goal.reset();
  remember(std::move(next));
  return "The walk is free now.\n";
}

// Another path of the last turn in place of the one walked.
std::string Conversation::take(std::string_view number) {
  if (!now_.plan) return "Nothing was planned yet.\n";
  const std::size_t count = now_.plan->paths.size();
  const auto place = number_of(number);
  if (!place || *place < 1 || *place > count)
    return fmt::format("/take N, with N from 1 to {} (see /paths)\n", count);
  State next = now_;
  walker::Example& s = next.situation;
  next.turns.erase(next.turns.size() - 1);
  s.path_ends.pop_back();
  s.walked.resize(s.path_ends.empty() ? 0 : s.path_ends.back());
  s.start = graph::entity_named(graph(), now_.plan->request.start);
  if (now_.plan->request.goal) s.goal = graph::entity_named(graph(), *now_.plan->request.goal);
  std::string text = walk(next, *place - 1);
  remember(std::move(next));
  return text;
}

std::string Conversation::undo() {
  if (earlier_.empty()) return "There is nothing to take back.\n";
  now_ = std::move(earlier_.back());
  earlier_.pop_back();
  return where();
}

std::string Conversation::let_talk(std::string_view words) {
  const auto turns = words.empty() ? std::optional<std::size_t>(1) : number_of(words);
  if (!turns || *turns < 1 || *turns > static_cast<std::size_t>(kMaxTurns))
    return fmt::format("/auto N, with N from 1 to {}\n", kMaxTurns);
  if (!now_.placed) return "Name an entity to start from first.\n";
  const bool led = now_.situation.goal.has_value();
  std::string text;
  for (std::size_t i = 0; i < *turns && led == now_.situation.goal.has_value(); ++i) {
    State next = now_;
    const walker::Example* const situations[] = {&now_.situation};
    std::string said = guide_.user().speak(situations, random_).front();
    if (!said.empty()) {
      text += "user: " + said + "\n";
      next.situation.context.push_back({graph::Speaker::kUser, std::move(said)});
    }
    text += turn(std::move(next));
    if (now_.plan->paths.empty()) break;
  }
  return text;
}

std::string Conversation::paths() const {
  return now_.plan ? plan_as_text(*now_.plan) : std::string("Nothing was planned yet.\n");
}

std::string Conversation::why() const {
  if (!now_.plan || now_.plan->paths.empty()) return "Nothing was planned yet.\n";
  const PlanBranch& branch = now_.plan->branches.front();
  const auto& goal = now_.plan->request.goal;
  std::string text = fmt::format("At {} the walker weighed {} edges", branch.at, branch.num_candidates);
  if (goal) text += " towards " + *goal;
  text += fmt::format("; stopping there had {:.1f} %:\n", 100 * branch.stop_probability);
  const PlannedHop& taken = now_.plan->paths[now_.taken].hops.front();
  for (std::size_t i = 0; i < std::min(kWeighed, branch.candidates.size()); ++i) {
    const PlannedHop& hop = branch.candidates[i];
    const bool chosen = hop.relation == taken.relation && hop.tail == taken.tail;
    text += fmt::format("{} {:6.2f} %  -[{}]-> {}", chosen ? "->" : "  ", 100 * hop.probability, hop.relation,
                        hop.tail);
    if (goal) {
      const graph::Distance left = guide_.index().distance(graph::entity_named(graph(), hop.tail),
                                                           graph::entity_named(graph(), *goal));
      text += left == graph::kUnreachable ? "   no path to goal" : fmt::format("   {} to goal", left);
    }
    text += '\n';
  }
  return text;
}

std::string Conversation::where() const {
  const auto& s = now_.situation;
  if (!now_.placed)
    return s.goal ? fmt::format("goal: {}. Name an entity to start from.\n", name(*s.goal))
                  : std::string("Nowhere yet, and no goal. Name an entity to start from.\n");
  return fmt::format("at {}{}\n", name(s.start), s.goal ? distance_text(now_) : std::string("; no goal"));
}

std::string Conversation::command(std::string_view line) {
  static const Verb kVerbs[] = {
      {"goal", "[NAME]", "head for an entity; without a name, tell how far it is", true,
       [](Conversation& c, std::string_view w) { return c.name_for(Use::kGoal, w); }},
      {"nogoal", "", "walk freely again", true,
       [](Conversation& c, std::string_view) { return c.drop_goal(); }},
      {"from", "NAME", "go and stand on an entity", true,
       [](Conversation& c, std::string_view w) { return c.name_for(Use::kPlace, w); }},
      {"paths", "", "the paths planned at the last turn", false,
       [](Conversation& c, std::string_view) { return c.paths(); }},
      {"take", "N", "walk the N-th of them instead", true,
       [](Conversation& c, std::string_view w) { return c.take(w); }},
      {"why", "", "what the walker weighed at the last turn", false,
       [](Conversation& c, std::string_view) { return c.why(); }},
      {"auto", "[N]", "N turns in which the simulated user speaks for you", true,
       [](Conversation& c, std::string_view w) { return c.let_talk(w); }},
      {"where", "", "where the walk stands", false,
       [](Conversation& c, std::string_view) { return c.where(); }},
      {"undo", "", "take the last step back", true,
       [](Conversation& c, std::string_view) { return c.undo(); }},
      {"quit", "", "end", false, [](Conversation&, std::string_view) { return std::string(); }},
      {"help", "", "this list", false, nullptr}};
  const std::size_t space = line.find_first_of(" \t");
  const std::string_view word = line.substr(1, space == std::string_view::npos ? space : space - 1);
  const std::string_view rest =
      space == std::string_view::npos ? std::string_view() : trimmed(line.substr(space));
  std::vector<std::string> names;
  std::string list = "Say anything; an entity that you name is where the walk goes on.\n";
  for (const Verb& verb : kVerbs) {
    if (verb.run != nullptr && word == verb.name) {
      if (verb.changes) choice_ = {};
      return verb.run(*this, rest);
    }
    names.emplace_back(verb.name);
    list += fmt::format("  /{:<14} {}\n", fmt::format("{} {}", verb.name, verb.words), verb.help);
  }
  if (word == "help") return list;
  return fmt::format("There is no command /{}{}; /help lists them.\n", word, did_you_mean(word, names));
}

}  // namespace kgwalk
