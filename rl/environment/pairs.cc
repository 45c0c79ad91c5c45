#include "rl/environment/pairs.h"

#include <algorithm>
#include <array>
#include <string>

#include "kgwalk/error.h"

namespace kgwalk::rl {
namespace {

using graph::Distance;
using graph::EntityId;

constexpr std::size_t kBlock = 256;         // goals whose rows are made together
constexpr std::size_t kPool = 2048;         // pairs drawn at a time
constexpr std::size_t kMaxGoals = 1 << 16;  // of a stream: as many rows are made once, some seconds
constexpr std::array<std::string_view, 3> kSplitNames{"train", "dev", "test"};

// FNV-1a: the same on every machine, and independent of ids.
std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash ^ (hash >> 32);
}

std::vector<EntityId> goals_of(const graph::KnowledgeGraph& graph, GoalSplit split) {
  std::vector<EntityId> goals;
  for (EntityId e = 0; e < graph.num_connected(); ++e)
    if (goal_split(graph, e) == split) goals.push_back(e);
  return goals;
}

// Vertices of a row by distance.
struct ByDistance {
  std::array<std::vector<EntityId>, 256> at;
  explicit ByDistance(std::span<const Distance> row, const std::vector<int>& wanted) {
    std::array<bool, 256> is_wanted{};
    for (const int d : wanted) is_wanted[static_cast<std::size_t>(d)] = true;
    for (EntityId v = 0; v < row.size(); ++v)
      if (is_wanted[row[v]]) at[row[v]].push_back(v);
  }
};

std::span<const Distance> row_of(const std::vector<Distance>& rows, std::size_t i,
                                 const graph::KnowledgeGraph& graph) {
  return {rows.data() + i * graph.num_connected(), graph.num_connected()};
}

void check_distances(const std::vector<int>& distances) {
  if (distances.empty()) throw ConfigError("no distance of start and goal is given");
  for (const int d : distances)
    if (d < 1 || d >= graph::kUnreachable)
      throw ConfigError("distance " + std::to_string(d) + " of start and goal must be from 1 to 254");
}

}  // namespace

GoalSplit goal_split(const graph::KnowledgeGraph& graph, EntityId goal) {
  const std::uint64_t tenth = hash_of(graph.entity_name(goal)) % 10;
  return tenth == 0 ? GoalSplit::kTest : tenth == 1 ? GoalSplit::kDev : GoalSplit::kTrain;
}

std::string_view name_of(GoalSplit split) { return kSplitNames[static_cast<std::size_t>(split)]; }

GoalSplit goal_split_named(std::string_view name) {
  for (std::size_t i = 0; i < kSplitNames.size(); ++i)
    if (name == kSplitNames[i]) return static_cast<GoalSplit>(i);
  throw ConfigError("goals are split into 'train', 'dev' and 'test'; '" + std::string(name) +
                    "' is none of them");
}

