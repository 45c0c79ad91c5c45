#include "rl/environment/success_rates.h"

#include <fmt/format.h>

#include <cmath>

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

}  // namespace

SuccessRow::Hops& SuccessRow::Hops::operator+=(const Hops& other) {
  log_prob += other.log_prob;
  number += other.number;
  return *this;
}

SuccessRow success_row(int distance, std::span<const Walk> walks, std::int64_t infeasible,
                       std::span<const Walk> shortest) {
  SuccessRow row;
  row.distance = distance;
  row.infeasible = infeasible;
  row.pairs = static_cast<std::int64_t>(walks.size());
  std::int64_t reached = 0;
  SuccessRow::Hops all;
  for (const Walk& w : walks) {
    row.walked.push_back({w.log_prob, w.episode.hops});
    all += row.walked.back();
    for (const AskedOnTheWay& asked : w.asked) {
      ++row.asked;
      row.heard += asked.heard ? 1 : 0;
      row.answered += asked.right ? 1 : 0;
    }
    if (!w.reached()) continue;
    ++reached;
    row.turn_ratio += static_cast<double>(w.episode.hops) / distance;
    const int budgets[3] = {distance, distance + 2, 2 * distance};
    for (int b = 0; b < 3; ++b) row.within[b] += w.episode.hops <= budgets[b];
  }
  for (const Walk& w : shortest) row.shortest.push_back({w.log_prob, w.episode.hops});
  if (reached > 0) row.turn_ratio /= static_cast<double>(reached);
  row.log_prob = all.mean();
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
  const char* names[3] = {"within_d", "within_d_plus_2", "within_2d"};
  for (int b = 0; b < 3; ++b) {
    const auto [low, high] = wilson(within[b], pairs);
    json[names[b]] = {{"percent", percent(within[b], pairs)}, {"low", low}, {"high", high}};
  }
  json["turn_ratio"] = turn_ratio;
  json["log_prob_per_hop"] = log_prob;
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
  std::string text =
      "distance  pairs    within d            within d + 2        within 2 d          hops/d  log p/hop";
  text += overall ? "  over shortest paths\n" : "\n";
  for (const SuccessRow& row : rows) {
    text += fmt::format("{:8}  {:5}", row.distance, row.pairs);
    for (const std::int64_t hits : row.within) {
      const auto [low, high] = wilson(hits, row.pairs);
      text += fmt::format("  {:5.1f} % [{:4.1f}, {:5.1f}]", percent(hits, row.pairs), low, high);
    }
    text += fmt::format("  {:6.2f}  {:9.2f}", row.turn_ratio, row.log_prob);
    if (const auto gain = over_shortest({&row, 1})) text += "  " + gain_text(*gain);
    if (row.infeasible > 0) text += fmt::format("   ({} goals have nothing so far away)", row.infeasible);
    text += '\n';
  }
  if (overall)
    text += fmt::format("log p a hop over shortest paths between the same pairs, all distances: {}\n",
                        gain_text(*overall));
  return text + questions_table(rows);
}

}  // namespace kgwalk::rl
