// Dialogues between the simulated user and the assistant, as it speaks in a conversation, each from an entity
// towards a goal, and what they tell of both. Torch-free.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dialogue/response/name_check.h"
#include "kgwalk/conversation.h"
#include "kgwalk/json.h"
#include "kgwalk/progress.h"
#include "planner/conversation/talk.h"
#include "rl/environment/pairs.h"
#include "rl/simulator/user_questions.h"

namespace kgwalk {

class ShardedWork;

struct SelfPlayOptions {
  std::filesystem::path database = {}, run = {};
  // Its simulator is the user's; empty = a user who speaks by wordings.
  ConversationOptions conversation = {.paths = 1};
  int dialogues = 100;
  std::vector<int> distances = {2, 3, 4, 5};  // of start and goal, by turns
  int turns = 12;                             // of a dialogue at most
  std::string goals = "test";                 // split that they are of
  std::uint64_t seed = 1;
};

struct SelfPlayTurn {
  std::string user, assistant;  // what it asks back included
  std::string from;             // where the assistant's path begins, or stands
  Json path = Json::array();    // hops walked; empty where none were
  int left = 0;                 // hops of a shortest path to the goal, after the turn
  std::string asked;         // relation that the user asked for; empty: nothing that the bank has words for
  bool answerable = false;   // the graph says it of where the talk stood
  bool answered = false;     // the assistant named a right answer
  int names = 0, named = 0;  // of what the assistant had to say, and said
  std::vector<std::string> wrong = {};  // names that it should not have said, in any case: common words too
  bool written = false;                 // one of them as the graph writes it
  double ms = 0;                        // from what the user said to what the assistant said
};

struct SelfPlayDialogue {
  std::string start = {}, goal = {};
  int distance = 0;  // of both, in hops
  bool reached = false;
  std::vector<SelfPlayTurn> turns = {};
  // Without times: the same for the same seed.
  [[nodiscard]] Json to_json() const;
};

// All of it, times too: for parts of a batch of work.
void to_json(Json& json, const SelfPlayDialogue& dialogue);
void from_json(const Json& json, SelfPlayDialogue& dialogue);

struct SelfPlayReport {
  std::vector<SelfPlayDialogue> dialogues;  // those that were finished, in order
  int asked_for = 0;                        // dialogues
  double seconds = 0;
  int threads = 1;
  [[nodiscard]] Json to_json() const;  // of all dialogues together, without them
  [[nodiscard]] std::string to_text() const;
};

class SelfPlay {
 public:
  // Errors as Conversation::open(); ConfigError for a walker of stage 1, which heads for no goal, and for
  // numbers out of range.
  [[nodiscard]] static SelfPlay open(const SelfPlayOptions& options);

  // All threads hold dialogues. What is said depends on the seed alone. When `stop` is requested those that
  // were finished are what there is. `work` (borrowed, null = all of it is done here) is asked for each
  // dialogue.
  [[nodiscard]] SelfPlayReport run(Reporter& reporter, const StopFlag& stop,
                                   ShardedWork* work = nullptr) const;

  // For kgwalk's own sources: talks like `talk` with the guide's user.
  SelfPlay(SelfPlayOptions options, std::shared_ptr<const Guide> guide, Talk talk,
           dialogue::OrdinaryNames ordinary);

 private:
  [[nodiscard]] std::vector<rl::Pair> pairs() const;
  [[nodiscard]] SelfPlayDialogue play(const rl::Pair& pair, std::uint64_t seed) const;
  [[nodiscard]] SelfPlayTurn turn(Talk& talk, graph::EntityId goal, Random& random) const;
  void ask(SelfPlayTurn& turn, graph::EntityId about, std::vector<graph::EntityId>& right) const;
  void judge(SelfPlayTurn& turn, Talk& talk, const std::vector<graph::EntityId>& right) const;

  SelfPlayOptions options_;
  std::shared_ptr<const Guide> guide_;
  Talk talk_;
  std::unique_ptr<const rl::UserQuestions> questions_;
  std::unique_ptr<const dialogue::NameChecker> checker_;
  std::unique_ptr<const dialogue::NameIndex> names_;
};

// A page with the report and the first dialogues, both sides of each and the hops between.
[[nodiscard]] std::string self_play_as_html(const SelfPlayReport& report, std::size_t shown = 100);

}  // namespace kgwalk