PairSample sample_pairs(const graph::KnowledgeGraph& graph, GoalSplit split,
                        const std::vector<int>& distances, int count, std::uint64_t seed) {
  check_distances(distances);
  PairSample sample;
  sample.pairs.resize(distances.size());
  sample.infeasible.resize(distances.size());
  for (EntityId e = graph.num_connected(); e < graph.num_entities(); ++e)
    sample.isolated += goal_split(graph, e) == split;
  Random random(seed, 17);
  std::vector<EntityId> goals = goals_of(graph, split);
  random.shuffle(std::span(goals));
  const auto wanted = static_cast<std::size_t>(count);
  const auto full = [&] {
    return std::all_of(sample.pairs.begin(), sample.pairs.end(),
                       [&](const auto& p) { return p.size() >= wanted; });
  };
  // First one start a goal; then, for distances that are too rare, more starts of the same goals.
  for (int round = 0; round < 8 && !full(); ++round) {
    for (std::size_t begin = 0; begin < goals.size() && !full(); begin += kBlock) {
      const std::size_t block = std::min(kBlock, goals.size() - begin);
      const std::vector<Distance> rows = graph::distance_rows(graph, {goals.data() + begin, block});
      for (std::size_t g = 0; g < block && !full(); ++g) {
        const ByDistance found(row_of(rows, g, graph), distances);
        for (std::size_t i = 0; i < distances.size(); ++i) {
          const auto& starts = found.at[static_cast<std::size_t>(distances[i])];
          if (starts.empty()) sample.infeasible[i] += round == 0;
          if (starts.empty() || sample.pairs[i].size() >= wanted) continue;
          const Pair pair{starts[random.below(starts.size())], goals[begin + g],
                          static_cast<Distance>(distances[i])};
          auto& pairs = sample.pairs[i];
          if (round == 0 || std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
        }
      }
    }
  }
  return sample;
}

PairStream::PairStream(const graph::KnowledgeGraph& graph, GoalSplit split, std::vector<int> distances,
                       std::uint64_t seed)
    : graph_(graph), split_(split), distances_(std::move(distances)), random_(seed, 18) {
  check_distances(distances_);
  start(seed);
  refill();
}

void PairStream::start(std::uint64_t seed) {
  seed_ = seed;
  random_ = Random(seed, 18);
  std::vector<EntityId> goals = goals_of(graph_, split_);
  if (goals.empty())
    throw ConfigError("the graph has no entity that may be a goal of split '" + std::string(name_of(split_)) +
                      "'");
  random_.shuffle(std::span(goals));
  goals.resize(std::min(goals.size(), kMaxGoals));
  choices_.clear();
  for (const int d : distances_) choices_.push_back({static_cast<Distance>(d), {}});
  for (std::size_t begin = 0; begin < goals.size(); begin += kBlock) {
    const std::span<const EntityId> block(goals.data() + begin, std::min(kBlock, goals.size() - begin));
    const std::vector<Distance> rows = graph::distance_rows(graph_, block);
    for (std::size_t g = 0; g < block.size(); ++g) {
      std::array<bool, 256> occurs{};
      for (const Distance d : row_of(rows, g, graph_)) occurs[d] = true;
      for (Choice& choice : choices_)
        if (occurs[choice.distance]) choice.goals.push_back(block[g]);
    }
  }
  std::erase_if(choices_, [](const Choice& choice) { return choice.goals.empty(); });
  if (choices_.empty())
    throw ConfigError("no start and goal of the graph have one of the distances asked for");
}

Pair PairStream::next() {
  if (pool_.empty()) refill();
  const Pair pair = pool_.back();
  pool_.pop_back();
  return pair;
}

void PairStream::refill() {
  while (pool_.size() < kPool) {
    std::vector<EntityId> goals;
    std::vector<Distance> distances;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const Choice& choice = choices_[random_.below(choices_.size())];
      distances.push_back(choice.distance);
      goals.push_back(choice.goals[random_.below(choice.goals.size())]);
    }
    const std::vector<Distance> rows = graph::distance_rows(graph_, goals);
    for (std::size_t g = 0; g < goals.size(); ++g) {
      const ByDistance found(row_of(rows, g, graph_), {distances[g]});
      const auto& starts = found.at[distances[g]];
      pool_.push_back({starts[random_.below(starts.size())], goals[g], distances[g]});
    }
  }
  random_.shuffle(std::span(pool_));
}

Json PairStream::state() const {
  Json pool = Json::array();
  for (const Pair& p : pool_) pool.push_back({p.start, p.goal, p.distance});
  return {{"seed", seed_}, {"random", random_.state()}, {"pool", pool}};
}

void PairStream::set_state(const Json& state) {
  const std::uint64_t seed = state.value("seed", seed_);
  if (seed != seed_) start(seed);  // another order of the goals
  random_.set_state(state.at("random").get<std::vector<std::uint64_t>>());
  pool_.clear();
  for (const Json& p : state.at("pool"))
    pool_.push_back({p.at(0).get<EntityId>(), p.at(1).get<EntityId>(), p.at(2).get<Distance>()});
}

}  // namespace kgwalk::rl
