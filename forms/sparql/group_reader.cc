#include "forms/sparql/group_reader.h"

#include <algorithm>

#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::forms {
namespace {

constexpr const char* kSubclassIri = "http://www.w3.org/2000/01/rdf-schema#subClassOf";

[[noreturn]] void refuse(const std::string& why) { throw ConfigError("SPARQL: " + why); }

bool is_variable(const SparqlTerm& term, std::string_view name) {
  return term.kind == SparqlTerm::kVariable && term.text == name;
}

Set all_of(std::vector<Set> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Set set{.kind = SetKind::kAnd};
  set.parts = std::move(parts);
  return set;
}

bool group_mentions(const SparqlGroup& group, const std::string& variable);

bool expression_mentions(const SparqlExpression& expression, const std::string& variable) {
  if (expression.is_variable(variable)) return true;
  if (expression.group && group_mentions(*expression.group, variable)) return true;
  return std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [&](const SparqlExpression& each) { return expression_mentions(each, variable); });
}

bool element_mentions(const SparqlElement& element, const std::string& variable) {
  if (element.kind == SparqlElement::kTriple)
    return is_variable(element.subject, variable) || is_variable(element.object, variable);
  if (element.kind == SparqlElement::kSelect)
    return std::any_of(element.select->columns.begin(), element.select->columns.end(),
                       [&](const SparqlColumn& column) { return column.variable == variable; });
  if (std::find(element.variables.begin(), element.variables.end(), variable) != element.variables.end())
    return true;
  if (expression_mentions(element.expression, variable)) return true;
  return std::any_of(element.groups.begin(), element.groups.end(),
                     [&](const SparqlGroup& group) { return group_mentions(group, variable); });
}

bool group_mentions(const SparqlGroup& group, const std::string& variable) {
  return std::any_of(group.elements.begin(), group.elements.end(),
                     [&](const SparqlElement& element) { return element_mentions(element, variable); });
}

}  // namespace

struct GroupReader::Gathered {
  std::vector<Set> parts;
  std::vector<Set> without;
  std::vector<std::pair<Relations, Condition>> wheres;
};

GroupReader::GroupReader(const SparqlGroup& group, const SparqlNames& names)
    : group_(group), names_(names), used_(group.elements.size(), false) {}

bool GroupReader::mentions(const std::string& variable) const { return group_mentions(group_, variable); }

std::vector<std::string> GroupReader::variables() const {
  std::vector<std::string> all;
  for (const SparqlElement& element : group_.elements) {
    for (const SparqlTerm* term : {&element.subject, &element.object})
      if (element.kind == SparqlElement::kTriple && term->kind == SparqlTerm::kVariable)
        all.push_back(term->text);
    if (element.kind == SparqlElement::kValues)
      all.insert(all.end(), element.variables.begin(), element.variables.end());
    if (element.kind == SparqlElement::kSelect)
      for (const SparqlColumn& column : element.select->columns) all.push_back(column.variable);
    for (const SparqlGroup& group : element.groups)
      for (std::string& each : GroupReader(group, names_).variables()) all.push_back(std::move(each));
  }
  return all;
}

void GroupReader::refuse_rest() const {
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (used_[i]) continue;
    const SparqlElement& element = group_.elements[i];
    switch (element.kind) {
      case SparqlElement::kFilter:
        refuse("this filter is not taken: a value is compared with a constant, and on nothing else");
      case SparqlElement::kOptional:
        refuse("OPTIONAL is taken only around what is counted");
      case SparqlElement::kTriple:
        refuse("a pattern does not hang on what is asked for, or closes a circle");
      default:
        refuse("a part of the query does not hang on what is asked for");
    }
  }
}

