#include "rl/training/run.h"

#include <algorithm>

#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "rl/environment/hub_free_world.h"
#include "rl/environment/recent_text.h"
#include "rl/environment/success_rates.h"
#include "rl/simulator/user_simulator.h"
#include "rl/training/walker_actor.h"
#include "runtime/launch.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/torch_threads.h"
#include "walker/data/dataset.h"
#include "walker/training/run.h"

namespace kgwalk::rl {
namespace {

constexpr const char* kWalkerPrefix = "walker.";  // as Stage2Net registers it

// Goals are new to the walker: it gets a comparison of candidates with them.
bool adds_goal(const Stage2Options& options, const walker::WalkerConfig& walker) {
  const bool can = walker.model == walker::WalkerKind::kHitkg || walker.model == walker::WalkerKind::kScorer;
  return can && !walker.scoring.goal && options.config.train == Stage2Weights::kGoal;
}

std::unique_ptr<walker::NeuralWalker> open_stage1(const graph::Store& store, const walker::WalkerRun& from,
                                                  const Stage2Options& options) {
  walker::OpenOptions open{.goal_exact = options.config.goal_exact};
  if (adds_goal(options, from.config)) {
    open.goal_width = options.config.goal_width;
    open.goal_rank = options.config.goal_rank;
  }
  auto model = walker::open_walker_hearing(store, from, shared_text(store, from, options.text), open);
  auto* neural = dynamic_cast<walker::NeuralWalker*>(model.get());
  const bool compares = options.config.train == Stage2Weights::kGoal || options.config.goal_exact;
  if (neural == nullptr || (compares ? !neural->config().scoring.goal : !neural->config().goal_visible))
    throw ConfigError(
        options.from.string() + ": this walker knows no goals",
        Remedy{Remedy::kTrain, std::string(walker::kWalkerRun.command), {{"preset", "stage2"}}});
  model.release();
  return std::unique_ptr<walker::NeuralWalker>(neural);
}

// What open_walker() needs of stage 1, and what is stage 2's own.
RunManifest manifest_of(const Stage2Options& options, const walker::WalkerRun& from, const UserVoice& user,
                        const walker::Resources& resources) {
  const RunManifest& stage1 = from.folder.manifest();
  Json walker = stage1.configuration.at("walker");
  if (options.config.goal_exact) walker["scoring"]["goal_exact"] = true;
  if (adds_goal(options, from.config))
    walker["scoring"].update(
        {{"goal", true}, {"goal_width", options.config.goal_width}, {"goal_rank", options.config.goal_rank}});
  RunManifest manifest(kAgentRun, std::move(walker), options.seed);
  manifest.configuration["stage2"] = to_json_of(options.config);
  manifest.defaults = {{"walker", to_json_of(walker::WalkerConfig{})},
                       {"stage2", to_json_of(Stage2Config{})}};
  manifest.database = walker::remembered_path(options.database);
  manifest.text = options.text.empty() ? stage1.text : walker::remembered_path(options.text);
  manifest.sources = {
      {"from", walker::remembered_path(options.from)},
      {"simulator",
       options.simulator == kWordings ? options.simulator : walker::remembered_path(options.simulator)}};
  manifest.checksums = stage1.checksums;
  manifest.checksums.erase("tables");  // of a stage 1 of before
  manifest.checksums.update(walker::checksums_of(resources));
  manifest.checksums["user"] = user.checksum();
  return manifest;
}

struct DevPairs {
  std::vector<std::vector<Pair>> pairs;
  std::vector<int> distances;
  std::vector<double> floors;
  RouteConfig route;
  int extra = 0;
};

// Walks greedily, without looking ahead: that a search would be as good with any checkpoint tells nothing of
// them. "score": mean success in percent, less 100 w for each natural_scale that the mean hop costs. With
// floors only that cost, where all are kept, and success less 1,000 where one is missed.
Json evaluate_on(const DevPairs& dev, const walker::WalkModel& model, const walker::WalkModel* stage1,
                 const RewardConfig& reward, const UserVoice& user, const graph::ExactDistances& distances,
                 std::uint64_t seed) {
  Json json = Json::object();
  double success = 0, cost = 0;
  bool floors_kept = true;
  int rows = 0;
  for (std::size_t i = 0; i < dev.distances.size(); ++i) {
    if (dev.pairs[i].empty()) continue;
    const auto walks = walk_pairs(dev.pairs[i], greedy(model, dev.route), user, distances, stage1,
                                  WalkConfig{.extra = dev.extra}, seed);
    const SuccessRow row = success_row(dev.distances[i], walks, {.extra = dev.extra});
    const double near = 100.0 * static_cast<double>(row.within[1]) / static_cast<double>(row.pairs);
    const double far = 100.0 * static_cast<double>(row.within[3]) / static_cast<double>(row.pairs);
    const std::string reach = dev.extra > 0 ? "success_2d+" + std::to_string(dev.extra) : "success_2d";
    json["success_d+2@" + std::to_string(row.distance)] = near;
    json[reach + "@" + std::to_string(row.distance)] = far;
    success += (near + far) / 2;
    if (!dev.floors.empty() && far < dev.floors[i]) floors_kept = false;
    if (stage1 != nullptr) {
      json["log_prob@" + std::to_string(row.distance)] = row.log_prob;
      cost -= 100 * reward.naturalness * row.log_prob / reward.natural_scale;
    }
    ++rows;
  }
  if (rows == 0) throw ConfigError("no pair of the development goals has one of evaluate.distances");
  if (!floors_kept)
    json["score"] = success / rows - 1000;
  else if (!dev.floors.empty() && cost > 0)
    json["score"] = -cost / rows;
  else
    json["score"] = (success - cost) / rows;
  return json;
}

}  // namespace

walker::WalkerRun open_walker_run(const std::filesystem::path& run) {
  constexpr RunKind kinds[] = {walker::kWalkerRun, kAgentRun};
  RunFolder folder = RunFolder::open(run, kinds);
  const bool agent = folder.manifest().kind == kAgentRun.name;
  return walker::WalkerRun(std::move(folder), agent ? kWalkerPrefix : "");
}

bool is_stage2(const walker::WalkerRun& run) { return run.folder.manifest().kind == kAgentRun.name; }

RouteConfig route_of(const walker::WalkerRun& run) {
  if (!is_stage2(run)) return {};
  return run.folder.manifest().part<Stage2Config>("stage2").route;
}

std::shared_ptr<const walker::TextSource> shared_text(const graph::Store& store, const walker::WalkerRun& run,
                                                      const std::filesystem::path& text) {
  auto own = walker::open_text_of_run(store, run, text);
  if (dynamic_cast<const walker::NoText*>(own.get()) != nullptr) return own;
  return std::make_shared<RecentText>(std::move(own));
}

std::unique_ptr<UserVoice> open_user(const graph::Store& store, const std::filesystem::path& simulator) {
  if (simulator.empty()) return std::make_unique<SilentUser>();
  if (simulator == kWordings)
    return std::make_unique<WordedUser>(std::make_shared<const graph::KnowledgeGraph>(store.load_graph()));
  return SimulatedUser::open(store, simulator);
}

TrainReport train_stage2(const Stage2Options& options, Reporter& reporter, const StopFlag& stop) {
  validate(options.config, "stage-2 configuration");
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  const auto user = open_user(store, options.simulator);
  const walker::WalkerRun from = open_walker_run(options.from);
  if (is_stage2(from))
    throw FormatError(options.from.string() +
                      ": is a run of stage 2 already; stage 2 begins from one of stage 1 (to go on with this "
                      "run, train into it)");
  seed_torch(options.seed);  // of fresh weights
  const auto policy = open_stage1(store, from, options);
  const graph::KnowledgeGraph& graph = policy->graph();
  // No goal of an episode may go while the episode lasts.
  const graph::GoalRowsOptions rows{.least_rows =
                                        2 * static_cast<std::size_t>(options.config.environment.episodes)};
  const auto distances = graph::open_distances(store, graph, rows);
  RunFolder folder = RunFolder::create(options.run, kAgentRun);

  seed_torch(options.seed);
  std::unique_ptr<walker::NeuralWalker> stage1;
  if (options.config.environment.reward.naturalness > 0) stage1 = open_stage1(store, from, options);
  std::unique_ptr<walker::WalkTask> supervised;
  if (options.config.supervised > 0)
    supervised = std::make_unique<walker::WalkTask>(
        *policy, walker::load_examples(store, graph, policy->config().train_splits),
        std::vector<walker::Example>{});
  std::optional<HubFreeWorld> free;
  if (const int hubs = options.config.route.avoid_hubs; hubs > 0)
    free.emplace(graph, graph::Hubs(graph, static_cast<std::size_t>(hubs)), rows);
  Environment environment(free ? free->graph : graph, free ? free->distances : *distances, *user,
                          options.config.environment, seed_of_rank(options.seed));
  const EvaluateConfig& evaluate = options.config.evaluate;
  const DevPairs dev{
      sample_pairs(graph, GoalSplit::kDev, evaluate.distances, evaluate.episodes, options.seed).pairs,
      evaluate.distances, evaluate.floors, options.config.route, evaluate.extra};
  WalkerActor actor(*policy, stage1.get(), supervised.get(), environment, options.config,
                    seed_of_rank(options.seed), [&] {
                      return evaluate_on(dev, *policy, stage1.get(), options.config.environment.reward, *user,
                                         *distances, options.seed);
                    });
  reporter.info(policy->describe() + "; " + std::to_string(environment.size()) + " dialogues in parallel");
  A2cTask task(actor, options.config.a2c);
  return kgwalk::train(task, options.config.trainer, manifest_of(options, from, *user, policy->resources()),
                       folder, reporter, stop);
}

}  // namespace kgwalk::rl
