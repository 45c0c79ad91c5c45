// What filters of SPARQL say of values.
#include <algorithm>
#include <cmath>
#include <limits>

#include "forms/fitted.h"
#include "forms/sparql/group_reader.h"
#include "graph/values/calendar.h"
#include "graph/values/value_group.h"
#include "kgwalk/error.h"

namespace kgwalk::forms {
namespace {

constexpr const char* kLabelIri = "http://www.w3.org/2000/01/rdf-schema#label";

Comparison turned(Comparison test) {
  switch (test) {
    case Comparison::kLess:
      return Comparison::kGreater;
    case Comparison::kAtMost:
      return Comparison::kAtLeast;
    case Comparison::kAtLeast:
      return Comparison::kAtMost;
    case Comparison::kGreater:
      return Comparison::kLess;
    default:
      return test;
  }
}

// Functions through which a value is seen as it is: casts and what dates are put together from.
bool is_lens(const std::string& op) {
  return op == "STR" || op == "CONCAT" || op == "COALESCE" || op == "YEAR" ||
         op.starts_with("http://www.w3.org/2001/XMLSchema#");
}

bool is_guard(const SparqlExpression& expression) {
  if (expression.op == "||" || expression.op == "&&")
    return is_guard(expression.arguments[0]) && is_guard(expression.arguments[1]);
  if (expression.op == "ISNUMERIC" || expression.op == "BOUND" || expression.op == "ISLITERAL") return true;
  return !expression.arguments.empty() &&
         (expression.arguments[0].op == "DATATYPE" || expression.arguments[0].op == "LANG");
}

bool sees_year(const SparqlExpression& expression) {
  return expression.op == "YEAR" ||
         std::any_of(expression.arguments.begin(), expression.arguments.end(), sees_year);
}

bool is_owned(const SparqlElement& element, const std::string& owner) {
  return element.subject.kind == SparqlTerm::kVariable && element.subject.text == owner &&
         element.object.kind == SparqlTerm::kVariable;
}

// Bounds of a range as values: those of times by their moments, since `to` of the upper and `from` of the
// lower count.
Condition range(const TypedValue& low, Comparison low_test, const TypedValue& high, Comparison high_test) {
  const bool time = graph::is_time(low.kind) && graph::is_time(high.kind);
  if (time)
    return between(SparqlBounds::from_moment(low_test == Comparison::kGreater ? low.to : low.from),
                   SparqlBounds::until_moment(high_test == Comparison::kLess ? high.from : high.to));
  const double infinity = std::numeric_limits<double>::infinity();
  TypedValue lower = low, upper = high;
  if (low_test == Comparison::kGreater) lower.from = lower.to = std::nextafter(low.from, infinity);
  if (high_test == Comparison::kLess) upper.from = upper.to = std::nextafter(high.from, -infinity);
  return between(lower, upper);
}

}  // namespace

TypedValue SparqlBounds::from_moment(double ms) {
  const graph::CivilDay day = graph::civil_of_ms(ms);
  if (graph::ms_of_civil(day.year) == ms) return graph::year_value(day.year);
  if (graph::ms_of_civil(day.year, day.month) == ms) return graph::year_month_value(day.year, day.month);
  if (graph::ms_of_civil(day.year, day.month, day.day) == ms)
    return graph::date_value(day.year, day.month, day.day);
  return {.kind = graph::ValueKind::kDateTime, .from = ms, .to = ms + graph::kSecondMs};
}

TypedValue SparqlBounds::until_moment(double ms) {
  const graph::CivilDay next = graph::civil_of_ms(ms), day = graph::civil_of_ms(ms - 1);
  if (graph::ms_of_civil(next.year) == ms) return graph::year_value(day.year);
  if (graph::ms_of_civil(next.year, next.month) == ms) return graph::year_month_value(day.year, day.month);
  if (graph::ms_of_civil(next.year, next.month, next.day) == ms)
    return graph::date_value(day.year, day.month, day.day);
  return {.kind = graph::ValueKind::kDateTime, .from = ms - graph::kSecondMs, .to = ms};
}

bool same_expression(const SparqlExpression& a, const SparqlExpression& b) {
  return a.op == b.op && a.term == b.term && !a.group && !b.group &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                    same_expression);
}

std::vector<const SparqlExpression*> conjuncts(const SparqlExpression& expression) {
  if (expression.op != "&&") return {&expression};
  std::vector<const SparqlExpression*> all = conjuncts(expression.arguments[0]);
  for (const SparqlExpression* each : conjuncts(expression.arguments[1])) all.push_back(each);
  return all;
}

