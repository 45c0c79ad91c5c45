// A conversation with the planner, line by line: what is typed is linked against the graph, paths are planned
// from there, the best one is walked, and the distance left to the goal is told. Commands begin with '/'. No
// input or output of its own: cli/chat.cc, tests and other front ends pass lines in and show what comes back.
// No torch in this header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/linking/entity_linker.h"
#include "kgwalk/guide.h"
#include "kgwalk/planner.h"
#include "runtime/config.h"
#include "runtime/random.h"
#include "walker/example.h"

namespace kgwalk {

struct ConversationOptions {
  int paths = 3;           // shown a turn, 1 to beam
  int beam = 25;           // 1 to 100000
  int max_hops = 2;        // of a path; a walker of stage 2 that has a goal takes one hop a turn
  std::uint64_t seed = 1;  // of what the simulated user says
};

class Conversation {
 public:
  // Guide and linker are borrowed. Options out of range: ConfigError at the first turn.
  Conversation(const Guide& guide, const dialogue::EntityLinker& linker, const ConversationOptions& options);

  struct Reply {
    std::string text;   // whole lines
    bool over = false;  // the conversation has ended
  };
  // A line that cannot be followed is answered with why and what to do instead; then nothing has changed.
  [[nodiscard]] Reply answer(std::string_view line);
  [[nodiscard]] std::string welcome() const;
  // What was said and walked, turn by turn, and the goal.
  [[nodiscard]] Json transcript() const;

 private:
  struct State {                // what a line changes; earlier ones are kept for /undo
    walker::Example situation;  // start = the entity stood on
    bool placed = false;        // `start` means something
    std::optional<Plan> plan;   // of the last turn
    std::size_t taken = 0;      // which of its paths was walked
    Json turns = Json::array();
  };
  enum class Use { kGoal, kPlace, kMention };
  struct Choice {  // entities that a number picks from
    std::vector<graph::EntityId> entities = {};
    Use use = Use::kPlace;
    bool replaces = false;  // one was taken already: take that back
    std::string said = {};  // of a mention: say it again
  };
  struct Verb;

  std::string command(std::string_view line);
  std::string hear(std::string_view text);
  std::string take_up(const dialogue::LinkedText& linked, std::string_view text, State& next);
  std::string turn(State next);
  std::string walk(State& state, std::size_t taken) const;
  std::string choose(std::string_view number);
  std::string name_for(Use use, std::string_view name);
  std::string use_entity(Use use, graph::EntityId entity);
  std::string set_goal(graph::EntityId goal);
  std::string stand_at(graph::EntityId place);
  std::string drop_goal();
  std::string take(std::string_view number);
  std::string undo();
  std::string let_talk(std::string_view turns);
  [[nodiscard]] std::string paths() const;
  [[nodiscard]] std::string why() const;
  [[nodiscard]] std::string where() const;

  std::string offer(Choice choice);
  std::string offer(const std::vector<std::string>& names, Choice choice);
  void remember(State next);
  [[nodiscard]] std::string name(graph::EntityId entity) const;
  [[nodiscard]] std::string distance_text(const State& state) const;
  [[nodiscard]] Plan plan_from(const walker::Example& situation) const;
  [[nodiscard]] const graph::KnowledgeGraph& graph() const { return guide_.planner().graph(); }

  const Guide& guide_;
  const dialogue::EntityLinker& linker_;
  ConversationOptions options_;
  Random random_;
  State now_;
  std::vector<State> earlier_;
  Choice choice_;
};

}  // namespace kgwalk