std::optional<Set> GroupReader::set_of(const std::string& variable) {
  if (std::find(open_.begin(), open_.end(), variable) != open_.end())
    refuse("the patterns close a circle at ?" + variable + "; forms are trees");
  open_.push_back(variable);
  Gathered gathered;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const SparqlElement& element = group_.elements[i];
    if (used_[i] || !element_mentions(element, variable)) continue;
    if (element.kind == SparqlElement::kTriple) {
      if (take_statement(element, variable, gathered.parts)) continue;
      used_[i] = true;
      take_triple(element, variable, gathered);
    } else if (element.kind == SparqlElement::kSelect) {
      used_[i] = take_select(element, variable, gathered);
    } else if (element.kind == SparqlElement::kValues && element.variables.size() == 1) {
      used_[i] = true;
      take_table(element, variable, gathered);
    } else if (element.kind == SparqlElement::kUnion) {
      used_[i] = true;
      take_union(element, variable, gathered);
    }
  }
  for (std::size_t i = 0; i < used_.size(); ++i)
    if (!used_[i] && element_mentions(group_.elements[i], variable))
      take_other(group_.elements[i], variable, gathered);
  open_.pop_back();
  if (gathered.parts.empty() && gathered.wheres.empty() && gathered.without.empty()) return std::nullopt;
  if (gathered.parts.empty() && gathered.wheres.empty())
    refuse("?" + variable + " is everything but something");
  if (gathered.parts.empty()) gathered.parts.push_back(having(gathered.wheres.front().first));
  Set set = all_of(std::move(gathered.parts));
  for (auto& [relations, condition] : gathered.wheres) set = where(std::move(set), relations, condition);
  for (Set& without : gathered.without) set = but(std::move(set), std::move(without));
  return set;
}

Set GroupReader::along(Set from, const std::vector<Relations>& steps) const {
  for (const Relations& relations : steps) from = step(std::move(from), relations);
  return from;
}

// What a path leads to from a term; rdf:type and what is below it are types.
Set GroupReader::typed_or_step(const SparqlPath& path, const SparqlTerm& from, bool turned) const {
  const auto type = graph::details(names_.graph()).type_relation();
  const auto is_type = [&](const SparqlPath& part) {
    return type && part.kind == SparqlPath::kIri && names_.known_relation(part.iri) == type;
  };
  const bool closed = turned && path.kind == SparqlPath::kSequence && path.parts.size() == 2 &&
                      is_type(path.parts[0]) && path.parts[1].kind == SparqlPath::kAnyTimes &&
                      path.parts[1].parts[0].iri == kSubclassIri;
  const bool plain = turned && is_type(path) && !names_.known_relation(kSubclassIri);
  if (closed || plain) return of_type({names_.entity(from)});
  return along(entities({names_.entity(from)}), names_.steps(path, turned));
}

void GroupReader::take_triple(const SparqlElement& element, const std::string& variable, Gathered& into) {
  const bool from_subject = is_variable(element.object, variable);
  if (from_subject && is_variable(element.subject, variable))
    refuse("a thing that points to itself is not taken");
  const SparqlTerm& other = from_subject ? element.subject : element.object;
  if (other.kind != SparqlTerm::kVariable)
    return into.parts.push_back(typed_or_step(element.path, other, !from_subject));
  std::vector<Relations> there = names_.steps(element.path, from_subject);  // from the variable to the other
  if (!from_subject)
    if (const auto condition = condition_on(other.text, there.back())) {
      if (there.size() == 1) return into.wheres.push_back({there.front(), *condition});
      Set last = where(having(there.back()), there.back(), *condition);
      there.pop_back();
      std::vector<Relations> back;
      for (auto each = there.rbegin(); each != there.rend(); ++each) {
        Relations turned;
        for (const RelationId relation : *each) turned.push_back(names_.graph().inverse(relation));
        back.push_back(turned);
      }
      return into.parts.push_back(along(std::move(last), back));
    }
  const std::vector<Relations> back =
      names_.steps(element.path, !from_subject);  // from the other to the variable
  if (auto rest = set_of(other.text)) return into.parts.push_back(along(std::move(*rest), back));
  std::vector<Relations> after(back.begin() + 1, back.end());
  into.parts.push_back(along(having(there.back()), after));
}

