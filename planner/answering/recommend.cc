#include "planner/answering/recommend.h"

#include <algorithm>

#include "planner/answering/alike.h"
#include "planner/answering/heard.h"

namespace kgwalk {
namespace {

using graph::EntityId;

constexpr std::size_t kMostAlike = 30;
constexpr double kSetIsMeant =
    0.1;  // of what is asked for, such as a thriller, where a wish may be no question

// "Like Heat", "if I loved Heat": not what leads from it is wanted.
bool says_alike(const listening::SaidText& said) {
  constexpr std::string_view kAlike[] = {"like",     "liked",     "likes",      "love",  "loved", "enjoy",
                                         "enjoyed",  "adore",     "adored",     "fan",   "fans",  "similar",
                                         "resemble", "resembles", "comparable", "close", "near"};
  return std::any_of(std::begin(kAlike), std::end(kAlike), [&](auto word) { return said.says(word); });
}

// The likeliest set of things that is asked for; null where none is likely.
const listening::HeardForm* asked_set(const listening::HeardUtterance& heard,
                                      const listening::Lexicon& lexicon) {
  for (const listening::HeardForm& form : heard.forms) {
    if (form.unsaid) continue;
    const bool things =
        form.is_set() && lexicon.values().kind(form.answers.front()) == graph::ValueKind::kThing;
    if (things && form.query.kind == forms::QueryKind::kFind) {
      double others = 0;
      for (const listening::HeardForm& other : heard.forms) others += other.unsaid ? 0 : other.probability;
      return form.probability >= kSetIsMeant * others ? &form : nullptr;
    }
  }
  return nullptr;
}

std::optional<std::uint32_t> type_said(const listening::HeardUtterance& heard) {
  return heard.parts.types.empty() ? std::nullopt : std::optional(heard.parts.types.front().type);
}

}  // namespace

AnsweredTurn recommended(AnsweringTurn& turn, const listening::HeardUtterance& heard,
                         std::optional<EntityId> named, const listening::Lexicon& lexicon) {
  const bool alike = says_alike(heard.parts.said);
  if (const auto* form = asked_set(heard, lexicon);
      form != nullptr && (!alike || !named || lexicon.is_general(*named)))
    return turn.suggest(*form);
  if (const auto liked = named ? named : turn.topic()) {
    auto things = alike_things(lexicon, *liked, type_said(heard), kMostAlike);
    if (things.empty()) things = alike_things(lexicon, *liked, std::nullopt, kMostAlike);
    if (!things.empty()) return turn.suggest(*liked, things);
    if (named) return turn.about(*liked);
  }
  return turn.reply(listening::Act::kRecommend);
}

}  // namespace kgwalk
