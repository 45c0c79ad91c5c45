#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/exam/exam.h"
#include "runtime/sharded_work.h"

namespace kgwalk {
namespace {

// What the assistant said; where it says nothing, the first line of what is shown.
std::string said_of(const Conversation::Reply& reply) {
  return reply.said.empty() ? reply.text.substr(0, reply.text.find('\n')) : reply.said;
}

std::pair<double, double> wilson(const ExamReport::Kind& kind) {
  if (kind.turns == 0) return {0, 0};
  const double z = 1.959964, n = static_cast<double>(kind.turns), p = static_cast<double>(kind.right) / n;
  const double center = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return {100 * (center - half), 100 * (center + half)};
}

double percent(const ExamReport::Kind& kind) {
  return kind.turns == 0 ? 0 : 100.0 * static_cast<double>(kind.right) / static_cast<double>(kind.turns);
}

// What was said to each turn, and whether it was right.
using Held = std::vector<std::pair<std::string, bool>>;

Held hold(Conversation conversation, const std::vector<ExamTurn>& turns) {
  Held held;
  for (const ExamTurn& turn : turns) {
    const std::string said = said_of(conversation.answer(turn.say));
    // As the script counts: the first path, which every turn walks that walks, is none that was chosen.
    const bool walked = conversation.standing().taken.value_or(0) != 0;
    held.emplace_back(said, !turn.kind.empty() && is_right(turn, said, walked));
  }
  return held;
}

}  // namespace

std::vector<ExamReport::Kind> ExamReport::kinds() const {
  std::vector<Kind> found;
  Kind all;
  for (const std::vector<HeldTurn>& conversation : conversations)
    for (const HeldTurn& held : conversation) {
      const std::string& name = held.turn.kind;
      if (name.empty()) continue;
      auto at = std::find_if(found.begin(), found.end(), [&](const Kind& kind) { return kind.name == name; });
      if (at == found.end()) at = found.insert(found.end(), Kind{name});
      for (Kind* kind : {&*at, &all}) {
        ++kind->turns;
        kind->right += held.right ? 1 : 0;
      }
    }
  found.push_back(all);
  return found;
}

std::string ExamReport::to_text() const {
  std::string text = " right   95 % interval     of turns  kind\n";
  for (const Kind& kind : kinds()) {
    const auto [low, high] = wilson(kind);
    text += fmt::format("{:5.1f} %  {:5.1f} to {:5.1f} {:5} of {:4}  {}\n", percent(kind), low, high,
                        kind.right, kind.turns, kind.name.empty() ? "all" : kind.name);
  }
  return text;
}

Json ExamReport::to_json() const {
  Json json = {{"kinds", Json::array()}, {"conversations", Json::array()}};
  for (const Kind& kind : kinds()) {
    const auto [low, high] = wilson(kind);
    Json row = {{"kind", kind.name},
                {"right", kind.right},
                {"turns", kind.turns},
                {"percent", percent(kind)},
                {"interval", {low, high}}};
    if (kind.name.empty()) {
      row.erase("kind");
      json["all"] = std::move(row);
    } else {
      json["kinds"].push_back(std::move(row));
    }
  }
  for (const std::vector<HeldTurn>& conversation : conversations) {
    Json turns = Json::array();
    for (const HeldTurn& held : conversation)
      turns.push_back({{"say", held.turn.say},
                       {"said", held.said},
                       {"kind", held.turn.kind.empty() ? Json(nullptr) : Json(held.turn.kind)},
                       {"right", held.turn.kind.empty() ? Json(nullptr) : Json(held.right)}});
    json["conversations"].push_back(std::move(turns));
  }
  return json;
}

std::string ExamReport::to_markdown() const {
  std::string text = "# Conversations\n\n```\n" + to_text() + "```\n";
  for (std::size_t i = 0; i < conversations.size(); ++i) {
    text += fmt::format("\n## {}\n", i + 1);
    for (const HeldTurn& held : conversations[i]) {
      text += fmt::format("\n**{}**\n\n", held.turn.say);
      text += fmt::format("{}\n", held.said.empty() ? "(nothing)" : held.said);
      if (!held.turn.kind.empty())
        text += fmt::format("\n*{}: {}*\n", held.turn.kind, held.right ? "right" : "wrong");
    }
  }
  return text;
}

ExamReport hold_exam(const Conversation& model, const Exam& exam, std::uint64_t seed, Reporter& reporter,
                     const StopFlag& stop, ShardedWork* work) {
  ShardedWork alone;
  if (work == nullptr) work = &alone;
  ExamReport report;
  const auto progress =
      reporter.start("holding conversations", static_cast<std::int64_t>(exam.size()), "conversations");
  for (const std::vector<ExamTurn>& turns : exam) {
    if (stop.requested()) break;
    const auto held = work->unit<Held>([&] { return hold(model.another(seed), turns); });
    if (held) {
      std::vector<HeldTurn>& conversation = report.conversations.emplace_back();
      for (std::size_t i = 0; i < turns.size(); ++i)
        conversation.push_back({turns[i], held->at(i).first, held->at(i).second});
    }
    progress->add(1);
  }
  return report;
}

}  // namespace kgwalk