void GroupReader::take_table(const SparqlElement& element, const std::string&, Gathered& into) {
  std::vector<EntityId> ids;
  for (const auto& row : element.rows) ids.push_back(names_.entity(row.front()));
  into.parts.push_back(entities(std::move(ids)));
}

void GroupReader::take_union(const SparqlElement& element, const std::string& variable, Gathered& into) {
  Set any{.kind = SetKind::kOr};
  for (const SparqlGroup& group : element.groups) {
    GroupReader reader(group, names_);
    reader.around_ = this;
    auto part = reader.set_of(variable);
    if (!part) refuse("a part of UNION says nothing of ?" + variable);
    reader.refuse_rest();
    any.parts.push_back(std::move(*part));
  }
  into.parts.push_back(join_statements(any.parts) ? std::move(any.parts.front()) : std::move(any));
}

// MINUS, NOT EXISTS and "is not this one". What else mentions the variable is left for others.
void GroupReader::take_other(const SparqlElement& element, const std::string& variable, Gathered& into) {
  const auto take_group = [&](const SparqlGroup& group, std::vector<Set>& list) {
    GroupReader reader(group, names_);
    auto part = reader.set_of(variable);
    if (!part) return;
    reader.refuse_rest();
    list.push_back(std::move(*part));
    used_[static_cast<std::size_t>(&element - group_.elements.data())] = true;
  };
  const SparqlExpression& filter = element.expression;
  if (element.kind == SparqlElement::kMinus) return take_group(element.groups.front(), into.without);
  if (element.kind != SparqlElement::kFilter) return;
  if (filter.op == "NOT EXISTS") return take_group(*filter.group, into.without);
  if (filter.op == "EXISTS") return take_group(*filter.group, into.parts);
  if ((filter.op != "=" && filter.op != "!=") || !filter.arguments[0].is_variable(variable)) return;
  const SparqlExpression& given = filter.arguments[1];
  if (!given.op.empty() || given.term.kind != SparqlTerm::kIri) return;
  (filter.op == "=" ? into.parts : into.without).push_back(entities({names_.entity(given.term)}));
  used_[static_cast<std::size_t>(&element - group_.elements.data())] = true;
}

// A select within: a set of its own, or one of the two halves of "the n first".
bool GroupReader::take_select(const SparqlElement& element, const std::string& variable, Gathered& into) {
  const SparqlSelect& select = *element.select;
  if (select.columns.size() == 1) {
    if (select.columns.front().variable != variable) return false;
    into.parts.push_back(set_of_select(select, names_));
    return true;
  }
  const auto measure = std::find_if(select.columns.begin(), select.columns.end(),
                                    [&](const SparqlColumn& column) { return column.variable != variable; });
  for (std::size_t f = 0; f < used_.size(); ++f) {
    const SparqlElement& filter = group_.elements[f];
    if (filter.kind != SparqlElement::kFilter || filter.expression.arguments.size() != 2) continue;
    if (!filter.expression.arguments[0].is_variable(measure->variable)) continue;
    for (std::size_t s = 0; s < used_.size(); ++s) {
      const SparqlElement& limit = group_.elements[s];
      if (limit.kind != SparqlElement::kSelect || limit.select->columns.size() != 1) continue;
      if (!filter.expression.arguments[1].is_variable(limit.select->columns.front().variable)) continue;
      const SparqlGroup& within = limit.select->where;
      if (within.elements.size() != 1 || within.elements.front().kind != SparqlElement::kSelect) continue;
      Set best = set_of_select(*within.elements.front().select, names_);
      const MeasuredSet again = grouped_select(select, names_);
      const bool ranked = best.kind == SetKind::kFirst || best.kind == SetKind::kLast;
      if (!ranked || !(again.set == best.parts.front()) || !(again.measure == best.measure)) continue;
      into.parts.push_back(std::move(best));
      used_[f] = used_[s] = true;
      return true;
    }
  }
  return false;
}

}  // namespace kgwalk::forms
