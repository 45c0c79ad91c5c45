#include "rl/environment/route_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <unordered_set>
#include <utility>

namespace kgwalk::rl {
namespace {

using graph::Edge;
using graph::EntityId;
using walker::CandidateScores;
using walker::Example;

constexpr std::size_t kBatch = 256;            // partial routes that are scored at once
constexpr std::size_t kMostRemembered = 4096;  // hops of routes that were found and not yet walked

constexpr double kMistaken = 1.5;  // hops that an estimate may be too high: that of one hop is by 1.2

// A route on its way.
struct Partial {
  Example situation;
  std::vector<Edge> hops;
  double score = 0;    // what the beam is ordered by
  double natural = 0;  // log p of its hops without the goal, by which routes that were found are chosen
};

struct Extension {
  std::size_t from = 0;
  Edge hop{};
  double score = 0, natural = 0;
};

// The routes of one situation.
struct Search {
  std::vector<Partial> beam;
  std::vector<Edge> best;  // reached the goal
  double best_mean = 0;
  std::size_t limit = 0;  // hops
  [[nodiscard]] bool open(std::size_t depth) const { return !beam.empty() && depth < limit; }
};

// One pass over the situations, under one strictness.
struct Pass {
  const walker::WalkModel& model;
  const RouteRules& rules;
  const RouteSearchOptions& options;
  Strictness strictness;

  [[nodiscard]] bool reaches_in_time(EntityId tail, EntityId goal, std::size_t hops_left) const {
    if (options.exact) {
      const graph::ExactDistances& distances =
          strictness == Strictness::kAll ? *options.exact->without_hubs : *options.exact->all;
      return distances.distance(tail, goal) <= hops_left;
    }
    return !options.estimate || options.estimate(tail, goal) <= static_cast<double>(hops_left) + kMistaken;
  }
  [[nodiscard]] std::size_t limit(const Example& s) const {
    if (options.exact) return budget(options.exact->all->distance(s.start, *s.goal));
    const auto horizon = static_cast<std::size_t>(options.route.horizon);
    return options.estimate
               ? std::min(horizon, budget(std::max(1.0, std::round(options.estimate(s.start, *s.goal)))))
               : horizon;
  }
  [[nodiscard]] static std::size_t budget(double hops) { return static_cast<std::size_t>(2 * hops) + 2; }
};

struct Scored {
  CandidateScores with_goal, without;
  double weight = 0;  // of what is without
  [[nodiscard]] std::span<const float> segment(const CandidateScores& scores, std::size_t i) const {
    const auto begin = static_cast<std::size_t>(scores.offsets[i]),
               end = static_cast<std::size_t>(scores.offsets[i + 1]);
    return std::span(scores.log_probs).subspan(begin, end - begin);
  }
};

Scored score(const Pass& pass, std::span<const Partial* const> partials) {
  std::vector<Example> examples;
  for (const Partial* p : partials) examples.push_back(p->situation);
  Scored scored;
  scored.weight = pass.options.exact ? 1 : pass.options.route.natural;
  if (scored.weight < 1) scored.with_goal = first_hop_scores(pass.model, examples);
  for (Example& example : examples) example.goal.reset();
  scored.without = first_hop_scores(pass.model, examples);
  return scored;
}

// The likeliest hops on from one partial route, and to the goal wherever it lies beside.
void extend(const Pass& pass, const Partial& partial, std::size_t from, const Scored& scored, std::size_t i,
            std::size_t hops_left, std::vector<Extension>& out) {
  const auto edges = pass.model.graph().out_edges(partial.situation.start);
  const std::span<const float> without = scored.segment(scored.without, i);
  const bool heads = scored.weight < 1;
  const std::span<const float> with = heads ? scored.segment(scored.with_goal, i) : std::span<const float>{};
  std::vector<Extension> found;
  const EntityId goal = *partial.situation.goal;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const EntityId tail = edges[e].tail;
    if (!pass.rules.allow(partial.situation, tail, pass.strictness)) continue;
    if (!pass.reaches_in_time(tail, goal, hops_left - 1)) continue;
    const double natural = without[e],
                 score = scored.weight * natural + (heads ? (1 - scored.weight) * with[e] : 0.0);
    found.push_back({from, edges[e], partial.score + score, partial.natural + natural});
  }
  const auto better = [goal](const Extension& a, const Extension& b) {
    if ((a.hop.tail == goal) != (b.hop.tail == goal)) return a.hop.tail == goal;
    return a.score > b.score;
  };
  const std::size_t kept = std::min(found.size(), static_cast<std::size_t>(pass.options.route.branch));
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(), better);
  out.insert(out.end(), found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept));
}

