#include "planner/answering/turns_together.h"

#include <utility>

namespace kgwalk {
namespace {

bool is_worth_more(const AnsweredTurn& turn) {
  return turn.kind != TurnKind::kReplied && turn.kind != TurnKind::kWalk;
}

}  // namespace

AnsweredTurn together(std::vector<AnsweredTurn> turns) {
  AnsweredTurn last = std::move(turns.back());
  turns.pop_back();
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    const Focus focus = last.focus;
    if (is_worth_more(last) && !is_worth_more(*turn)) continue;
    if (!is_worth_more(last) && (is_worth_more(*turn) || turn->kind == TurnKind::kWalk)) {
      last = std::move(*turn);
    } else if (last.kind != TurnKind::kWalk && turn->sentence != last.sentence) {
      last.sentence = turn->sentence + " " + last.sentence;
      if (!last.query) {
        last.query = std::move(turn->query);
        last.answer = std::move(turn->answer);
        last.probability = turn->probability;
      }
      last.evidence.insert(last.evidence.begin(), turn->evidence.begin(), turn->evidence.end());
    }
    last.focus = focus;
    last.focus.said = last.sentence;
  }
  return last;
}

}  // namespace kgwalk
