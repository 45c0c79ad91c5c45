// Candidates as forms.
#include <utility>

#include "kgwalk/graph_details.h"
#include "listening/candidates/candidate_sets.h"

namespace kgwalk::listening {
namespace {

forms::Set start_of(const Candidate& candidate, const HeardParts& parts, std::size_t mention,
                    const Lexicon& lexicon) {
  const HeardMention& heard = parts.mentions[candidate.mentions[mention]];
  if (heard.of_type) return all_of(lexicon.types()[heard.type], lexicon);
  return forms::entities(heard.members.empty() ? std::vector{heard.entity} : heard.members);
}

forms::Set with_type(forms::Set set, const Candidate& candidate, const HeardParts& parts,
                     const Lexicon& lexicon) {
  return forms::both(std::move(set), all_of(lexicon.types()[parts.types[candidate.type].type], lexicon));
}

// The set that a candidate's own steps lead to.
forms::Set set_of(const Candidate& candidate, const HeardParts& parts, const Lexicon& lexicon) {
  const std::span<const Slot> slots = set_slots(candidate);
  const auto stepped = [&](std::size_t slot) {
    return forms::step(start_of(candidate, parts, slots[slot].mention, lexicon), {slots[slot].relation},
                       candidate.qualified);
  };
  // Of the answers of before, and of what is joined with them, the first part has no step.
  const bool joins = candidate.shape == Shape::kAnd || candidate.shape == Shape::kBut;
  if (candidate.shape == Shape::kEnds) return forms::having({candidate.slots.back().relation});
  const bool those = candidate.shape == Shape::kThose || (joins && slots.size() == 1);
  forms::Set set = those ? start_of(candidate, parts, 0, lexicon) : stepped(0);
  if (candidate.shape == Shape::kTwo) {
    if (candidate.type_at == TypeAt::kMiddle) set = with_type(std::move(set), candidate, parts, lexicon);
    set = forms::step(std::move(set), {slots[1].relation});
  }
  if (candidate.shape == Shape::kAnd) set = forms::both(std::move(set), stepped(slots.size() - 1));
  if (candidate.shape == Shape::kBut) set = forms::but(std::move(set), stepped(slots.size() - 1));
  if (candidate.type_at == TypeAt::kAnswer) set = with_type(std::move(set), candidate, parts, lexicon);
  return set;
}

forms::Measure own_measure(const Candidate& candidate) {
  const forms::Relations relations = {candidate.slots.back().relation};
  return candidate.by_count ? forms::count_of(relations) : forms::value_of(relations);
}

forms::Condition condition_on(const Candidate& candidate, const HeardParts& parts, const Lexicon& lexicon) {
  if (candidate.than)
    return condition_of(candidate.asked,
                        {.value = value_of(lexicon, parts.mentions[candidate.mentions.back()].entity,
                                           candidate.slots.back().relation)
                                      .value()});
  if (candidate.by_count) return condition_of(candidate.asked, parts.values[candidate.value]);
  return condition_of(candidate.asked,
                      as_measured(parts.values[candidate.value], candidate.slots.back().relation, lexicon));
}

forms::Query compared(const Candidate& candidate, const HeardParts& parts, const Lexicon& lexicon) {
  forms::Set first = start_of(candidate, parts, 0, lexicon);
  if (candidate.shape == Shape::kOne)  // with a value
    return forms::check(forms::where(std::move(first), {candidate.slots.back().relation},
                                     condition_on(candidate, parts, lexicon)));
  forms::Set second = start_of(candidate, parts, 1, lexicon);
  const forms::Measure measure = own_measure(candidate);
  if (candidate.asked == Asked::kWhich || candidate.asked == Asked::kLeast)
    return forms::which({std::move(first), std::move(second)}, measure, candidate.asked == Asked::kWhich);
  if (candidate.asked == Asked::kDifference)
    return forms::difference(std::move(first), std::move(second), measure);
  const graph::Comparison test = candidate.asked == Asked::kMore   ? graph::Comparison::kGreater
                                 : candidate.asked == Asked::kLess ? graph::Comparison::kLess
                                                                   : graph::Comparison::kEqual;
  return forms::whether(std::move(first), test, std::move(second), measure);
}

}  // namespace

// Without a relation of types of its own, as in tables of names, one that is called so leads to them.
forms::Set all_of(graph::EntityId type, const Lexicon& lexicon) {
  return graph::details(lexicon.graph()).type_relation().has_value()
             ? forms::of_type({type})
             : forms::step(forms::entities({type}), lexicon.from_types());
}

forms::Set all_of(const TypeWords& type, const Lexicon& lexicon) {
  if (type.range) return forms::having({lexicon.graph().inverse(*type.range)});
  return type.flag ? forms::step(forms::entities({type.type}), {lexicon.graph().inverse(*type.flag)})
                   : all_of(type.type, lexicon);
}

forms::Query form_of(const Candidate& candidate, const HeardParts& parts, const Lexicon& lexicon,
                     bool counted) {
  switch (candidate.asked) {
    case Asked::kCheck: {
      if (candidate.shape == Shape::kAnd) return forms::check(set_of(candidate, parts, lexicon));
      if (candidate.mentions.size() == 2 && parts.mentions[candidate.mentions[1]].of_type)
        return forms::check_among(start_of(candidate, parts, 0, lexicon),
                                  start_of(candidate, parts, 1, lexicon));
      forms::Set reached = forms::step(start_of(candidate, parts, 0, lexicon), {candidate.slots[0].relation});
      const RelationWords& relation = lexicon.relation(candidate.slots[0].relation);
      if (relation.yes && !lexicon.is_inverse(candidate.slots[0].relation))
        return forms::check_among(forms::entities({*relation.yes}), std::move(reached));
      if (candidate.mentions.size() == 3)
        return forms::check_among(forms::entities({parts.mentions[candidate.mentions[1]].entity,
                                                   parts.mentions[candidate.mentions[2]].entity}),
                                  std::move(reached));
      return candidate.mentions.size() < 2
                 ? forms::check(std::move(reached))
                 : forms::check_among(start_of(candidate, parts, 1, lexicon), std::move(reached));
    }
    case Asked::kWhich:
    case Asked::kLeast:
    case Asked::kMore:
    case Asked::kLess:
    case Asked::kSame:
    case Asked::kDifference:
      return compared(candidate, parts, lexicon);
    case Asked::kSum:
      return forms::sum(set_of(candidate, parts, lexicon), {candidate.slots.back().relation});
    case Asked::kAverage:
      return forms::average(set_of(candidate, parts, lexicon), {candidate.slots.back().relation});
    default:
      break;
  }
  forms::Set set = set_of(candidate, parts, lexicon);
  if (candidate.asked == Asked::kFirst || candidate.asked == Asked::kLast)
    set = ranked(std::move(set), own_measure(candidate), candidate.asked, parts.rank);
  if (candidate.asked == Asked::kAfter || candidate.asked == Asked::kBefore ||
      candidate.asked == Asked::kAt) {
    const forms::Condition condition = condition_on(candidate, parts, lexicon);
    set = candidate.by_count ? forms::where_count(std::move(set), own_measure(candidate), condition)
                             : forms::where(std::move(set), {candidate.slots.back().relation}, condition);
  }
  return counted ? forms::count(std::move(set)) : forms::find(std::move(set));
}

}  // namespace kgwalk::listening
