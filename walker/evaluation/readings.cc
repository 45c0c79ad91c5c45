#include "walker/evaluation/readings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace kgwalk::walker {
namespace {

using graph::EntityId;
using Values = std::vector<std::pair<EntityId, double>>;  // several of one entity, in any order

constexpr double kEqual = 1e-9;  // relative

// Expected rank of the best of the accepted ones; `sum`: of all values of an entity, otherwise the best of
// them.
double rank_in(Values values, std::span<const EntityId> accepted, bool sum) {
  std::sort(values.begin(), values.end());
  std::size_t kept = 0;
  for (const auto& [entity, value] : values) {
    if (kept > 0 && values[kept - 1].first == entity) {
      double& before = values[kept - 1].second;
      before = sum ? before + value : std::max(before, value);
    } else {
      values[kept++] = {entity, value};
    }
  }
  values.resize(kept);
  const auto right = [&](EntityId e) {
    return std::find(accepted.begin(), accepted.end(), e) != accepted.end();
  };
  double best = -1;
  for (const auto& [entity, value] : values)
    if (right(entity)) best = std::max(best, value);
  if (best < 0) return kUnreached;
  double rank = 1;
  const double slack = kEqual * std::max(best, 1e-300);
  for (const auto& [entity, value] : values) {
    if (right(entity)) continue;
    if (value > best + slack) {
      rank += 1;
    } else if (value >= best - slack) {
      rank += 0.5;
    }
  }
  return rank;
}

Values lasts(std::span<const StartedPath> paths) {
  Values values;
  for (const SequenceProbability& s : merge_parallel(paths))
    values.emplace_back(last_of(s.sequence), s.value);
  return values;
}

// Every entity that each path passes behind its start.
Values passed(std::span<const StartedPath> paths) {
  Values values;
  for (const SequenceProbability& s : merge_parallel(paths))
    for (std::size_t i = 1; i < s.sequence.size() && s.sequence[i] != kNoEntity; ++i)
      values.emplace_back(s.sequence[i], s.value);
  return values;
}

std::vector<StartedPath> of_length(std::span<const StartedPath> paths, int hops) {
  std::vector<StartedPath> kept;
  std::copy_if(paths.begin(), paths.end(), std::back_inserter(kept),
               [&](const StartedPath& p) { return p.path.num_hops == hops; });
  return kept;
}

EntityId end_of(const StartedPath& p) {
  return p.path.hops[static_cast<std::size_t>(p.path.num_hops - 1)].tail;
}

std::vector<StartedPath> without_returns(std::span<const StartedPath> paths) {
  std::vector<StartedPath> kept;
  std::copy_if(paths.begin(), paths.end(), std::back_inserter(kept),
               [](const StartedPath& p) { return end_of(p) != p.start; });
  return kept;
}

double rank_first_hop(std::span<const StartedPath> paths, const ReadingContext& context) {
  Values values;
  for (const StartedPath& p : paths)
    if (p.start == context.start) values.emplace_back(p.path.hops.front().tail, std::exp(p.path.log_prob));
  const EntityId first[] = {context.gold.front().tail};
  return rank_in(std::move(values), first, true);
}

}  // namespace

std::string_view name_of(Reading reading) {
  constexpr std::string_view names[kNumReadings] = {
      "as stated",      "length known",       "length by its head", "relations count",
      "targets summed", "relations, summed",  "target on the way",  "any gold entity",
      "turn's targets", "dialogue's targets", "first hop alone",    "no way back"};
  return names[static_cast<std::size_t>(reading)];
}

GoldRanks rank_by(Reading reading, std::span<const StartedPath> paths, const ReadingContext& context) {
  const auto stated = [&](std::span<const StartedPath> among) {
    return rank_gold(among, context.start, context.gold);
  };
  const EntityId target[] = {context.gold.back().tail};
  GoldRanks ranks;
  switch (reading) {
    case Reading::kLengthKnown:
      return stated(of_length(paths, static_cast<int>(context.gold.size())));
    case Reading::kLengthByHead:
      return stated(of_length(paths, context.likeliest_length));
    case Reading::kNoReturn:
      return stated(without_returns(paths));
    case Reading::kFirstHop:
      ranks.path = ranks.target = rank_first_hop(paths, context);
      return ranks;
    default:
      ranks = stated(paths);
  }
  if (reading == Reading::kRelations || reading == Reading::kRelationsSummed) ranks.path = ranks.relation;
  if (reading == Reading::kSummed || reading == Reading::kRelationsSummed)
    ranks.target = rank_in(lasts(paths), target, true);
  if (reading == Reading::kOnTheWay) ranks.target = rank_in(passed(paths), target, false);
  if (reading == Reading::kAnyOfGold) {
    std::vector<EntityId> all;
    for (const graph::Edge& hop : context.gold) all.push_back(hop.tail);
    ranks.target = rank_in(lasts(paths), all, false);
  }
  if (reading == Reading::kTurnTargets) ranks.target = rank_in(lasts(paths), context.turn, false);
  if (reading == Reading::kDialogueTargets) ranks.target = rank_in(lasts(paths), context.dialogue, false);
  return ranks;
}

OtherTargets other_targets(std::span<const Example> examples) {
  std::map<std::uint32_t, std::set<EntityId>> of_dialogue;
  std::map<std::pair<std::uint32_t, std::size_t>, std::set<EntityId>> of_turn;
  for (const Example& example : examples) {
    const EntityId target = example.gold.back().tail;
    of_dialogue[example.dialogue].insert(target);
    of_turn[{example.dialogue, example.context.size()}].insert(target);
  }
  OtherTargets targets;
  for (const Example& example : examples) {
    const auto& dialogue = of_dialogue[example.dialogue];
    const auto& turn = of_turn[{example.dialogue, example.context.size()}];
    targets.dialogue.emplace_back(dialogue.begin(), dialogue.end());
    targets.turn.emplace_back(turn.begin(), turn.end());
  }
  return targets;
}

}  // namespace kgwalk::walker
