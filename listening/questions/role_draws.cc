// Questions with a name that the answer is not reached from: a part that somebody played, an answer that is
// known.
#include "listening/questions/english.h"
#include "listening/questions/form_draws.h"
#include "listening/questions/made_up.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kMostPlayers = 60;

}  // namespace

std::optional<EntityId> FormDraws::some_played() {
  if (players_.empty()) return std::nullopt;
  return draws_.fact_of(pick(players_, random_), random_).head;
}

// Parts have names that no graph has, and at times that of something else.
FormDraws::Drawn FormDraws::draw_of_role(std::optional<EntityId> topic) {
  if (players_.empty()) return std::nullopt;
  RelationId by = pick(players_, random_);
  const EntityId work = topic.value_or(draws_.fact_of(by, random_).head);
  if (topic)
    for (const RelationId r : players_)
      if (draws_.num_tails(work, r) > draws_.num_tails(work, by)) by = r;
  about_ = topic;
  names_.clear();
  auto step = step_from(work, by);
  if (!step || step->reached.size() > kMostPlayers) return std::nullopt;
  const std::vector<std::string> others = split_words(graph_.entity_name(draws_.entity(random_)));
  const bool own = others.size() == 1 && happens(random_, 0.5);
  const std::string name = own ? others.front() : made_up_name(random_);
  std::string text = wording_.ask_by_role(said(work), name);
  names_.push_back(name);
  forms::Set set = form_of_step(*step);
  return made(std::move(text), "one hop", false, std::move(step->reached), std::move(set), {by}, {work});
}

// "Besides Y, who wrote it": whoever answers leaves out what was named.
std::string FormDraws::beside(std::string text, const EntitySet& answers) {
  const EntityId known = pick(answers, random_);
  if (draws_.is_value(known)) return text;
  const std::string y = said(known);
  const std::string how = wording_.one_of({"besides ", "apart from ", "other than ", "in addition to ",
                                           "aside from ", "beside ", "not counting "});
  if (happens(random_, 0.5))
    for (const std::string_view who : {"who ", "what ", "where "})
      if (text.starts_with(who)) {
        text.insert(who.size(), "else ");
        break;
      }
  return happens(random_, 0.6) ? how + y + ", " + text : std::move(text) + " " + how + y;
}

}  // namespace kgwalk::listening
