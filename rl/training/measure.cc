#include "rl/training/measure.h"

#include <ostream>
#include <utility>

#include "dialogue/turn_example.h"
#include "kgwalk/error.h"
#include "rl/environment/hub_free_world.h"
#include "rl/environment/route_search.h"
#include "rl/training/estimate.h"
#include "rl/training/run.h"
#include "runtime/sharded_work.h"
#include "walker/network/resources.h"
#include "walker/search/prior.h"

namespace kgwalk::rl {
namespace {

constexpr int kWidestSearch = 24;  // beam of what could be had

Json json_of(const std::vector<AskedOnTheWay>& questions, const graph::KnowledgeGraph& graph) {
  Json json = Json::array();
  for (const AskedOnTheWay& asked : questions)
    json.push_back({{"question", asked.question},
                    {"at", graph.entity_name(asked.stood)},
                    {"about", graph.entity_name(asked.about)},
                    {"heard", asked.heard},
                    {"answered", asked.answered ? Json(graph.entity_name(*asked.answered)) : Json(nullptr)},
                    {"right", asked.right},
                    {"on_from", graph.entity_name(asked.on_from)}});
  return json;
}

Json json_of(std::span<const graph::Triple> hops, const graph::KnowledgeGraph& graph) {
  Json json = Json::array();
  for (const graph::Triple& hop : hops)
    json.push_back({graph.relation_name(hop.relation), graph.entity_name(hop.tail)});
  return json;
}

Json json_of(const Walk& walk, const graph::KnowledgeGraph& graph) {
  return {{"start", graph.entity_name(walk.episode.pair.start)},
          {"goal", graph.entity_name(walk.episode.pair.goal)},
          {"distance", walk.episode.pair.distance},
          {"reached", walk.reached()},
          {"left", walk.episode.distance},
          {"log_prob", walk.log_prob},
          {"hops", json_of(walk.episode.situation.walked, graph)},
          {"asked", json_of(walk.asked, graph)}};
}

// The count prior of a database's training dialogues.
std::unique_ptr<walker::WalkModel> open_prior(const graph::Store& store) {
  walker::WalkerConfig config;
  config.model = walker::WalkerKind::kPrior;
  config.train_splits = dialogue::training_splits(store);
  return std::make_unique<walker::PriorWalker>(
      walker::load_resources(config, store, [] { return std::make_shared<walker::NoText>(); }));
}

// What a measurement walks with: opened once, and what its ways borrow.
class Ways {
 public:
  Ways(const graph::Store& store, const walker::WalkerRun* stage1, const std::filesystem::path& simulator,
       const std::filesystem::path& text, std::uint64_t seed)
      : store_(store), text_(text), user_(open_user(store, simulator)), seed_(seed) {
    if (stage1 != nullptr) stage1_ = open(*stage1);
  }

  // The model behind a way, null for a search; it stays open as long as this object.
  const walker::WalkModel* model_of(const Way& way) {
    if (way.run != nullptr) return models_.emplace_back(open(*way.run)).get();
    if (way.search == SearchWay::kPrior) return models_.emplace_back(open_prior(store_)).get();
    return nullptr;
  }
  Chooser chooser(const Way& way, const walker::WalkModel* model) {
    if (way.run != nullptr)
      return choose_by(*model, way.route ? *way.route : route_of(*way.run), estimate_of(*model));
    switch (way.search) {
      case SearchWay::kPrior:
        return greedy(*model, {.revisit = false});
      case SearchWay::kNaturalShortest:
        return natural_shortest(need_stage1(), distances());
      case SearchWay::kNaturalSearch:
        return natural_search(way);
      default:
        return shortest(graph(), distances(), seed_);
    }
  }

  [[nodiscard]] const graph::KnowledgeGraph& graph() {
    if (!models_.empty()) return models_.front()->graph();
    if (stage1_) return stage1_->graph();
    if (!own_) own_.emplace(store_.load_graph());
    return *own_;
  }
  [[nodiscard]] const walker::WalkModel* stage1() const { return stage1_.get(); }
  [[nodiscard]] const graph::ExactDistances& distances() {
    if (!distances_) distances_ = graph::open_distances(store_, graph());
    return *distances_;
  }
  [[nodiscard]] const UserVoice& user() const { return *user_; }
  [[nodiscard]] Chooser shortest_paths() { return shortest(graph(), distances(), seed_); }

