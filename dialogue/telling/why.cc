#include "dialogue/telling/why.h"

#include <algorithm>

#include "dialogue/telling/names.h"
#include "dialogue/telling/teller.h"
#include "forms/text/relation_phrases.h"
#include "kgwalk/form_text.h"

namespace kgwalk::dialogue {
namespace {

using forms::QueryKind;
using graph::EntityId;

constexpr std::size_t kExplained = 2;  // of several answers so many are explained
constexpr std::size_t kMostTails = 3;  // of one relation so many are named

// What an explanation is about: answers, else members of the set, else what is compared.
std::vector<EntityId> explained(const forms::Query& query, const forms::Answer& answer,
                                const forms::Engine& engine, forms::Bindings before) {
  std::vector<EntityId> all;
  if (!query.compared.empty()) {
    for (const forms::Measured& each : answer.measured) all.push_back(each.entity);
    return all;
  }
  if (!answer.entities.empty()) return answer.entities;
  const bool asks_members = query.kind == QueryKind::kCheck && !query.members.empty();
  const forms::Set& set = asks_members ? query.members.front() : query.set;
  return engine.members(set, before).value_or(std::vector<EntityId>{});
}

// Facts that one statement says.
struct Together {
  EntityId head;
  graph::RelationId relation;
  std::vector<EntityId> tails;
};

void add(const graph::Triple& fact, std::vector<Together>& all) {
  const auto same = std::find_if(all.begin(), all.end(), [&](const Together& each) {
    return each.head == fact.head && each.relation == fact.relation;
  });
  std::vector<EntityId>& tails =
      same != all.end() ? same->tails : all.emplace_back(Together{fact.head, fact.relation, {}}).tails;
  if (std::find(tails.begin(), tails.end(), fact.tail) == tails.end()) tails.push_back(fact.tail);
}

}  // namespace

std::string form_line(const forms::Query& query, const forms::Answer& answer, const forms::Engine& engine,
                      const Wordings& wordings, const TellOptions& options) {
  const Teller teller(query, answer, engine, wordings, options);
  const bool whole = answer.cut == forms::Cut::kNone || answer.cut == forms::Cut::kRows;
  const bool listed = query.kind == QueryKind::kFind || query.kind == QueryKind::kCount ||
                      (query.kind == QueryKind::kCheck && query.members.empty());
  std::string line = teller.asked();
  if (line.starts_with("the ")) line.erase(0, 4);
  if (!whole) return line + ": not known";
  if (answer.no_common_value) return line + ": nothing to compare";
  if (listed && query.kind != QueryKind::kCheck) {
    const std::size_t few = 3;
    if (query.kind == QueryKind::kCount || answer.total > few) return line + ": " + number_text(answer.total);
    std::vector<std::string> names;
    for (const EntityId each : answer.entities) names.push_back(said_name(engine.values(), each));
    return line + ": " + (names.empty() ? "none" : forms::listed(names));
  }
  if (answer.truth) return line + ": " + (*answer.truth ? "yes" : "no");
  if (query.kind == QueryKind::kSum || query.kind == QueryKind::kAverage)
    return line + ": " + (answer.number ? teller.number_answer() : "not known");
  return forms::in_words(query, engine.values(), answer);
}

std::string why_sentence(const forms::Query& query, const forms::Answer& answer, const forms::Engine& engine,
                         const Wordings& wordings, const TellOptions& options) {
  if (answer.cut != forms::Cut::kNone && answer.cut != forms::Cut::kRows) return {};
  if (query.kind == QueryKind::kRelations && !answer.relations.empty())
    return tell(query, answer, engine, wordings, options).sentence;
  const FactSpeaker facts(engine.values(), wordings);
  const std::vector<EntityId> all = explained(query, answer, engine, options.before);
  const std::size_t from = std::min(options.skip, all.size());
  const std::size_t end = std::min(all.size(), from + kExplained);
  std::vector<Together> together;
  for (std::size_t i = from; i < end; ++i) {
    const std::vector<graph::Triple> edges = engine.evidence(query, all[i], options.before);
    for (const graph::Triple& edge : edges) add(edge, together);
  }
  if (together.empty()) return {};
  std::vector<std::string> said;
  bool name_first = false;
  for (const Together& each : together) {
    const std::size_t named = std::min(kMostTails, each.tails.size());
    const std::vector<EntityId> tails(each.tails.begin(), each.tails.begin() + static_cast<long>(named));
    const Worded one = facts.fact(each.head, each.relation, tails, each.tails.size() - named);
    if (said.empty()) name_first = one.begins_with_name;
    said.push_back(one.text);
  }
  std::string text;
  for (std::size_t i = 0; i < said.size(); ++i)
    text += (i == 0 ? "" : i + 1 == said.size() ? ", and " : ", ") + said[i];
  text = ended(name_first ? text : capital(text));
  const std::uint64_t total = std::max<std::uint64_t>(answer.total, all.size());
  if (total > end) text += " The same goes for " + number_text(total - end) + " more.";
  return text;
}

}  // namespace kgwalk::dialogue
