// What takes an edit back: its changes from the last to the first, each where it is still as the edit left
// it.
#include <algorithm>

#include "graph/edits/editor.h"
#include "graph/names.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {

// A name that another entity has got meanwhile, or that was changed again, stays as it is.
void Editor::take_back_name(const Change& done) {
  const std::string now(delta_->entity_name(done.entity));
  if (now != done.after) return tell("is called otherwise by a later edit: " + now);
  if (done.before.empty() &&
      (!delta_->edges_of(done.entity).empty() || !delta_->aliases_of(done.entity).empty()))
    return tell("later edits say more of it, so it stays: " + now);
  if (!done.before.empty()) {
    const auto other = delta_->find_entity(done.before);
    if (other && *other != done.entity && name_key(delta_->entity_name(*other)) == name_key(done.before))
      return tell("is the name of another entity now: " + done.before);
  }
  change({.kind = ChangeKind::kName, .entity = done.entity, .before = done.after, .after = done.before});
  ++report_.other_changes;
}

// A fact of the base is shown again where it is hidden; one that an edit added comes back with its source.
void Editor::put_back(const Change& done) {
  if (delta_->has_fact(done.fact)) return tell("is there again: " + told(done.fact));
  // A graph may have an entity without a name; in a compacted base it is one that is no more.
  const bool compacted = store().compaction().edit > 0;
  for (const EntityId end : {done.fact.head, done.fact.tail})
    if (delta_->entity_name(end).empty() &&
        (compacted || end >= base_.num_entities() || !base_.entity_name(end).empty()))
      return tell("an entity of a fact is no more; its name was " +
                  std::string(end < base_.num_entities() ? base_.entity_name(end) : std::string_view("new")));
  if (done.kind == ChangeKind::kHide)
    change({.kind = ChangeKind::kShow, .fact = done.fact});
  else
    change({.kind = ChangeKind::kAdd, .fact = done.fact, .note = done.note});
  ++report_.facts_added;
}

void Editor::take_back(std::uint64_t number) {
  std::vector<Change> done = decode_changes(store().edit(number).changes);
  for (auto at = done.rbegin(); at != done.rend(); ++at) {
    const Change& step = *at;
    switch (step.kind) {
      case ChangeKind::kName:
        take_back_name(step);
        break;
      case ChangeKind::kJoin:
      case ChangeKind::kPart:
        change({.kind = step.kind == ChangeKind::kJoin ? ChangeKind::kPart : ChangeKind::kJoin,
                .entity = step.entity,
                .into = step.into});
        break;
      case ChangeKind::kId:
      case ChangeKind::kRelation:
        break;  // they mean nothing without facts
      case ChangeKind::kAdd:
        if (step.note && delta_->has_fact(step.fact) && !(delta_->note_of(step.fact) == *step.note)) {
          tell("was added again by a later edit: " + told(step.fact));
          break;
        }
        [[fallthrough]];
      case ChangeKind::kShow:
        if (!retract(step.fact)) tell("is gone already: " + told(step.fact));
        break;
      case ChangeKind::kDrop:
      case ChangeKind::kHide:
        put_back(step);
        break;
      case ChangeKind::kAlias:
        if (has_alias(step.entity, step.after))
          drop_alias(step.entity, step.after);
        else
          tell("is gone already: " + step.after);
        break;
      case ChangeKind::kNoAlias:
        alias(step.entity, step.before);
        break;
      case ChangeKind::kDescribe:
        if (description(step.entity) == step.after)
          describe(step.entity, step.before);
        else
          tell("is described otherwise by a later edit: " + std::string(delta_->entity_name(step.entity)));
        break;
    }
  }
}

}  // namespace kgwalk::graph