Partial extended(const Partial& from, const Extension& by) {
  Partial next = from;
  next.situation.walked.push_back({from.situation.start, by.hop.relation, by.hop.tail});
  next.situation.path_ends.push_back(static_cast<std::uint32_t>(next.situation.walked.size()));
  next.situation.start = by.hop.tail;
  next.hops.push_back(by.hop);
  next.score = by.score;
  next.natural = by.natural;
  return next;
}

// Hops that a route may have where the first one found has `hops`.
std::size_t longest(std::size_t hops, const RouteConfig& route) {
  return std::max(static_cast<std::size_t>(route.detour * static_cast<double>(hops)),
                  hops + static_cast<std::size_t>(route.spare));
}

// Those that reach the goal are done; of the others the best go on, one an entity.
void advance(Search& search, std::vector<Extension> extensions, const RouteSearchOptions& options) {
  std::stable_sort(extensions.begin(), extensions.end(),
                   [](const Extension& a, const Extension& b) { return a.score > b.score; });
  std::vector<Partial> next;
  std::unordered_set<EntityId> stands;
  for (const Extension& by : extensions) {
    const Partial& from = search.beam[by.from];
    if (by.hop.tail == *from.situation.goal) {
      const std::size_t hops = from.hops.size() + 1;
      const double mean = by.natural / static_cast<double>(hops);
      if (search.best.empty() && !options.exact)
        search.limit = std::min(search.limit, longest(hops, options.route));
      if (search.best.empty() || mean > search.best_mean) {
        search.best = from.hops;
        search.best.push_back(by.hop);
        search.best_mean = mean;
      }
    } else if (next.size() < static_cast<std::size_t>(options.route.beam) &&
               stands.insert(by.hop.tail).second) {
      next.push_back(extended(from, by));
    }
  }
  if (next.empty() && search.best.empty() && !search.beam.empty())
    search.limit = 0;  // `beam` stays, to be walked
  else
    search.beam = std::move(next);
}

void search_on(const Pass& pass, std::vector<Search>& searches, std::size_t depth) {
  std::vector<std::pair<std::size_t, std::size_t>> places;  // search, partial
  std::vector<const Partial*> partials;
  for (std::size_t s = 0; s < searches.size(); ++s) {
    if (!searches[s].open(depth)) continue;
    for (std::size_t p = 0; p < searches[s].beam.size(); ++p) {
      places.emplace_back(s, p);
      partials.push_back(&searches[s].beam[p]);
    }
  }
  std::vector<std::vector<Extension>> extensions(searches.size());
  for (std::size_t begin = 0; begin < partials.size(); begin += kBatch) {
    const std::size_t count = std::min(kBatch, partials.size() - begin);
    const Scored scored = score(pass, std::span(partials).subspan(begin, count));
    for (std::size_t i = 0; i < count; ++i) {
      const auto [s, p] = places[begin + i];
      extend(pass, *partials[begin + i], p, scored, i, searches[s].limit - depth, extensions[s]);
    }
  }
  for (std::size_t s = 0; s < searches.size(); ++s)
    if (searches[s].open(depth)) advance(searches[s], std::move(extensions[s]), pass.options);
}

