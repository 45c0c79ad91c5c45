#include "listening/candidates/said_before.h"

#include <algorithm>

namespace kgwalk::listening {
namespace {

using graph::EntityId;

constexpr std::size_t kMostFocus = 6;  // answers that are remembered one by one
constexpr int kLongestAgo = 5;
constexpr std::size_t kMostThose = 200;  // answers that are spoken of together

}  // namespace

void remember(const AskedTurn& turn, SaidBefore& before) {
  auto& focus = before.focus;
  const bool first = focus.empty();
  for (auto& [entity, note] : focus) ++note.turns_ago;
  std::erase_if(focus, [](const auto& each) { return each.second.turns_ago > kLongestAgo; });
  const auto stands = [&](EntityId e) {
    return std::find_if(focus.begin(), focus.end(), [&](const auto& each) { return each.first == e; });
  };
  for (const EntityId entity : turn.named) {
    const auto old = stands(entity);
    const bool was_first = first || (old != focus.end() && old->second.first_topic);
    if (old != focus.end()) focus.erase(old);
    focus.emplace_back(entity, FocusNote{.topic = true, .first_topic = was_first});
  }
  if (!turn.counted && !turn.values)
    for (const EntityId entity : turn.answers.first(std::min(kMostFocus, turn.answers.size()))) {
      const auto old = stands(entity);
      if (old != focus.end() && old->second.topic) continue;
      if (old != focus.end()) focus.erase(old);
      focus.emplace_back(entity, FocusNote{.answers = turn.answers.size()});
    }
  before.relations = turn.relations;
  before.counted = turn.counted;
  const bool several = turn.answers.size() > 1 && turn.answers.size() <= kMostThose && !turn.values;
  before.answers.assign(turn.answers.begin(), several ? turn.answers.end() : turn.answers.begin());
}

}  // namespace kgwalk::listening
