// The world of stage 2 (thesis 5.3.4): many dialogues at once over the knowledge graph. Each turn the user
// says something about the entity stood on, the walker takes one hop, and is rewarded when it is nearer to
// the goal than before, by exact distances. Torch-free.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/distances.h"
#include "kgwalk/knowledge_graph.h"
#include "rl/environment/pairs.h"
#include "rl/environment/user_voice.h"
#include "runtime/config.h"
#include "walker/example.h"

namespace kgwalk::rl {

// What a rewarded hop comes nearer than: the best of the episode, or the distance before it.
enum class Nearer { kBest, kPrevious };
constexpr auto choice_names(Nearer) { return choices_in_order<Nearer>("best", "previous"); }

struct RewardConfig {
  Choice<Nearer> than = Nearer::kBest;  // nearer than "previous" (the thesis' d_t < d_{t-1}) or than "best"
                                        // of the episode, under which going to and fro earns nothing
  double goal = 1;                      // added when the goal is reached
  double naturalness = 0;               // w: the reward of a hop is (1 - w) nearer + w natural
  double natural_scale = 10;            // natural = log p / scale: p of the stage-1 walker for the hop. Never
                                        // positive: a detour must not pay for itself
  int natural_after = 0;  // turns before naturalness counts; its weight then rises to w in as many turns. A
                          // walker that finds no goal yet learns nothing from how natural it is
  template <class F>
  void fields(F& f) {
    f("than", than,
      "A hop is rewarded when it comes nearer to the goal than the best distance so far, or "
      "than the previous one.");
    f("goal", goal, "Extra reward for reaching the goal.").range(0, 100);
    f("naturalness", naturalness, "Weight of naturalness against nearness in the reward, from 0 to 1.")
        .range(0, 1);
    f("natural_scale", natural_scale, "Log-probability of stage 1 at which a hop counts as wholly unnatural.")
        .range(0.01, 1000);
    f("natural_after", natural_after,
      "Turns before naturalness counts, and over which its weight then rises.")
        .range(0, 1e9);
  }
};

struct EnvironmentConfig {
  int episodes = 128;                                  // dialogues in parallel
  std::vector<int> distances = {1, 2, 3, 4, 5, 6, 7};  // of start and goal in training
  double budget = 2;                                   // hops allowed: budget times the distance, and slack
  int slack = 2;
  RewardConfig reward;
  template <class F>
  void fields(F& f) {
    f("episodes", episodes, "Number of dialogues that run in parallel.").range(1, 1e5);
    f("distances", distances, "Distances of start and goal that episodes are drawn from, in hops.");
    f("budget", budget, "Hops that an episode may take, as a multiple of its distance.").range(1, 100);
    f("slack", slack, "Hops that an episode may take beyond budget times its distance.").range(0, 1000);
    f("reward", reward, "What is rewarded.");
  }
};

// One dialogue on its way. `situation` is what the walker sees: start = entity stood on, walked = all hops so
// far (one path a turn), context = what the user said, goal.
struct Episode {
  Pair pair;
  walker::Example situation;
  int hops = 0;
  graph::Distance distance = 0;  // of the entity stood on to the goal
  graph::Distance best = 0;      // least distance so far
};

struct HopOutcome {
  bool nearer = false;   // than RewardConfig::than says
  bool reached = false;  // stands on the goal
  bool ended = false;    // reached, or out of hops: the episode has been replaced by a fresh one
  double reward = 0;
};

// Begins an episode; takes a hop in it. Shared by training, evaluation and planning.
[[nodiscard]] Episode begin_episode(const Pair& pair);
void take_hop(Episode& episode, const graph::Edge& edge, const graph::ExactDistances& distances);
// The user speaks in each situation; what is said joins its context. Nothing joins when nothing is said.
void let_user_speak(std::span<Episode* const> episodes, const UserVoice& user, Random& random);

class Environment {
 public:
  // Graph, distances and user are borrowed and must outlive this object. Episodes begin with the
  // user having spoken.
  Environment(const graph::KnowledgeGraph& graph, const graph::ExactDistances& distances,
              const UserVoice& user, const EnvironmentConfig& config, std::uint64_t seed);

  [[nodiscard]] std::size_t size() const { return episodes_.size(); }
  [[nodiscard]] std::vector<const walker::Example*> situations() const;
  [[nodiscard]] const std::vector<Episode>& episodes() const { return episodes_; }
  // Hops that episode i may still take.
  [[nodiscard]] int hops_left(std::size_t i) const;

  // One hop an episode: choices[i] must be an out-edge of where it stands. natural[i]: log-probability of
  // that hop by the stage-1 walker; may be empty when naturalness has no weight. Ended episodes begin anew;
  // then the users speak.
  std::vector<HopOutcome> step(std::span<const graph::Edge> choices, std::span<const float> natural);

  // Everything that decides what comes next, episodes included.
  [[nodiscard]] Json state() const;
  void set_state(const Json& state);

 private:
  [[nodiscard]] double weight_of_naturalness() const;  // in this turn
  [[nodiscard]] int budget_of(const Episode& episode) const;
  void prepare_goals() const;  // what episodes will ask for
  void speak();

  const graph::KnowledgeGraph& graph_;
  const graph::ExactDistances& distances_;
  const UserVoice& user_;
  EnvironmentConfig config_;
  PairStream pairs_;
  Random random_;
  std::vector<Episode> episodes_;
  std::int64_t turns_ = 0;
};

}  // namespace kgwalk::rl
