#include "rl/environment/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace kgwalk::rl {
namespace {

constexpr int kRouteResamples = 1000;

using Figure = std::function<double(const RouteCounts&)>;

seq2seq::BootstrapInterval interval(const RouteRow& row, const Figure& figure) {
  return seq2seq::paired_bootstrap<RouteCounts>(row.each, row.each, figure, kRouteResamples, 1).system;
}

double share(double part, double whole) { return whole == 0 ? 0 : 100 * part / whole; }

struct Column {
  const char* name;   // in json
  const char* title;  // in text
  Figure figure;
};

// `natural`: log-probabilities are known, which come last.
std::span<const Column> columns(bool natural) {
  static const std::vector<Column> all{
      {"route_recall", "route recall %", [](const RouteCounts& c) { return c.recall(); }},
      {"reached", "reached %", [](const RouteCounts& c) { return share(c.reached, c.routes); }},
      {"more_turns", "turns more", [](const RouteCounts& c) { return c.more_turns(); }},
      {"hops", "hops", [](const RouteCounts& c) { return c.routes == 0 ? 0 : c.hops / c.routes; }},
      {"hub_share", "hops into hubs %", [](const RouteCounts& c) { return c.hub_share(); }},
      {"stand_twice", "twice %", [](const RouteCounts& c) { return share(c.revisited, c.routes); }},
      {"log_prob_per_hop", "log p/hop",
       [](const RouteCounts& c) { return c.hops == 0 ? 0 : c.log_prob / c.hops; }}};
  return std::span(all).first(all.size() - (natural ? 0 : 1));
}

Json interval_json(const seq2seq::BootstrapInterval& value) {
  return {{"value", value.score}, {"low", value.low}, {"high", value.high}};
}

}  // namespace

std::vector<graph::EntityId> PeopleRoute::between() const {
  std::vector<graph::EntityId> met;
  for (const graph::Triple& hop : hops) met.push_back(hop.tail);
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  std::erase_if(met, [this](graph::EntityId e) { return e == pair.start || e == pair.goal; });
  return met;
}

PeopleRoutes people_routes(std::span<const graph::Dialogue> dialogues, const graph::ExactDistances& distances,
                           int least_turns) {
  PeopleRoutes found;
  for (const graph::Dialogue& dialogue : dialogues) {
    PeopleRoute route;
    route.line = dialogue.line;
    for (const graph::DialogueEvent& event : dialogue.events) {
      const auto* path = std::get_if<graph::WalkedPath>(&event);
      if (path == nullptr || path->hops.empty()) continue;
      route.hops.insert(route.hops.end(), path->hops.begin(), path->hops.end());
      route.path_ends.push_back(static_cast<std::uint32_t>(route.hops.size()));
    }
    if (route.turns() < least_turns) {
      ++found.too_short;
      continue;
    }
    route.pair = {route.hops.front().head, route.hops.back().tail, 0};
    found.routes.push_back(std::move(route));
  }
  std::vector<graph::EntityId> goals;
  for (const PeopleRoute& route : found.routes) goals.push_back(route.pair.goal);
  distances.prepare(goals);
  for (PeopleRoute& route : found.routes)
    route.pair.distance = distances.distance(route.pair.start, route.pair.goal);
  found.led_back = static_cast<std::int64_t>(
      std::erase_if(found.routes, [](const PeopleRoute& r) { return r.pair.distance == 0; }));
  found.unreachable = static_cast<std::int64_t>(std::erase_if(
      found.routes, [](const PeopleRoute& r) { return r.pair.distance == graph::kUnreachable; }));
  return found;
}

RouteCounts& RouteCounts::operator+=(const RouteCounts& o) {
  routes += o.routes;
  reached += o.reached;
  between += o.between;
  found += o.found;
  hops += o.hops;
  hub_hops += o.hub_hops;
  turns += o.turns;
  people_turns += o.people_turns;
  log_prob += o.log_prob;
  revisited += o.revisited;
  return *this;
}

bool stands_twice(std::span<const graph::Triple> hops) {
  if (hops.empty()) return false;
  std::unordered_set<graph::EntityId> stood{hops.front().head};
  return !std::all_of(hops.begin(), hops.end(),
                      [&](const graph::Triple& hop) { return stood.insert(hop.tail).second; });
}

RouteCounts compare(const PeopleRoute& people, std::span<const graph::Triple> hops, const graph::Hubs& hubs) {
  RouteCounts counts;
  counts.routes = 1;
  counts.reached = !hops.empty() && hops.back().tail == people.pair.goal;
  std::unordered_set<graph::EntityId> walked;
  for (const graph::Triple& hop : hops) {
    walked.insert(hop.tail);
    counts.hub_hops += hubs.contains(hop.tail);
  }
  for (const graph::EntityId entity : people.between()) {
    ++counts.between;
    counts.found += walked.contains(entity);
  }
  counts.hops = counts.turns = static_cast<double>(hops.size());
  counts.people_turns = static_cast<double>(people.turns());
  counts.revisited = stands_twice(hops);
  return counts;
}

RouteCounts RouteRow::sum() const {
  RouteCounts sum;
  for (const RouteCounts& one : each) sum += one;
  return sum;
}

seq2seq::BootstrapInterval recall_over(const RouteRow& row, const RouteRow& baseline) {
  return seq2seq::paired_bootstrap<RouteCounts>(
             baseline.each, row.each, [](const RouteCounts& c) { return c.recall(); }, kRouteResamples, 1)
      .difference;
}

std::string routes_table(std::span<const RouteRow> rows, std::optional<std::size_t> baseline, bool natural) {
  std::string text = fmt::format("{:<24}", "");
  for (const Column& column : columns(natural)) text += fmt::format("  {:>22}", column.title);
  if (baseline) text += fmt::format("  recall over {}", rows[*baseline].name);
  text += '\n';
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("{:<24}", rows[i].name);
    for (const Column& column : columns(natural)) {
      const auto value = interval(rows[i], column.figure);
      text += fmt::format("  {:>6.2f} [{:>5.2f}, {:>6.2f}]", value.score, value.low, value.high);
    }
    if (baseline && i > 0 && i != *baseline) {
      const auto gain = recall_over(rows[i], rows[*baseline]);
      text += fmt::format("  {:+6.2f} [{:+.2f}, {:+.2f}]", gain.score, gain.low, gain.high);
    }
    text += '\n';
  }
  return text;
}

Json routes_json(std::span<const RouteRow> rows, std::optional<std::size_t> baseline, bool natural) {
  Json json = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Json row = {{"name", rows[i].name}, {"routes", rows[i].each.size()}};
    for (const Column& column : columns(natural))
      row[column.name] = interval_json(interval(rows[i], column.figure));
    if (baseline && i > 0 && i != *baseline)
      row["recall_over_" + rows[*baseline].name] = interval_json(recall_over(rows[i], rows[*baseline]));
    json.push_back(std::move(row));
  }
  return json;
}

}  // namespace kgwalk::rl
