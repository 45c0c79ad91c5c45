#include "rl/training/run.h"

#include <algorithm>
#include <ostream>

#include "kgwalk/error.h"
#include "rl/environment/recent_text.h"
#include "rl/simulator/user_simulator.h"
#include "rl/training/walker_actor.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/torch_threads.h"
#include "walker/data/dataset.h"
#include "walker/training/run.h"

namespace kgwalk::rl {
namespace {

constexpr const char* kKind = "agent";

std::string absolute_of(const std::filesystem::path& path) {
  return path.empty() ? "" : std::filesystem::absolute(path).string();
}

std::unique_ptr<walker::NeuralWalker> open_stage1(const graph::Store& store, const Stage2Options& options,
                                                  const UserVoice& user) {
  if (RunFolder::kind_of(options.from) == kKind)
    throw FormatError(
        options.from.string() +
        ": is a run of stage 2 already; --from wants one of stage 1 (to go on with a stage-2 run, give it "
        "as --run)");
  auto model = walker::open_walker_hearing(
      store, options.from, shared_text(store, options.from, options.text, user), options.config.goal_exact);
  auto* neural = dynamic_cast<walker::NeuralWalker*>(model.get());
  if (neural == nullptr || !neural->config().scoring.goal)
    throw ConfigError(options.from.string() +
                      ": this walker knows no goals; train one with `kgwalk train --preset stage2`");
  model.release();
  return std::unique_ptr<walker::NeuralWalker>(neural);
}

// What open_walker() reads ("walker", "checksums", "database", "text", "seed"), and what is stage 2's own.
Json full_config(const Stage2Options& options, const UserVoice& user) {
  Json json = RunFolder::open(options.from, "walker").read_config();
  json["database"] = absolute_of(options.database);
  if (!options.text.empty()) json["text"] = absolute_of(options.text);
  json["seed"] = options.seed;
  json["stage2"] = to_json_of(options.config);
  if (options.config.goal_exact) json["walker"]["scoring"]["goal_exact"] = true;
  json["from"] = absolute_of(options.from);
  json["simulator"] = absolute_of(options.simulator);
  json["checksums"]["user"] = user.checksum();
  return json;
}

struct DevPairs {
  std::vector<std::vector<Pair>> pairs;
  std::vector<int> distances;
  std::vector<double> floors;
};

// "score": mean success in percent, less 100 w for each natural_scale that the mean hop costs. With floors
// only that cost, where all are kept, and success less 1,000 where one is missed.
Json evaluate_on(const DevPairs& dev, const walker::WalkModel& model, const walker::WalkModel* stage1,
                 const RewardConfig& reward, const UserVoice& user, const graph::DistanceIndex& index,
                 std::uint64_t seed) {
  Json json = Json::object();
  double success = 0, cost = 0;
  bool floors_kept = true;
  int rows = 0;
  for (std::size_t i = 0; i < dev.distances.size(); ++i) {
    if (dev.pairs[i].empty()) continue;
    const auto walks = walk_pairs(dev.pairs[i], greedy(model), user, index, stage1, WalkConfig{}, seed);
    const SuccessRow row = success_row(dev.distances[i], walks, 0);
    const double near = 100.0 * static_cast<double>(row.within[1]) / static_cast<double>(row.pairs);
    const double far = 100.0 * static_cast<double>(row.within[2]) / static_cast<double>(row.pairs);
    json["success_d+2@" + std::to_string(row.distance)] = near;
    json["success_2d@" + std::to_string(row.distance)] = far;
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

Json json_of(const Walk& walk, const graph::KnowledgeGraph& graph) {
  Json hops = Json::array();
  for (const graph::Triple& hop : walk.episode.situation.walked)
    hops.push_back({graph.relation_name(hop.relation), graph.entity_name(hop.tail)});
  return {{"start", graph.entity_name(walk.episode.pair.start)},
          {"goal", graph.entity_name(walk.episode.pair.goal)},
          {"distance", walk.episode.pair.distance},
          {"reached", walk.reached()},
          {"left", walk.episode.distance},
          {"log_prob", walk.log_prob},
          {"hops", std::move(hops)}};
}

}  // namespace

std::shared_ptr<const walker::TextSource> shared_text(const graph::Store& store,
                                                      const std::filesystem::path& run,
                                                      const std::filesystem::path& text,
                                                      const UserVoice& user) {
  auto own = walker::open_text_of_run(store, run, text);
  const auto* simulated = dynamic_cast<const SimulatedUser*>(&user);
  if (simulated != nullptr && simulated->text()->checksum() == own->checksum()) return simulated->text();
  if (dynamic_cast<const walker::NoText*>(own.get()) != nullptr) return own;
  return std::make_shared<RecentText>(std::move(own));
}

std::unique_ptr<UserVoice> open_user(const graph::Store& store, const std::filesystem::path& simulator,
                                     const std::filesystem::path& text) {
  if (simulator.empty()) return std::make_unique<SilentUser>();
  return SimulatedUser::open(store, simulator, text);
}

graph::DistanceIndex open_index(const graph::Store& store) {
  std::optional<graph::DistanceIndex> index = graph::DistanceIndex::load(store);
  if (!index)
    throw StoreError(store.path().string() +
                     ": there is no index of exact distances; make it with `kgwalk distances --index --db " +
                     store.path().string() + "`");
  return std::move(*index);
}

TrainReport train_stage2(const Stage2Options& options, Reporter& reporter, const StopFlag& stop) {
  validate(options.config, "stage-2 configuration");
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  const graph::DistanceIndex index = open_index(store);
  const auto user = open_user(store, options.simulator, options.text);
  const auto policy = open_stage1(store, options, *user);
  const graph::KnowledgeGraph& graph = policy->graph();
  RunFolder folder = RunFolder::create(options.run, kKind);

  seed_torch(options.seed);
  std::unique_ptr<walker::NeuralWalker> stage1;
  if (options.config.environment.reward.naturalness > 0) stage1 = open_stage1(store, options, *user);
  std::unique_ptr<walker::WalkTask> supervised;
  if (options.config.supervised > 0)
    supervised = std::make_unique<walker::WalkTask>(
        *policy, walker::load_examples(store, graph, policy->config().train_splits),
        std::vector<walker::Example>{});
  Environment environment(graph, index, *user, options.config.environment, options.seed);
  const EvaluateConfig& evaluate = options.config.evaluate;
  const DevPairs dev{
      sample_pairs(graph, GoalSplit::kDev, evaluate.distances, evaluate.episodes, options.seed).pairs,
      evaluate.distances, evaluate.floors};
  WalkerActor actor(*policy, stage1.get(), supervised.get(), environment, options.config, options.seed, [&] {
    return evaluate_on(dev, *policy, stage1.get(), options.config.environment.reward, *user, index,
                       options.seed);
  });
  reporter.info(policy->describe() + "; " + std::to_string(environment.size()) + " dialogues in parallel");
  A2cTask task(actor, options.config.a2c);
  return kgwalk::train(task, options.config.trainer, full_config(options, *user), folder, options.seed,
                       reporter, stop);
}

std::vector<SuccessRow> measure_success(const graph::Store& store, const SuccessOptions& options,
                                        Reporter& reporter, const StopFlag& stop) {
  const graph::DistanceIndex index = open_index(store);
  const auto user = open_user(store, options.simulator, options.text);
  std::unique_ptr<walker::WalkModel> model, stage1;
  const auto open = [&](const std::filesystem::path& run) {
    return walker::open_walker_hearing(store, run, shared_text(store, run, options.text, *user));
  };
  if (!options.run.empty()) model = open(options.run);
  if (!options.stage1.empty()) stage1 = open(options.stage1);
  std::optional<graph::KnowledgeGraph> own;
  if (!model) own.emplace(store.load_graph());
  const graph::KnowledgeGraph& graph = model ? model->graph() : *own;
  Random random(options.seed, 24);
  if (options.natural && !stage1) throw ConfigError("natural shortest paths need the walker of stage 1");
  const Chooser choose = model             ? greedy(*model)
                         : options.natural ? natural_shortest(*stage1, index)
                                           : shortest(graph, index, random);
  const PairSample sample =
      sample_pairs(graph, goal_split_named(options.goals), options.distances, options.episodes, options.seed);
  std::vector<SuccessRow> rows;
  for (std::size_t i = 0; i < options.distances.size(); ++i) {
    const auto walks = walk_pairs(sample.pairs[i], choose, *user, index, stage1.get(), WalkConfig{},
                                  options.seed, reporter, stop);
    if (options.walks != nullptr)
      for (const Walk& walk : walks) *options.walks << json_of(walk, graph).dump() << '\n';
    // How natural the shortest paths are is the measure of how natural a walker's are.
    std::vector<Walk> direct;
    if (model && stage1)
      direct = walk_pairs(sample.pairs[i], shortest(graph, index, random), *user, index, stage1.get(),
                          WalkConfig{}, options.seed, reporter, stop);
    rows.push_back(success_row(options.distances[i], walks, sample.infeasible[i], direct));
  }
  return rows;
}

}  // namespace kgwalk::rl