 private:
  [[nodiscard]] std::unique_ptr<walker::WalkModel> open(const walker::WalkerRun& run) const {
    return walker::open_walker_hearing(store_, run, shared_text(store_, run, text_));
  }
  [[nodiscard]] const walker::WalkModel& need_stage1() const {
    if (!stage1_)
      throw ConfigError("natural paths need the walker of stage 1", {Remedy{Remedy::kGive, "stage1"}});
    return *stage1_;
  }
  [[nodiscard]] Chooser natural_search(const Way& way) {
    RouteConfig route = way.route.value_or(RouteConfig{.avoid_hubs = static_cast<int>(graph::kLargestHubs),
                                                       .revisit = false,
                                                       .beam = kWidestSearch,
                                                       .branch = kWidestSearch});
    if (!free_) free_.emplace(graph(), graph::Hubs(graph(), static_cast<std::size_t>(route.avoid_hubs)));
    return looking_ahead(need_stage1(),
                         {.route = route, .exact = Foresight{&distances(), &free_->distances}});
  }

  const graph::Store& store_;
  std::filesystem::path text_;
  std::unique_ptr<UserVoice> user_;
  std::uint64_t seed_;
  std::unique_ptr<walker::WalkModel> stage1_;
  std::vector<std::unique_ptr<walker::WalkModel>> models_;
  std::optional<graph::KnowledgeGraph> own_;
  std::unique_ptr<const graph::ExactDistances> distances_;
  std::optional<HubFreeWorld> free_;
};

// The route people took, as if each hop were a turn in which nobody spoke: log-probability by stage 1.
double people_log_prob(const PeopleRoute& route, const walker::WalkModel& stage1) {
  std::vector<walker::Example> situations;
  std::vector<const walker::Example*> pointers;
  std::vector<graph::Edge> hops;
  walker::Example at;
  at.speaker = graph::Speaker::kAssistant;
  for (const graph::Triple& hop : route.hops) {
    at.start = hop.head;
    situations.push_back(at);
    hops.push_back({hop.relation, hop.tail});
    at.walked.push_back(hop);
    at.path_ends.push_back(static_cast<std::uint32_t>(at.walked.size()));
  }
  for (const walker::Example& situation : situations) pointers.push_back(&situation);
  double sum = 0;
  for (const float p : hop_log_probs(stage1, pointers, hops)) sum += p;
  return sum;
}

RouteRow people_row(std::span<const PeopleRoute> routes, const graph::Hubs& hubs,
                    const walker::WalkModel* stage1) {
  RouteRow row{"people", {}};
  for (const PeopleRoute& route : routes) {
    RouteCounts counts = compare(route, route.hops, hubs);
    counts.turns = counts.people_turns;
    if (stage1 != nullptr) counts.log_prob = people_log_prob(route, *stage1);
    row.each.push_back(counts);
  }
  return row;
}

// What walks depend on beside what was asked for.
void rest_on(const graph::KnowledgeGraph& graph, const Way& way, const walker::WalkerRun* stage1,
             ShardedWork& work) {
  work.rests_on("graph", graph.checksum());
  for (const walker::WalkerRun* run : {way.run, stage1})
    if (run != nullptr) work.rests_on(run->folder.path().string(), walker::checksum_of_walker(*run));
}

Json json_of(const PeopleRoute& people, const Walk& walk, const std::string& name,
             const graph::KnowledgeGraph& graph) {
  Json json = json_of(walk, graph);
  json.erase("asked");
  json["way"] = name;
  json["line"] = people.line;
  json["people"] = json_of(people.hops, graph);
  return json;
}

}  // namespace

std::vector<SuccessRow> measure_success(const graph::Store& store, const SuccessOptions& options,
                                        Reporter& reporter, const StopFlag& stop) {
  Ways ways(store, options.stage1, options.simulator, options.text, options.seed);
  const walker::WalkModel* model = ways.model_of(options.way);
  const graph::KnowledgeGraph& graph = ways.graph();
  const graph::Hubs hubs(graph);
  const Chooser choose = ways.chooser(options.way, model), direct = ways.shortest_paths();
  const PairSample sample =
      sample_pairs(graph, goal_split_named(options.goals), options.distances, options.episodes, options.seed);
  WalkConfig config{.extra = options.extra};
  std::optional<SideQuestions> questions;
  if (options.ask > 0) {
    if (options.way.run == nullptr || !options.way.run->config.listen.on)
      throw ConfigError(
          "questions on the way need a walker that listens",
          Remedy{Remedy::kTrain, std::string(walker::kWalkerRun.command), {{"preset", "listening"}}});
    config.asking = {options.ask, &questions.emplace(graph), model, options.way.run->config.max_hops};
  }
  const bool searched = options.way.run == nullptr && options.way.search != SearchWay::kNaturalSearch;
  ShardedWork alone;
  ShardedWork& work = options.work == nullptr ? alone : *options.work;
  rest_on(graph, options.way, options.stage1, work);
  std::vector<SuccessRow> rows;
  for (std::size_t i = 0; i < options.distances.size(); ++i) {
    const auto walk = [&](const Chooser& by, WalkConfig how) {
      how.work = &work;
      return walk_pairs(sample.pairs[i], by, ways.user(), ways.distances(), ways.stage1(), how, options.seed,
                        reporter, stop);
    };
    const auto walks = walk(choose, config);
    if (options.walks != nullptr)
      for (const Walk& w : walks) *options.walks << json_of(w, graph).dump() << '\n';
    // How natural the shortest paths are is the measure of how natural a walker's are.
    std::vector<Walk> shortest_walks;
    if (!searched && ways.stage1() != nullptr) shortest_walks = walk(direct, WalkConfig{});
    if (work.is_part()) continue;
    rows.push_back(success_row(options.distances[i], walks,
                               {.infeasible = sample.infeasible[i],
                                .shortest = shortest_walks,
                                .hubs = &hubs,
                                .extra = options.extra,
                                .natural = ways.stage1() != nullptr}));
  }
  return rows;
}

RoutesResult measure_routes(const graph::Store& store, const RoutesOptions& options, Reporter& reporter,
                            const StopFlag& stop) {
  Ways ways(store, options.stage1, {}, options.text, options.seed);
  const std::vector<graph::Dialogue> dialogues = store.dialogues(options.split);
  const PeopleRoutes people = people_routes(dialogues, ways.distances());
  if (people.routes.empty())
    throw Error("split '" + options.split + "': no dialogue has " + std::to_string(kLeastTurns) +
                " paths that lead from one entity to another");
  std::vector<Pair> pairs;
  for (const PeopleRoute& route : people.routes) pairs.push_back(route.pair);
  const graph::Hubs hubs(ways.graph());
  ShardedWork alone;
  ShardedWork& work = options.work == nullptr ? alone : *options.work;
  RoutesResult result{{people_row(people.routes, hubs, ways.stage1())},
                      people.too_short,
                      people.led_back,
                      people.unreachable};
  for (std::size_t w = 0; w < options.ways.size(); ++w) {
    const Chooser choose = ways.chooser(options.ways[w], ways.model_of(options.ways[w]));
    const auto walks = walk_pairs(pairs, choose, ways.user(), ways.distances(), ways.stage1(),
                                  {.extra = options.extra, .work = &work}, options.seed, reporter, stop);
    rest_on(ways.graph(), options.ways[w], options.stage1, work);
    if (work.is_part()) continue;
    RouteRow row{options.names[w], {}};
    for (std::size_t i = 0; i < walks.size(); ++i) {
      row.each.push_back(compare(people.routes[i], walks[i].episode.situation.walked, hubs));
      row.each.back().log_prob = walks[i].log_prob;
      if (options.walks != nullptr)
        *options.walks << json_of(people.routes[i], walks[i], row.name, ways.graph()).dump() << '\n';
    }
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace kgwalk::rl
