#include "planner/answering/check_again.h"

#include "forms/rows.h"
#include "planner/answering/heard.h"

namespace kgwalk {
namespace {

using graph::EntityId;
using graph::RelationId;
using listening::HeardForm;

bool is_one_entity(const forms::Set& set) {
  return set.kind == forms::SetKind::kEntities && set.entities.size() == 1;
}

// Whether it asks by one relation from one thing whether another is there.
bool is_plain_check(const forms::Query& query) {
  const forms::Set& set = query.set;
  return query.kind == forms::QueryKind::kCheck && !query.condition && query.members.size() == 1 &&
         is_one_entity(query.members.front()) && set.kind == forms::SetKind::kStep && set.qualified.empty() &&
         !set.relations.empty() && is_one_entity(set.parts.front());
}

// Whether what was heard may be the same again: nothing, or the relation of the check alone.
bool may_be_again(const HeardForm& form, RelationId relation, const listening::Lexicon& lexicon) {
  return form.unsaid || (form.is_set() && form.relations.size() == 1 &&
                         lexicon.entry_of(form.relations.front()) == lexicon.entry_of(relation));
}

}  // namespace

std::optional<HeardForm> check_again(const listening::HeardUtterance& heard, const Focus& before,
                                     const listening::ListenedGraph& graph) {
  if (!before.before.checked || !before.question || !is_plain_check(*before.question) || heard.forms.empty())
    return std::nullopt;
  const listening::Lexicon& lexicon = graph.lexicon();
  const auto named = named_instead(heard);
  const RelationId relation = before.question->set.relations.front();
  if (!named || !may_be_again(best_of(heard), relation, lexicon)) return std::nullopt;
  forms::Query again = *before.question;
  EntityId &from = again.set.parts.front().entities.front(), &member = again.members.front().entities.front();
  if (*named == from || *named == member) return std::nullopt;
  const auto has = [&](RelationId r) { return !forms::row(lexicon.graph(), *named, r).empty(); };
  if (has(lexicon.graph().inverse(relation)))
    member = *named;
  else if (has(relation))
    from = *named;
  else
    return std::nullopt;
  HeardForm form;
  form.probability = best_of(heard).probability;
  form.truth = graph.engine().answer(again).truth;
  form.about = {from, member};
  form.relations = {relation};
  form.query = std::move(again);
  return form.truth ? std::optional(std::move(form)) : std::nullopt;
}

}  // namespace kgwalk