std::optional<Condition> count_condition(const SparqlExpression& expression, const SparqlExpression& of) {
  std::vector<std::pair<Comparison, TypedValue>> bounds;
  for (const SparqlExpression* each : conjuncts(expression)) {
    Choice<Comparison> test = Comparison::kEqual;
    if (each->arguments.size() != 2 || !test.assign(each->op)) return std::nullopt;
    const bool straight = same_expression(each->arguments[0], of);
    if (!straight && !same_expression(each->arguments[1], of)) return std::nullopt;
    const SparqlExpression& given = each->arguments[straight ? 1 : 0];
    if (!given.op.empty() || given.term.kind != SparqlTerm::kLiteral) return std::nullopt;
    bounds.emplace_back(straight ? Comparison(test) : turned(test), graph::value_of_literal(given.term.text));
  }
  if (bounds.size() == 1) return Condition{.test = bounds[0].first, .value = bounds[0].second};
  if (bounds.size() != 2) return std::nullopt;
  if (bounds[0].first != Comparison::kAtLeast && bounds[0].first != Comparison::kGreater)
    std::swap(bounds[0], bounds[1]);
  return range(bounds[0].second, bounds[0].first, bounds[1].second, bounds[1].first);
}

// The value itself, its label, and what BIND makes of these.
std::vector<std::string> GroupReader::made_of(const std::string& value) const {
  std::vector<std::string> names = {value};
  const auto known = [&](const SparqlExpression& expression) {
    const auto root = root_of(expression);
    return root && std::find(names.begin(), names.end(), *root) != names.end();
  };
  for (bool more = true; more;) {
    more = false;
    for (const SparqlElement& element : group_.elements) {
      std::string made;
      const bool label = element.kind == SparqlElement::kTriple && element.path.iri == kLabelIri &&
                         element.subject.text == value && element.object.kind == SparqlTerm::kVariable &&
                         !names_.known_relation(kLabelIri);
      if (label) made = element.object.text;
      if (element.kind == SparqlElement::kBind && known(element.expression)) made = element.variables.front();
      if (made.empty() || std::find(names.begin(), names.end(), made) != names.end()) continue;
      names.push_back(made);
      more = true;
    }
  }
  return names;
}

// The variable that an expression shows through nothing but lenses.
std::optional<std::string> GroupReader::root_of(const SparqlExpression& expression) const {
  if (expression.op.empty())
    return expression.term.kind == SparqlTerm::kVariable ? std::optional(expression.term.text) : std::nullopt;
  if (!is_lens(expression.op) || expression.arguments.empty()) return std::nullopt;
  return root_of(expression.arguments.front());
}

std::optional<GroupReader::Bound> GroupReader::bound_of(const SparqlExpression& expression,
                                                        const std::string& value) const {
  Choice<Comparison> test = Comparison::kEqual;
  if (expression.arguments.size() != 2 || !test.assign(expression.op)) return std::nullopt;
  const std::vector<std::string> names = made_of(value);
  const auto is_value = [&](const SparqlExpression& side) {
    const auto root = root_of(side);
    return root && std::find(names.begin(), names.end(), *root) != names.end();
  };
  const bool straight = is_value(expression.arguments[0]);
  if (!straight && !is_value(expression.arguments[1])) return std::nullopt;
  const SparqlExpression& side = expression.arguments[straight ? 0 : 1];
  const SparqlExpression* given = &expression.arguments[straight ? 1 : 0];
  while (is_lens(given->op) && given->arguments.size() == 1)
    given = &given->arguments.front();  // xsd:date("...")
  if (!given->op.empty() || given->term.kind != SparqlTerm::kLiteral) return std::nullopt;
  Bound bound{straight ? Comparison(test) : turned(test), graph::value_of_literal(given->term.text),
              sees_year(side)};
  if (const auto year = bound.of_year ? graph::as_year(bound.value) : std::nullopt) bound.value = *year;
  return bound;
}

// False where the filter says something of the value that is no bound.
bool GroupReader::gather_bounds(const SparqlExpression& filter, const std::string& value,
                                std::vector<Bound>& bounds) const {
  std::vector<Bound> found;
  for (const SparqlExpression* each : conjuncts(filter)) {
    if (is_guard(*each)) continue;
    auto bound = bound_of(*each, value);
    if (!bound && each->op == "||") {  // behind one moment or before another: not within
      const auto behind = bound_of(each->arguments[0], value), before = bound_of(each->arguments[1], value);
      if (behind && before && behind->test == Comparison::kAtLeast && before->test == Comparison::kLess &&
          graph::group_of(behind->value) == graph::group_of(before->value)) {
        bound = Bound{Comparison::kNotEqual, before->value};
        bound->value.to = behind->value.from;
      }
    }
    if (!bound) return false;
    found.push_back(*bound);
  }
  bounds.insert(bounds.end(), found.begin(), found.end());
  return true;
}

