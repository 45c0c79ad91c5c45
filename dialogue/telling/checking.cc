// Yes and no, each with what the graph says.
#include <algorithm>

#include "dialogue/telling/names.h"
#include "dialogue/telling/teller.h"
#include "forms/rows.h"
#include "forms/text/relation_phrases.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::dialogue {
namespace {

using forms::SetKind;
using graph::EntityId;

constexpr std::size_t kMostInstead = 3;  // values told where another one was asked about

}  // namespace

std::string Teller::check() const {
  if (!query_.members.empty()) return check_members();
  const bool yes = answer_.truth.value_or(false);
  if (const std::string value = checked_value(); !value.empty())
    return (yes ? "Yes, " : "No, as far as I know ") + ended(value);
  if (answer_.total == 0) {
    const std::string none = this->none();
    if (!none.starts_with("None ")) return none;
    return (yes ? "Yes, n" : "No, n") + none.substr(1);
  }
  const std::string counted = sets_.counted(answer_.total, query_.set, type_noun());
  const bool names = sets_.phrase(query_.set, true).kind == PhraseKind::kNames;
  const std::string there = names ? "I know " : answer_.total == 1 ? "there is " : "there are ";
  return (yes ? "Yes, " : "No, as far as I know ") + there + ended(counted + which_they_are());
}

// Of what two things have in common, ": Saving Private Ryan, The Terminal and 3 more". Empty of other sets.
std::string Teller::which_they_are() const {
  if (query_.set.kind != SetKind::kAnd) return "";
  const auto members = engine_.members(query_.set, options_.before);
  if (!members || members->empty()) return "";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(members->size(), kMostInstead); ++i)
    names.push_back(name((*members)[i]));
  if (members->size() > names.size()) names.push_back(number_text(members->size() - names.size()) + " more");
  return ": " + forms::listed(names);
}

// Of one thing that a value is asked of, or whether it has any: what it has, "Heat came out in 1995". Empty
// where it is no such question, or it has none.
std::string Teller::checked_value() const {
  const forms::Set& set = query_.set;
  const bool any = set.kind == SetKind::kStep && !query_.condition;
  if ((set.kind != SetKind::kWhere && !any) || set.relations.size() != 1 ||
      set.parts.front().kind != SetKind::kEntities || set.parts.front().entities.size() != 1)
    return "";
  const EntityId entity = set.parts.front().entities.front();
  std::vector<EntityId> values;
  for (const graph::Edge& edge : forms::row(engine_.values().graph(), entity, set.relations.front()))
    values.push_back(edge.tail);
  if (values.empty()) return "";
  const std::size_t told = std::min(values.size(), kMostInstead), more = values.size() - told;
  values.resize(told);
  return facts_.fact(entity, set.relations.front(), values, more, options_.variety).text;
}

std::string Teller::check_members() const {
  const forms::Set& members = query_.members.front();
  const auto found = engine_.members(members, options_.before);
  const std::vector<EntityId> asked = found.value_or(std::vector<EntityId>{});
  const bool yes = answer_.truth.value_or(false);
  if (asked.empty()) return "I cannot tell: my graph has " + ended(sets_.counted(0, members));
  if (const auto hop = one_hop(query_.set); hop && hop->type == nullptr) return check_hop(*hop, asked);
  if (query_.set.kind == SetKind::kOfType && asked.size() == 1) return check_type(asked.front());
  const Phrase phrase = sets_.phrase(query_.set, true);
  const std::string of = phrase.all();
  if (asked.size() == 1)
    return yes ? "Yes, " + name(asked.front()) + " is one of " + ended(of)
               : "Not as far as I know: " + name(asked.front()) + " is not one of " + ended(of);
  const auto in_set = engine_.members(query_.set, options_.before);
  std::vector<std::string> names, missing;
  for (const EntityId each : asked) {
    const bool in = in_set && std::binary_search(in_set->begin(), in_set->end(), each);
    if (names.size() < options_.most_names) names.push_back(name(each));
    if (!in && missing.size() < options_.most_names) missing.push_back(name(each));
  }
  if (asked.size() > names.size()) names.push_back(number_text(asked.size() - names.size()) + " more");
  if (yes) return "Yes, " + forms::listed(names) + " are all among " + ended(of);
  return "Not as far as I know: " + forms::listed(missing) + (missing.size() == 1 ? " is" : " are") +
         " not among " + ended(of);
}

