#include "listening/candidates/said_before.h"

#include <algorithm>

namespace kgwalk::listening {
namespace {

using graph::EntityId;

constexpr std::size_t kMostFocus = 6;  // answers that are remembered one by one
constexpr int kLongestAgo = 5;
constexpr int kLongestThose = 2;
constexpr std::size_t kMostThose = 200;  // answers that are spoken of together

// The answers that are remembered one by one: those that were told, where it is known.
std::span<const EntityId> remembered(const AskedTurn& turn) {
  const std::span<const EntityId> all = turn.told.empty() ? turn.answers : turn.told;
  return all.first(std::min(kMostFocus, all.size()));
}

// "Those": the several of this turn, else of one before it for a while. Who was told the newest of them may
// still ask for the oldest.
void remember_answers(const AskedTurn& turn, SaidBefore& before) {
  if (turn.answers.size() > 1 && !turn.values) {
    const bool few = turn.answers.size() <= kMostThose;
    before.answers.assign(turn.answers.begin(), few ? turn.answers.end() : turn.answers.begin());
    before.answers_ago = 0;
    return;
  }
  const bool one_of_those =
      !turn.checked && turn.answers.size() == 1 &&
      std::binary_search(before.answers.begin(), before.answers.end(), turn.answers.front());
  before.answers_ago = one_of_those ? 0 : before.answers_ago + 1;
  if (before.answers_ago > kLongestThose) before.answers.clear();
}

}  // namespace

void remember(const AskedTurn& turn, SaidBefore& before) {
  auto& focus = before.focus;
  const bool first = focus.empty();
  for (auto& [entity, note] : focus) ++note.turns_ago;
  std::erase_if(focus, [](const auto& each) { return each.second.turns_ago > kLongestAgo; });
  const auto stands = [&](EntityId e) {
    return std::find_if(focus.begin(), focus.end(), [&](const auto& each) { return each.first == e; });
  };
  const auto place_of = [&](EntityId e) {
    const auto found = std::find(turn.told.begin(), turn.told.end(), e);
    return found == turn.told.end() ? 0 : static_cast<std::size_t>(found - turn.told.begin()) + 1;
  };
  const bool told = !turn.counted && !turn.values;
  const auto is_answer = [&](EntityId e) {
    return told && std::find(turn.answers.begin(), turn.answers.end(), e) != turn.answers.end();
  };
  const bool compared = turn.named.size() == 2 && turn.answers.size() == 1 &&
                        is_answer(turn.named.front()) != is_answer(turn.named.back());
  for (const EntityId entity : turn.named) {
    const auto old = stands(entity);
    const bool was_first = first || (old != focus.end() && old->second.first_topic);
    if (old != focus.end()) focus.erase(old);
    focus.emplace_back(entity, FocusNote{.topic = true,
                                         .first_topic = was_first,
                                         .chosen = compared && is_answer(entity),
                                         .left = compared && !is_answer(entity)});
  }
  if (told)
    for (const EntityId entity : remembered(turn)) {
      const auto old = stands(entity);
      if (old != focus.end() && old->second.topic) continue;
      if (old != focus.end()) focus.erase(old);
      focus.emplace_back(entity, FocusNote{.answers = turn.answers.size(), .place = place_of(entity)});
    }
  before.relations = turn.relations;
  before.counted = turn.counted;
  before.checked = turn.checked;
  remember_answers(turn, before);
}

}  // namespace kgwalk::listening
