// What self-play tells, as json, as text and as a page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "planner/conversation/self_play.h"
#include "planner/formats/plan_parts.h"
#include "runtime/plot.h"
#include "runtime/text.h"

namespace kgwalk {
namespace {

double percent(std::int64_t part, std::int64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

// Wilson's interval of 95 %, in percent.
std::pair<double, double> interval(std::int64_t hits, std::int64_t all) {
  if (all == 0) return {0, 0};
  const double z = 1.959964, n = static_cast<double>(all), p = static_cast<double>(hits) / n;
  const double center = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return {100 * (center - half), 100 * (center + half)};
}

struct Arrivals {
  std::int64_t dialogues = 0, reached = 0, turns = 0;  // turns of those that arrived
};

struct Sums {
  std::map<int, Arrivals> by_distance;
  Arrivals all;
  std::int64_t turns = 0, sentences = 0, names = 0, named = 0, wrong = 0, written = 0;
  std::int64_t repeated_user = 0, repeated_assistant = 0, revisited = 0, hops = 0;
  std::int64_t asked = 0, answerable = 0, answered = 0;
  std::vector<double> ms;
};

void add_turns(const SelfPlayDialogue& dialogue, Sums& sums) {
  std::set<std::string> user, assistant, visited{dialogue.start};
  for (const SelfPlayTurn& turn : dialogue.turns) {
    ++sums.turns;
    sums.ms.push_back(turn.ms);
    sums.repeated_user += !user.insert(turn.user).second;
    sums.asked += !turn.asked.empty();
    sums.answerable += turn.answerable;
    sums.answered += turn.answerable && turn.answered;
    for (const Json& hop : turn.path) {
      ++sums.hops;
      sums.revisited += !visited.insert(hop.at("tail").get<std::string>()).second;
    }
    if (turn.assistant.empty()) continue;
    ++sums.sentences;
    sums.repeated_assistant += !assistant.insert(turn.assistant).second;
    sums.names += turn.names;
    sums.named += turn.named;
    sums.wrong += !turn.wrong.empty();
    sums.written += turn.written;
  }
}

Sums sums_of(const std::vector<SelfPlayDialogue>& dialogues) {
  Sums sums;
  for (const SelfPlayDialogue& dialogue : dialogues) {
    for (Arrivals* arrivals : {&sums.all, &sums.by_distance[dialogue.distance]}) {
      ++arrivals->dialogues;
      arrivals->reached += dialogue.reached;
      if (dialogue.reached) arrivals->turns += static_cast<std::int64_t>(dialogue.turns.size());
    }
    add_turns(dialogue, sums);
  }
  std::sort(sums.ms.begin(), sums.ms.end());
  return sums;
}

double at_share(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

double mean_turns(const Arrivals& arrivals) {
  return arrivals.reached == 0 ? 0
                               : static_cast<double>(arrivals.turns) / static_cast<double>(arrivals.reached);
}

Json json_of(const Arrivals& arrivals) {
  const auto [low, high] = interval(arrivals.reached, arrivals.dialogues);
  return {
      {"dialogues", arrivals.dialogues},
      {"reached", {{"percent", percent(arrivals.reached, arrivals.dialogues)}, {"low", low}, {"high", high}}},
      {"turns", mean_turns(arrivals)}};
}

Json json_of(const SelfPlayTurn& turn) {
  Json json = {{"user", turn.user},
               {"assistant", turn.assistant},
               {"from", turn.from},
               {"path", turn.path},
               {"left", turn.left}};
  if (!turn.asked.empty())
    json["question"] = {
        {"relation", turn.asked}, {"answerable", turn.answerable}, {"answered", turn.answered}};
  json["names"] = {{"of", turn.names}, {"said", turn.named}, {"wrong", turn.wrong}};
  return json;
}

std::string outcome(const SelfPlayDialogue& dialogue) {
  const auto turns = dialogue.turns.size();
  const std::string in = fmt::format("{} turn{}", turns, turns == 1 ? "" : "s");
  return dialogue.reached ? "reached in " + in : "not reached in " + in;
}

std::string dialogue_html(const SelfPlayDialogue& dialogue, std::size_t number) {
  std::string out =
      fmt::format("<section><h2>{}. {} to {}, {} away; {}</h2>\n", number, escape_xml(dialogue.start),
                  escape_xml(dialogue.goal), hops_as_text(dialogue.distance), outcome(dialogue));
  for (const SelfPlayTurn& turn : dialogue.turns) {
    out += said_as_html({.speaker = "user", .text = turn.user});
    if (!turn.assistant.empty()) out += said_as_html({.speaker = "assistant", .text = turn.assistant});
    std::string way = turn.from;
    for (const Json& hop : turn.path)
      way += fmt::format(" -[{}]-> {}", hop.at("relation").get<std::string>(),
                         hop.at("tail").get<std::string>());
    out += fmt::format("<p class=\"who\">{} ({} left)</p>\n", escape_xml(way), hops_as_text(turn.left));
  }
  return out + "</section>\n";
}

}  // namespace

Json SelfPlayDialogue::to_json() const {
  Json json = {{"start", start}, {"goal", goal}, {"distance", distance}, {"reached", reached}};
  json["turns"] = Json::array();
  for (const SelfPlayTurn& turn : turns) json["turns"].push_back(json_of(turn));
  return json;
}

Json SelfPlayReport::to_json() const {
  const Sums sums = sums_of(dialogues);
  const auto [low, high] = interval(sums.answered, sums.answerable);
  Json distances = Json::object();
  for (const auto& [distance, arrivals] : sums.by_distance)
    distances[std::to_string(distance)] = json_of(arrivals);
  Json json = json_of(sums.all);
  json["asked_for"] = asked_for;
  json["by_distance"] = std::move(distances);
  json["sentences"] = sums.sentences;
  json["names_said"] = percent(sums.named, sums.names);
  json["sentences_with_wrong_names"] = percent(sums.wrong, sums.sentences);
  json["as_the_graph_writes_them"] = percent(sums.written, sums.sentences);
  json["repeated"] = {{"user", percent(sums.repeated_user, sums.turns)},
                      {"assistant", percent(sums.repeated_assistant, sums.sentences)},
                      {"entities", percent(sums.revisited, sums.hops)}};
  json["questions"] = {
      {"asked", sums.asked},
      {"answerable", sums.answerable},
      {"answered", {{"percent", percent(sums.answered, sums.answerable)}, {"low", low}, {"high", high}}}};
  json["turn_ms"] = {{"median", at_share(sums.ms, 0.5)}, {"p99", at_share(sums.ms, 0.99)}};
  json["seconds"] = seconds;
  json["threads"] = threads;
  json["dialogues_a_second"] = seconds > 0 ? static_cast<double>(dialogues.size()) / seconds : 0;
  return json;
}

std::string SelfPlayReport::to_text() const {
  const Sums sums = sums_of(dialogues);
  std::string text;
  if (dialogues.size() < static_cast<std::size_t>(asked_for))
    text += fmt::format("stopped: {} of {} dialogues\n", dialogues.size(), asked_for);
  text += "distance  dialogues  reached                  turns\n";
  const auto line = [&](const std::string& name, const Arrivals& arrivals) {
    const auto [low, high] = interval(arrivals.reached, arrivals.dialogues);
    text += fmt::format("{:>8}  {:9}  {:5.1f} % [{:4.1f}, {:5.1f}]  {:7.1f}\n", name, arrivals.dialogues,
                        percent(arrivals.reached, arrivals.dialogues), low, high, mean_turns(arrivals));
  };
  for (const auto& [distance, arrivals] : sums.by_distance) line(std::to_string(distance), arrivals);
  line("all", sums.all);
  text += fmt::format(
      "assistant: {} sentences, {:.2f} % of their names said, {:.2f} % with a wrong name as the graph writes "
      "it "
      "({:.2f} % in any case)\n",
      with_commas(sums.sentences), percent(sums.named, sums.names), percent(sums.written, sums.sentences),
      percent(sums.wrong, sums.sentences));
  text += fmt::format(
      "said before in its dialogue: {:.1f} % of the user's, {:.1f} % of the assistant's; entities come "
      "to again: {:.1f} % of {} hops\n",
      percent(sums.repeated_user, sums.turns), percent(sums.repeated_assistant, sums.sentences),
      percent(sums.revisited, sums.hops), with_commas(sums.hops));
  const auto [low, high] = interval(sums.answered, sums.answerable);
  text += fmt::format(
      "questions: {}, {} of them answered by the graph; a right answer to {:.1f} % [{:.1f}, {:.1f}]\n",
      with_commas(sums.asked), with_commas(sums.answerable), percent(sums.answered, sums.answerable), low,
      high);
  text += fmt::format(
      "{:.1f} s, {:.2f} dialogues a second, {} threads; a turn {:.0f} ms (median), {:.0f} ms (99 %)\n",
      seconds, seconds > 0 ? static_cast<double>(dialogues.size()) / seconds : 0, threads,
      at_share(sums.ms, 0.5), at_share(sums.ms, 0.99));
  return text;
}

std::string self_play_as_html(const SelfPlayReport& report, std::size_t shown) {
  const std::size_t count = std::min(shown, report.dialogues.size());
  std::string body =
      "<main class=\"turns\"><section><h1>Self-play</h1><pre>" + escape_xml(report.to_text()) + "</pre>";
  if (count < report.dialogues.size())
    body += fmt::format("<h2>The first {} of {} dialogues</h2>", count, report.dialogues.size());
  body += "</section>\n";
  for (std::size_t i = 0; i < count; ++i) body += dialogue_html(report.dialogues[i], i + 1);
  return html_page("Self-play", body + "</main>");
}

}  // namespace kgwalk