void GroupReader::use_guards(const std::string& value) {
  const std::vector<std::string> names = made_of(value);
  const auto is_made = [&](const std::string& name) {
    return std::find(names.begin() + 1, names.end(), name) != names.end();
  };
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const SparqlElement& element = group_.elements[i];
    const bool binds = element.kind == SparqlElement::kBind && is_made(element.variables.front());
    const bool labels = element.kind == SparqlElement::kTriple && element.path.iri == kLabelIri &&
                        element.subject.text == value && is_made(element.object.text);
    const bool table = element.kind == SparqlElement::kValues && element.variables.size() == 2 &&
                       element.variables.front() == value;
    std::vector<Bound> none;
    const bool guards = element.kind == SparqlElement::kFilter && is_guard(element.expression) &&
                        gather_bounds(element.expression, value, none);
    const auto root = guards && !element.expression.arguments.empty()
                          ? root_of(element.expression.arguments.front())
                          : std::nullopt;
    const bool guarded = root && std::find(names.begin(), names.end(), *root) != names.end();
    const bool typed = guards && !element.expression.arguments.empty() &&
                       !element.expression.arguments.front().arguments.empty() &&
                       root_of(element.expression.arguments.front().arguments.front()) == value;
    if (binds || labels || table || guarded || typed) used_[i] = true;
  }
}

std::optional<Condition> GroupReader::condition_on(const std::string& value, const Relations& relations) {
  std::vector<Bound> bounds;
  std::vector<std::size_t> filters;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const SparqlElement& element = group_.elements[i];
    if (used_[i] || element.kind != SparqlElement::kFilter || is_guard(element.expression)) continue;
    std::vector<Bound> here;
    if (!gather_bounds(element.expression, value, here) || here.empty()) continue;
    bounds.insert(bounds.end(), here.begin(), here.end());
    filters.push_back(i);
  }
  if (bounds.empty()) return std::nullopt;
  if (bounds.size() > 2) throw ConfigError("SPARQL: more than two conditions on one value are not taken");
  for (const std::size_t i : filters) used_[i] = true;
  use_guards(value);
  if (bounds.size() == 1) return Condition{.test = bounds[0].test, .value = bounds[0].value};
  const auto is_lower = [](const Bound& b) {
    return b.test == Comparison::kAtLeast || b.test == Comparison::kGreater;
  };
  const auto is_upper = [](const Bound& b) {
    return b.test == Comparison::kAtMost || b.test == Comparison::kLess;
  };
  if (!is_lower(bounds[0])) std::swap(bounds[0], bounds[1]);
  if (!is_lower(bounds[0]) || !is_upper(bounds[1]))
    throw ConfigError("SPARQL: two conditions on one value are taken as a range only");
  if (group_of(relations, names_.values()) == graph::kTimes)  // 1990 is a year there
    for (Bound& bound : bounds)
      if (const auto year = graph::as_year(bound.value)) bound.value = *year;
  return range(bounds[0].value, bounds[0].test, bounds[1].value, bounds[1].test);
}

std::optional<std::pair<std::string, Relations>> GroupReader::owner_of(const SparqlExpression& key) const {
  const auto root = root_of(key);
  if (!root) return std::nullopt;
  for (const SparqlElement& element : group_.elements) {
    if (element.kind != SparqlElement::kTriple || element.object.kind != SparqlTerm::kVariable) continue;
    const std::vector<std::string> names = made_of(element.object.text);
    bool is_key = std::find(names.begin(), names.end(), *root) != names.end();
    for (const SparqlElement& table : group_.elements)  // VALUES (?v ?k)
      is_key = is_key || (table.kind == SparqlElement::kValues && table.variables.size() == 2 &&
                          table.variables[0] == element.object.text && table.variables[1] == *root);
    if (!is_key || element.path.iri == kLabelIri || element.subject.kind != SparqlTerm::kVariable) continue;
    const std::vector<Relations> steps = names_.steps(element.path, false);
    if (steps.size() != 1) throw ConfigError("SPARQL: what is ordered or summed is one step from its owner");
    return std::pair(element.subject.text, steps.front());
  }
  return std::nullopt;
}

MeasuredSet GroupReader::measured(const SparqlExpression& key) {
  const auto owner = owner_of(key);
  if (!owner) throw ConfigError("SPARQL: what is ordered, summed or compared is no value of a relation");
  const std::string root = *root_of(key);
  std::string value;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const SparqlElement& element = group_.elements[i];
    if (element.kind != SparqlElement::kTriple || !is_owned(element, owner->first)) continue;
    const std::vector<std::string> names = made_of(element.object.text);
    const bool by_table =
        std::any_of(group_.elements.begin(), group_.elements.end(), [&](const SparqlElement& table) {
          return table.kind == SparqlElement::kValues && table.variables.size() == 2 &&
                 table.variables[0] == element.object.text && table.variables[1] == root;
        });
    if (!by_table && std::find(names.begin(), names.end(), root) == names.end()) continue;
    value = element.object.text;
    used_[i] = true;
    break;
  }
  use_guards(value);
  auto set = set_of(owner->first);
  refuse_rest();
  return {.set = set ? std::move(*set) : having(owner->second), .measure = value_of(owner->second)};
}

}  // namespace kgwalk::forms
