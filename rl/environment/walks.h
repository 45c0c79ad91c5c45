// Walks towards goals without learning: whole episodes under any way of choosing hops, and how natural the
// stage-1 walker finds them. Torch-free.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/progress.h"
#include "rl/environment/environment.h"
#include "rl/environment/pairs.h"
#include "rl/environment/route_rules.h"
#include "rl/environment/side_questions.h"
#include "walker/model.h"

namespace kgwalk {
class ShardedWork;
}

namespace kgwalk::rl {

// One hop for each situation, an out-edge of where it stands; nullopt where nothing may be entered: the walk
// ends.
using Chooser =
    std::function<std::vector<std::optional<graph::Edge>>(std::span<const walker::Example* const>)>;

// The most probable hop that the rules of a route allow, or of hubs too where those allow none; never stops,
// never looks further than its candidates. `model` is borrowed.
[[nodiscard]] Chooser greedy(const walker::WalkModel& model, const RouteConfig& route = {});
// A shortest path, each next hop drawn evenly among the edges that come nearer: what search would
// do. Drawn for each pair and hop by itself, whatever is walked beside it. Graph and distances are borrowed.
[[nodiscard]] Chooser shortest(const graph::KnowledgeGraph& graph, const graph::ExactDistances& distances,
                               std::uint64_t seed);

// A shortest path again, each next hop the one that `model`, with the goal hidden, finds most probable among
// the edges that come nearer: how natural a walk can be that wastes no hop. All borrowed.
[[nodiscard]] Chooser natural_shortest(const walker::WalkModel& model,
                                       const graph::ExactDistances& distances);

// Log-probabilities of the first hop from each example's start among the out-edges alone, in their order;
// stopping, the last of each segment, is left as the model has it.
[[nodiscard]] walker::CandidateScores first_hop_scores(const walker::WalkModel& model,
                                                       std::span<const walker::Example> examples);

// Log-probability of each hop by `model` in that situation with the goal hidden, among the out-edges alone.
[[nodiscard]] std::vector<float> hop_log_probs(const walker::WalkModel& model,
                                               std::span<const walker::Example* const> situations,
                                               std::span<const graph::Edge> hops);

// A question on the way, as it went.
struct AskedOnTheWay {
  std::string question;
  graph::EntityId stood = 0, about = 0;          // where the walk stood, what was asked about
  bool heard = false;                            // as a question
  bool right = false;                            // the answer is one of the right ones
  std::optional<graph::EntityId> answered = {};  // where something was named
  graph::EntityId on_from = 0;                   // where the walk went on from
};

struct Walk {
  Episode episode;
  double log_prob = 0;  // sum over its hops, by the stage-1 walker; 0 without one
  bool stuck = false;   // nothing that it might have entered was left
  // Their turns are no hops of the episode: the walker answers, and goes on from the nearest to the goal of
  // where it stood, what was asked about and the answer. A question that was not heard costs no turn.
  std::vector<AskedOnTheWay> asked = {};
  [[nodiscard]] bool reached() const { return episode.distance == 0; }
};

// Without what was said (rl/environment/walk_json.cc).
void to_json(Json& json, const Walk& walk);
void from_json(const Json& json, Walk& walk);

// What asks questions on the way; all borrowed.
struct Asking {
  double share = 0;  // of the turns, from 0 to below 1
  const SideQuestions* questions = nullptr;
  const walker::WalkModel* answers = nullptr;  // one that listens
  int max_hops = 2;                            // of a way to an answer
};

struct WalkConfig {
  double budget =
      2;  // hops allowed: budget times the distance and `extra`, at least the distance and `slack`
  int slack = 2;
  int extra = 0;
  int batch = 64;  // episodes at once
  Asking asking = {};
  ShardedWork* work = nullptr;  // asked for each batch; borrowed, null = all of it is done here
};

// A walk for each pair, in order; of a shard those of its batches alone. `stage1` may be null. Stopped when
// asked to stop. ConfigError when questions are asked of a walker that does not listen.
[[nodiscard]] std::vector<Walk> walk_pairs(std::span<const Pair> pairs, const Chooser& choose,
                                           const UserVoice& user, const graph::ExactDistances& distances,
                                           const walker::WalkModel* stage1, const WalkConfig& config,
                                           std::uint64_t seed, Reporter& reporter = silent_reporter(),
                                           const StopFlag& stop = never_stop());

}  // namespace kgwalk::rl
