// What a talk shows of itself.
#include <fmt/format.h>

#include <algorithm>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/plan_formats.h"
#include "planner/conversation/talk.h"

namespace kgwalk {
namespace {

constexpr std::size_t kWeighed = 8;  // candidates that /why shows

}  // namespace

std::string Talk::paths() const {
  return now_.found ? plan_as_text(named(graph(), *now_.found)) : std::string("Nothing was planned yet.\n");
}

// How sure the walker is that something is asked for, and of what.
std::string Talk::heard_text(const Findings& found) const {
  const walker::Hearing& heard = found.answer->hearing;
  std::string text = fmt::format("A fact is asked for with {:.1f} %", 100 * heard.asks());
  if (heard.asks() >= 0.05) {
    for (std::size_t i = 0; i < std::min<std::size_t>(3, heard.present.size()); ++i)
      text +=
          fmt::format("{} {} {:.1f} %", i == 0 ? ":" : ",", graph().relation_name(heard.present[i].relation),
                      100 * heard.present[i].probability);
    text += fmt::format("; that {} has none of it: {:.1f} %", name(found.start), 100 * heard.missing);
  }
  text += ". Otherwise habit decides.\n";
  return text;
}

std::string Talk::why() const {
  if (answerer_ && !now_.answered.is_null() && now_.focus.question) return answerer_->why(now_.focus) + "\n";
  if (!now_.found || now_.found->paths.empty()) return "Nothing was planned yet.\n";
  const FoundBranch& branch = now_.found->branches.front();
  const auto& goal = now_.found->goal;
  std::string text = fmt::format("At {} the walker weighed {} edges", name(branch.at), branch.num_candidates);
  if (goal) text += " towards " + name(*goal);
  text += fmt::format("; stopping there had {:.1f} %:\n", 100 * branch.stop_probability);
  if (now_.found->answer) text = heard_text(*now_.found) + text;
  const graph::Triple taken =
      now_.taken == kNoPath ? graph::Triple{} : now_.found->paths[now_.taken].hops.front().triple;
  for (std::size_t i = 0; i < std::min(kWeighed, branch.candidates.size()); ++i) {
    const auto& [hop, probability] = branch.candidates[i];
    text += fmt::format("{} {:6.2f} %  -[{}]-> {}", now_.taken != kNoPath && hop == taken ? "->" : "  ",
                        100 * probability, graph().relation_name(hop.relation), name(hop.tail));
    if (goal) {
      const graph::Distance left = distances().distance(hop.tail, *goal);
      text += left == graph::kUnreachable ? "   no path to goal" : fmt::format("   {} to goal", left);
    }
    text += '\n';
  }
  return text;
}

std::string Talk::where() const {
  const auto& s = now_.situation;
  if (!now_.placed)
    return s.goal ? fmt::format("goal: {}. Name an entity to start from.\n", name(*s.goal))
                  : std::string("Nowhere yet, and no goal. Name an entity to start from.\n");
  return fmt::format("at {}{}\n", name(s.start), s.goal ? distance_text(now_) : std::string("; no goal"));
}

Json Talk::transcript() const {
  const auto& goal = now_.situation.goal;
  return {{"turns", now_.turns}, {"goal", goal ? Json(name(*goal)) : Json(nullptr)}};
}

}  // namespace kgwalk
