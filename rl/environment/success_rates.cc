#include "rl/environment/success_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "rl/environment/routes.h"

namespace kgwalk::rl {
namespace {

constexpr int kResamples = 1000;

std::pair<double, double> wilson(std::int64_t hits, std::int64_t n) {
  if (n == 0) return {0, 0};
  const double z = 1.959964, p = static_cast<double>(hits) / static_cast<double>(n),
               m = static_cast<double>(n);
  const double center = (p + z * z / (2 * m)) / (1 + z * z / m);
  const double half = z * std::sqrt(p * (1 - p) / m + z * z / (4 * m * m)) / (1 + z * z / m);
  return {100 * (center - half), 100 * (center + half)};
}

double percent(std::int64_t hits, std::int64_t n) {
  return n == 0 ? 0 : 100.0 * static_cast<double>(hits) / static_cast<double>(n);
}

SuccessRow::Hops sum_of(std::span<const SuccessRow::Hops> walks) {
  SuccessRow::Hops sum{.walks = 0};
  for (const SuccessRow::Hops& one : walks) sum += one;
  return sum;
}

SuccessRow::Hops hops_of(const Walk& walk, const graph::Hubs* hubs) {
  SuccessRow::Hops hops{walk.log_prob, walk.episode.hops};
  if (hubs == nullptr) return hops;
  for (const graph::Triple& hop : walk.episode.situation.walked) hops.into_hubs += hubs->contains(hop.tail);
  return hops;
}

std::string gain_text(const seq2seq::BootstrapInterval& gain) {
  return fmt::format("{:+5.2f} [{:+.2f}, {:+.2f}]", gain.score, gain.low, gain.high);
}

}  // namespace

namespace {

std::string questions_table(std::span<const SuccessRow> rows) {
  std::int64_t asked = 0, heard = 0, answered = 0;
  std::string text;
  const auto line = [](std::string_view name, std::int64_t all, std::int64_t known, std::int64_t right) {
    const auto [low, high] = wilson(right, all);
    return fmt::format("{:>8}  {:9}  {:5.1f} %  {:5.1f} % [{:4.1f}, {:5.1f}]\n", name, all,
                       percent(known, all), percent(right, all), low, high);
  };
  for (const SuccessRow& row : rows) {
    if (row.asked == 0) continue;
    text += line(std::to_string(row.distance), row.asked, row.heard, row.answered);
    asked += row.asked;
    heard += row.heard;
    answered += row.answered;
  }
  if (asked == 0) return "";
  return "a turn for each question is allowed beside the hops\n"
         "distance  questions  heard    answered rightly\n" +
         text + line("all", asked, heard, answered);
}

// Percent that arrive, with an interval by resampling the goals.
seq2seq::BootstrapInterval by_goals(const SuccessRow& row, int budget) {
  return seq2seq::paired_bootstrap<SuccessRow::OfGoal>(
             row.goals, row.goals,
             [budget](const SuccessRow::OfGoal& sum) { return percent(sum.within[budget], sum.pairs); },
             kResamples, 1)
      .system;
}

// Where goals come more than once walks are not independent, and Wilson's intervals are too narrow.
std::string goals_table(std::span<const SuccessRow> rows) {
  std::string text;
  for (const SuccessRow& row : rows) {
    if (row.goals.empty() || static_cast<std::int64_t>(row.goals.size()) == row.pairs) continue;
    text += fmt::format("{:8}  {:5}", row.distance, row.goals.size());
    for (int b = 0; b < (row.extra > 0 ? 4 : 3); ++b) {
      const auto interval = by_goals(row, b);
      text += fmt::format("  {:5.1f} % [{:4.1f}, {:5.1f}]", interval.score, interval.low, interval.high);
    }
    text += '\n';
  }
  return text.empty()
             ? text
             : "intervals by resampling the goals, where they are fewer than the pairs\ndistance  goals\n" +
                   text;
}

std::string told(double log_prob, const SuccessRow& row) {
  return row.natural_known ? fmt::format("{:.2f}", log_prob) : "-";
}

// Whole walks: hubs, and what a route costs beside what each hop of it does.
std::string whole_walks_table(std::span<const SuccessRow> rows) {
  if (rows.empty() || !rows.front().hubs_known) return "";
  std::string text =
      "distance  hops into hubs  log p/walk  an entity twice  of shortest: into hubs  log p/hop  log "
      "p/walk\n";
  for (const SuccessRow& row : rows) {
    const SuccessRow::Hops all = row.sum_walked();
    text += fmt::format("{:8}  {:12.1f} %  {:>10}  {:13.1f} %", row.distance, all.hub_share(),
                        told(all.total(), row), percent(row.twice, row.pairs));
    if (!row.shortest.empty()) {
      const SuccessRow::Hops direct = row.sum_shortest();
      text +=
          fmt::format("  {:20.1f} %  {:9.2f}  {:10.2f}", direct.hub_share(), direct.mean(), direct.total());
    }
    text += '\n';
  }
  return text;
}

}  // namespace

SuccessRow::Hops& SuccessRow::Hops::operator+=(const Hops& other) {
  log_prob += other.log_prob;
  number += other.number;
  into_hubs += other.into_hubs;
  walks += other.walks;
  return *this;
}

SuccessRow::OfGoal& SuccessRow::OfGoal::operator+=(const OfGoal& other) {
  pairs += other.pairs;
  for (int b = 0; b < 4; ++b) within[b] += other.within[b];
  return *this;
}

SuccessRow::Hops SuccessRow::sum_walked() const { return sum_of(walked); }
SuccessRow::Hops SuccessRow::sum_shortest() const { return sum_of(shortest); }

SuccessRow success_row(int distance, std::span<const Walk> walks, const SuccessContext& context) {
  SuccessRow row;
  row.distance = distance;
  row.infeasible = context.infeasible;
  row.extra = context.extra;
  row.hubs_known = context.hubs != nullptr;
  row.natural_known = context.natural;
  row.pairs = static_cast<std::int64_t>(walks.size());
  std::int64_t reached = 0;
  std::map<graph::EntityId, SuccessRow::OfGoal> goals;
  for (const Walk& w : walks) {
    SuccessRow::OfGoal& goal = goals[w.episode.pair.goal];
    ++goal.pairs;
    row.walked.push_back(hops_of(w, context.hubs));
    row.twice += stands_twice(w.episode.situation.walked) ? 1 : 0;
    for (const AskedOnTheWay& asked : w.asked) {
      ++row.asked;
      row.heard += asked.heard ? 1 : 0;
      row.answered += asked.right ? 1 : 0;
    }
    if (!w.reached()) continue;
    ++reached;
    row.turn_ratio += static_cast<double>(w.episode.hops) / distance;
    const int budgets[4] = {distance, distance + 2, 2 * distance, 2 * distance + context.extra};
    for (int b = 0; b < 4; ++b) goal.within[b] += w.episode.hops <= budgets[b];
  }
  SuccessRow::OfGoal all;
  for (const auto& [id, goal] : goals) {
    row.goals.push_back(goal);
    all += goal;
  }
  std::copy_n(all.within, 4, row.within);
  for (const Walk& w : context.shortest) row.shortest.push_back(hops_of(w, context.hubs));
  if (reached > 0) row.turn_ratio /= static_cast<double>(reached);
  row.log_prob = row.sum_walked().mean();
  return row;
}

std::optional<seq2seq::BootstrapInterval> over_shortest(std::span<const SuccessRow> rows) {
  std::vector<SuccessRow::Hops> walked, shortest;
  for (const SuccessRow& row : rows) {
    walked.insert(walked.end(), row.walked.begin(), row.walked.end());
    shortest.insert(shortest.end(), row.shortest.begin(), row.shortest.end());
  }
  if (shortest.empty()) return std::nullopt;
  return seq2seq::paired_bootstrap<SuccessRow::Hops>(
             shortest, walked, [](const SuccessRow::Hops& hops) { return hops.mean(); }, kResamples, 1)
      .difference;
}

Json SuccessRow::to_json() const {
  Json json = {{"distance", distance}, {"pairs", pairs}, {"infeasible_goals", infeasible}};
  const std::string names[4] = {"within_d", "within_d_plus_2", "within_2d",
                                fmt::format("within_2d_plus_{}", extra)};
  for (int b = 0; b < (extra > 0 ? 4 : 3); ++b) {
    const auto [low, high] = wilson(within[b], pairs);
    json[names[b]] = {{"percent", percent(within[b], pairs)}, {"low", low}, {"high", high}};
    if (goals.empty() || static_cast<std::int64_t>(goals.size()) == pairs) continue;
    const auto interval = by_goals(*this, b);
    json[names[b]]["by_goals"] = {{"goals", goals.size()}, {"low", interval.low}, {"high", interval.high}};
  }
  const SuccessRow::Hops all = sum_walked();
  json["turn_ratio"] = turn_ratio;
  if (natural_known) json.update({{"log_prob_per_hop", log_prob}, {"log_prob", all.total()}});
  json["stand_twice"] = percent(twice, pairs);
  if (hubs_known) json["hub_share"] = all.hub_share();
  if (!shortest.empty()) {
    const SuccessRow::Hops direct = sum_shortest();
    json["shortest"] = {{"log_prob_per_hop", direct.mean()}, {"log_prob", direct.total()}};
    if (hubs_known) json["shortest"]["hub_share"] = direct.hub_share();
  }
  if (asked > 0) {
    const auto [low, high] = wilson(answered, asked);
    json["questions"] = {{"asked", asked},
                         {"heard", percent(heard, asked)},
                         {"answered", {{"percent", percent(answered, asked)}, {"low", low}, {"high", high}}}};
  }
  if (const auto gain = over_shortest({this, 1}))
    json["over_shortest"] = {{"log_prob_per_hop", gain->score}, {"low", gain->low}, {"high", gain->high}};
  return json;
}

std::string success_table(std::span<const SuccessRow> rows) {
  const auto overall = over_shortest(rows);
  std::string text = "distance  pairs    within d            within d + 2        within 2 d        ";
  const int extra = rows.empty() ? 0 : rows.front().extra;
  if (extra > 0) text += fmt::format("  within 2 d + {:<7}", extra);
  text += "  hops/d  log p/hop";
  text += overall ? "  over shortest paths\n" : "\n";
  for (const SuccessRow& row : rows) {
    text += fmt::format("{:8}  {:5}", row.distance, row.pairs);
    for (int b = 0; b < (extra > 0 ? 4 : 3); ++b) {
      const std::int64_t hits = row.within[b];
      const auto [low, high] = wilson(hits, row.pairs);
      text += fmt::format("  {:5.1f} % [{:4.1f}, {:5.1f}]", percent(hits, row.pairs), low, high);
    }
    text += fmt::format("  {:6.2f}  {:>9}", row.turn_ratio, told(row.log_prob, row));
    if (const auto gain = over_shortest({&row, 1})) text += "  " + gain_text(*gain);
    if (row.infeasible > 0) text += fmt::format("   ({} goals have nothing so far away)", row.infeasible);
    text += '\n';
  }
  if (overall)
    text += fmt::format("log p a hop over shortest paths between the same pairs, all distances: {}\n",
                        gain_text(*overall));
  return text + goals_table(rows) + whole_walks_table(rows) + questions_table(rows);
}

std::string hubs_text(const graph::KnowledgeGraph& graph, const graph::Hubs& hubs) {
  std::string names;
  for (const graph::EntityId hub : hubs.list()) {
    if (!names.empty()) names += ", ";
    names += graph.entity_name(hub);
  }
  return fmt::format("the {} largest hubs: {}\n", hubs.list().size(), names);
}

Json hubs_json(const graph::KnowledgeGraph& graph, const graph::Hubs& hubs) {
  Json names = Json::array();
  for (const graph::EntityId hub : hubs.list()) names.push_back(graph.entity_name(hub));
  return names;
}

}  // namespace kgwalk::rl