std::string Teller::check_hop(const OneHop& hop, const std::vector<EntityId>& asked) const {
  const graph::KnowledgeGraph& graph = engine_.values().graph();
  std::vector<EntityId> held, missing;
  for (const EntityId each : asked) {
    const bool so =
        std::any_of(query_.set.relations.begin(), query_.set.relations.end(), [&](graph::RelationId r) {
          return graph.has_edge({hop.head, r, each});
        });
    (so ? held : missing).push_back(each);
  }
  const auto claim = [&](const std::vector<EntityId>& ends) {
    const std::size_t told = std::min(ends.size(), options_.most_names);
    const Worded worded =
        facts_.fact(hop.head, hop.relation, {ends.begin(), ends.begin() + static_cast<long>(told)},
                    ends.size() - told, options_.variety);
    return worded.text;
  };
  if (missing.empty()) return "Yes, " + ended(claim(held));
  const std::string instead =
      missing.size() == 1 && asked.size() == 1 ? what_is_said(hop, missing.front()) : "";
  if (!instead.empty()) return "No, as far as I know " + ended(instead);
  const std::string so = held.empty() ? "" : " It does say that " + ended(claim(held));
  return "Not as far as I know: my graph does not say that " + ended(claim(missing)) + so;
}

// The same relation of the head, or of what was claimed: whichever has fewer values, for "Heat was directed
// by Michael Mann" says more than all that somebody else directed.
std::string Teller::what_is_said(const OneHop& hop, EntityId claim) const {
  const graph::KnowledgeGraph& graph = engine_.values().graph();
  const auto ends_of = [&](EntityId head, bool inverse) {
    std::vector<EntityId> ends;
    for (const graph::RelationId r : query_.set.relations)
      for (const graph::Edge& edge : forms::row(graph, head, inverse ? graph.inverse(r) : r))
        ends.push_back(edge.tail);
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
  };
  std::vector<EntityId> here = ends_of(hop.head, false), there = ends_of(claim, true);
  const bool backwards = graph.relation_name(hop.relation).starts_with('~');
  bool take_here = !here.empty() && (there.empty() || here.size() < there.size() ||
                                     (here.size() == there.size() && !backwards));
  std::vector<EntityId>& ends = take_here ? here : there;
  if (ends.empty()) return {};
  const std::size_t told = std::min(ends.size(), kMostInstead), more = ends.size() - told;
  ends.resize(told);
  const EntityId head = take_here ? hop.head : claim;
  const graph::RelationId relation = take_here ? hop.relation : graph.inverse(hop.relation);
  // The wording that begins with what it is told of: "Heat was directed by Michael Mann".
  const std::string begin = name(head);
  Worded first = facts_.fact(head, relation, ends, more, 0);
  for (std::size_t variety = 0; variety < 5; ++variety) {
    const Worded worded = facts_.fact(head, relation, ends, more, variety);
    if (worded.text.starts_with(begin)) return worded.text;
  }
  return first.text;
}

std::string Teller::check_type(EntityId entity) const {
  const graph::KnowledgeGraph& graph = engine_.values().graph();
  const std::string of = name(entity);
  std::vector<std::string> asked;
  for (const EntityId type : query_.set.entities)
    asked.push_back(with_article(noun_of(graph.entity_name(type))));
  if (answer_.truth.value_or(false)) return "Yes, " + of + " is " + forms::listed(asked, "or") + '.';
  std::vector<std::string> is;
  for (const EntityId type : graph::types_of(graph, entity)) {
    if (is.size() == kMostInstead) break;
    is.push_back(with_article(noun_of(graph.entity_name(type))));
  }
  if (is.empty())
    return "Not as far as I know: my graph does not say that " + of + " is " + forms::listed(asked, "or") +
           '.';
  return "No, as far as I know " + of + " is " + forms::listed(is) + '.';
}

}  // namespace kgwalk::dialogue