std::vector<Search> search_all(const Pass& pass, std::span<const Example* const> situations) {
  std::vector<Search> searches;
  std::size_t deepest = 0;
  for (const Example* s : situations) {
    Search search;
    search.limit = pass.limit(*s);
    search.beam.push_back({*s, {}, 0, 0});
    deepest = std::max(deepest, search.limit);
    searches.push_back(std::move(search));
  }
  for (std::size_t depth = 0; depth < deepest; ++depth) search_on(pass, searches, depth);
  return searches;
}

std::vector<Edge> route_of(const Search& search) {
  if (!search.best.empty() || search.beam.empty()) return search.best;
  return search.beam.front().hops;
}

// Where a walk stands and how it came there, as a key. What was said meanwhile is no part of it: a walk that
// planned anew whenever somebody speaks would put its goal off each time.
using Standing = std::vector<std::uint64_t>;

Standing standing_of(const Example& s) {
  Standing key{*s.goal, s.start};
  for (const graph::Triple& hop : s.walked) key.push_back(std::uint64_t{hop.relation} << 32 | hop.tail);
  return key;
}

// Routes that were found and not yet walked to their ends.
class Plans {
 public:
  void remember(const Example& from, std::span<const Edge> route) {
    if (hops_.size() > kMostRemembered) hops_.clear();
    Partial at{from, {}, 0, 0};
    for (const Edge& hop : route) {
      hops_[standing_of(at.situation)] = hop;
      at = extended(at, {0, hop, 0, 0});
    }
  }
  std::optional<Edge> next(const Example& situation) {
    const auto found = hops_.find(standing_of(situation));
    if (found == hops_.end()) return std::nullopt;
    const Edge hop = found->second;
    hops_.erase(found);
    return hop;
  }

 private:
  std::map<Standing, Edge> hops_;
};

}  // namespace

std::vector<std::vector<Edge>> find_routes(const walker::WalkModel& model,
                                           std::span<const Example* const> situations,
                                           const RouteRules& rules, const RouteSearchOptions& options) {
  const std::vector<Search> strict = search_all({model, rules, options, Strictness::kAll}, situations);
  std::vector<std::vector<Edge>> routes;
  std::vector<const Example*> failed;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < situations.size(); ++i) {
    routes.push_back(route_of(strict[i]));
    if (!strict[i].best.empty() || !rules.hubs_avoided()) continue;
    failed.push_back(situations[i]);
    places.push_back(i);
  }
  if (failed.empty()) return routes;
  const std::vector<Search> loose = search_all({model, rules, options, Strictness::kHubsToo}, failed);
  for (std::size_t i = 0; i < failed.size(); ++i)
    if (!loose[i].best.empty() || routes[places[i]].empty()) routes[places[i]] = route_of(loose[i]);
  return routes;
}

Chooser looking_ahead(const walker::WalkModel& model, const RouteSearchOptions& options) {
  const auto rules = std::make_shared<const RouteRules>(model.graph(), options.route);
  const auto plans = std::make_shared<Plans>();
  return [&model, options, rules, plans](std::span<const Example* const> situations) {
    std::vector<std::optional<Edge>> hops;
    std::vector<const Example*> lost;
    std::vector<std::size_t> places;
    for (const Example* s : situations) {
      hops.push_back(plans->next(*s));
      if (hops.back()) continue;
      lost.push_back(s);
      places.push_back(hops.size() - 1);
    }
    if (lost.empty()) return hops;
    const auto routes = find_routes(model, lost, *rules, options);
    for (std::size_t i = 0; i < lost.size(); ++i) {
      plans->remember(*lost[i], routes[i]);
      hops[places[i]] = plans->next(*lost[i]);
    }
    return hops;
  };
}

Chooser choose_by(const walker::WalkModel& model, const RouteConfig& config, const EstimatedHops& estimate) {
  return config.beam > 1 ? looking_ahead(model, {.route = config, .estimate = estimate})
                         : greedy(model, config);
}

}  // namespace kgwalk::rl
