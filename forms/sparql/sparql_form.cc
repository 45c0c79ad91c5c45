// Whole queries of SPARQL as forms.
#include <algorithm>

#include "forms/form_check.h"
#include "forms/sparql/group_reader.h"
#include "graph/values/value_group.h"
#include "kgwalk/error.h"
#include "kgwalk/form_text.h"

namespace kgwalk::forms {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw ConfigError("SPARQL: " + why); }

bool is_extreme(const SparqlExpression& expression) {
  return expression.op == "MIN" || expression.op == "MAX";
}

// The only element of a group, where that is a select.
const SparqlSelect* only_select(const SparqlGroup& group) {
  const bool alone = group.elements.size() == 1 && group.elements.front().kind == SparqlElement::kSelect;
  return alone ? group.elements.front().select.get() : nullptr;
}

Relations backwards(const Relations& relations, const graph::KnowledgeGraph& graph) {
  Relations turned;
  for (const RelationId relation : relations) turned.push_back(graph.inverse(relation));
  return turned;
}

// How many ?counted hang on ?owner; in OPTIONAL, none is a number too.
MeasuredSet counted_group(const SparqlGroup& group, const std::string& owner, const std::string& counted,
                          const SparqlNames& names) {
  GroupReader reader(group, names);
  const auto read = [&](GroupReader& of) -> std::optional<Measure> {
    for (std::size_t i = 0; i < of.group().elements.size(); ++i) {
      const SparqlElement& element = of.group().elements[i];
      if (element.kind != SparqlElement::kTriple) continue;
      const bool straight = element.subject.text == owner && element.object.text == counted;
      if (!straight && !(element.object.text == owner && element.subject.text == counted)) continue;
      const std::vector<Relations> steps = names.steps(element.path, !straight);
      if (steps.size() != 1) refuse("what is counted is one step from its owner");
      of.use(i);
      Measure measure = count_of(steps.front());
      if (auto among = of.set_of(counted)) measure.among.push_back(std::move(*among));
      return measure;
    }
    return std::nullopt;
  };
  for (std::size_t i = 0; i < group.elements.size(); ++i) {
    if (group.elements[i].kind != SparqlElement::kOptional) continue;
    GroupReader inner(group.elements[i].groups.front(), names);
    const auto measure = read(inner);
    if (!measure) continue;
    inner.refuse_rest();
    reader.use(i);
    auto set = reader.set_of(owner);
    reader.refuse_rest();
    if (!set) refuse("?" + owner + " may be anything");
    return {.set = std::move(*set), .measure = *measure};
  }
  const auto measure = read(reader);
  if (!measure) refuse("what is counted does not hang on ?" + owner);
  auto set = reader.set_of(owner);
  reader.refuse_rest();
  Set some = measure->among.empty()
                 ? having(measure->relations)
                 : step(measure->among.front(), backwards(measure->relations, names.graph()));
  return {.set = set ? both(std::move(*set), std::move(some)) : std::move(some), .measure = *measure};
}

// (MIN(?k) AS ?b) over a group: of values there, or of counts that a select within has made.
MeasuredSet extreme_of(const SparqlExpression& extreme, const SparqlGroup& group, const SparqlNames& names) {
  const SparqlSelect* inner = only_select(group);
  MeasuredSet result = inner != nullptr && inner->columns.size() == 2
                           ? grouped_select(*inner, names)
                           : GroupReader(group, names).measured(extreme.arguments.front());
  result.greatest = extreme.op == "MAX";
  return result;
}

Set ranked(MeasuredSet measured, const SparqlSelect& select) {
  if (!select.limit) refuse("ORDER BY is taken with LIMIT: the first ones");
  if (*select.limit == 0) refuse("LIMIT 0 asks for nothing");
  return select.descending ? last(std::move(measured.set), std::move(measured.measure), *select.limit)
                           : first(std::move(measured.set), std::move(measured.measure), *select.limit);
}

class QueryReader {
 public:
  QueryReader(const SparqlSelect& select, const SparqlNames& names) : select_(select), names_(names) {}

  [[nodiscard]] Query read() const {
    if (select_.ask) return ask();
    const SparqlExpression& first = select_.columns.front().expression;
    if (select_.columns.size() == 2 && select_.columns[1].variable == "backwards") return relations();
    if (first.op == "COUNT" || first.op == "COUNT DISTINCT") return counted(first);
    if (first.op == "SUM" || first.op == "AVG") return totaled(first);
    if (first.op == "-") return subtracted(first);
    return find(set_of_select(select_, names_));
  }

 private:
  [[nodiscard]] Query counted(const SparqlExpression& expression) const {
    if (select_.columns.size() > 1 || !select_.group_by.empty()) refuse("one count is taken, of the whole");
    if (expression.arguments.front().term.kind != SparqlTerm::kVariable) refuse("a variable is counted");
    if (expression.op == "COUNT" && select_.where.elements.size() > 1)
      refuse("COUNT without DISTINCT counts ways, not things; write COUNT(DISTINCT ?x)");
    SparqlSelect plain = select_;
    const std::string name = expression.arguments.front().term.text;
    plain.columns = {{expression.arguments.front(), name}};
    return count(set_of_select(plain, names_));
  }

  [[nodiscard]] Query totaled(const SparqlExpression& expression) const {
    const SparqlSelect* inner = only_select(select_.where);
    const SparqlGroup& group = inner != nullptr ? inner->where : select_.where;
    const MeasuredSet measured = GroupReader(group, names_).measured(expression.arguments.front());
    return expression.op == "SUM" ? sum(measured.set, measured.measure.relations)
                                  : average(measured.set, measured.measure.relations);
  }

  [[nodiscard]] Query subtracted(const SparqlExpression& expression) const {
    const auto two = compared(select_.where);
    if (!two) refuse("a difference is taken of two best values, each found by a SELECT of its own");
    const auto named = [&](std::size_t i) {
      const SparqlExpression* side = &expression.arguments[i];
      while (!side->op.empty() && !side->arguments.empty()) side = &side->arguments.front();
      return side->is_variable(two->names[i]);
    };
    if (!named(0) || !named(1)) refuse("a difference is taken of the first SELECT's value and the second's");
    return difference(two->a.set, two->b.set, two->a.measure);
  }

  struct Compared {
    std::string names[2];
    MeasuredSet a, b;
    const SparqlExpression* filter = nullptr;
  };

  // Two selects of a best value each, and a filter over both where there is one.
  [[nodiscard]] std::optional<Compared> compared(const SparqlGroup& group) const {
    std::vector<const SparqlSelect*> selects;
    Compared result;
    for (const SparqlElement& element : group.elements) {
      if (element.kind == SparqlElement::kFilter)
        result.filter = &element.expression;
      else if (element.kind == SparqlElement::kSelect && element.select->columns.size() == 1 &&
               is_extreme(element.select->columns.front().expression))
        selects.push_back(element.select.get());
      else
        return std::nullopt;
    }
    if (selects.size() != 2) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
      const SparqlColumn& column = selects[i]->columns.front();
      (i == 0 ? result.a : result.b) = extreme_of(column.expression, selects[i]->where, names_);
      result.names[i] = column.variable;
    }
    if (!(result.a.measure == result.b.measure)) refuse("what is compared has one measure");
    return result;
  }

  [[nodiscard]] Query ask() const {
    const SparqlGroup& group = select_.where;
    if (auto query = ask_whether(group)) return *query;
    if (auto query = ask_count(group)) return *query;
    if (auto query = ask_same(group)) return *query;
    if (group.elements.size() == 1 && group.elements.front().expression.op == "NOT EXISTS")
      if (auto query = not_same(*group.elements.front().expression.group)) return *query;
    if (auto query = ask_all(group)) return *query;
    if (auto query = ask_facts(group)) return *query;
    if (auto query = ask_members(group)) return *query;
    if (auto query = ask_statements(group)) return *query;
    GroupReader reader(group, names_);
    const std::string variable = root(group);
    auto set = reader.set_of(variable);
    reader.refuse_rest();
    if (!set) refuse("nothing is asked");
    return check(std::move(*set));
  }

  // A variable that the patterns hang on: ?x, else one that has a value or a fact.
  [[nodiscard]] std::string root(const SparqlGroup& group) const {
    const std::vector<std::string> names = GroupReader(group, names_).variables();
    if (names.empty()) refuse("the query has no variable and no fact");
    if (std::find(names.begin(), names.end(), "x") != names.end()) return "x";
    for (const SparqlElement& element : group.elements)
      if (element.kind == SparqlElement::kTriple && element.subject.kind == SparqlTerm::kVariable)
        return element.subject.text;
    return names.front();
  }

  [[nodiscard]] std::optional<Query> ask_whether(const SparqlGroup& group) const {
    const auto two = compared(group);
    if (!two || two->filter == nullptr || two->filter->arguments.size() != 2) return std::nullopt;
    Choice<Comparison> test = Comparison::kEqual;
    if (!test.assign(two->filter->op)) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i)
      if (!two->filter->arguments[i].is_variable(two->names[i])) return std::nullopt;
    return whether(two->a.set, test, two->b.set, two->a.measure);
  }

  [[nodiscard]] std::optional<Query> not_same(const SparqlGroup& group) const {
    auto query = ask_whether(group);
    if (!query) query = ask_same(group);
    if (!query || query->test != Comparison::kEqual) return std::nullopt;
    query->test = Comparison::kNotEqual;
    return query;
  }

  // FILTER(?a = ?b) over values of two owners.
  [[nodiscard]] std::optional<Query> ask_same(const SparqlGroup& group) const {
    GroupReader reader(group, names_);
    for (std::size_t i = 0; i < group.elements.size(); ++i) {
      const SparqlExpression& filter = group.elements[i].expression;
      if (group.elements[i].kind != SparqlElement::kFilter || filter.op != "=") continue;
      const auto a = reader.owner_of(filter.arguments[0]), b = reader.owner_of(filter.arguments[1]);
      if (!a || !b || a->first == b->first || a->second != b->second) continue;
      return whether(part_of(group, a->first), Comparison::kEqual, part_of(group, b->first),
                     value_of(a->second));
    }
    return std::nullopt;
  }

  // What a group says of one of two variables by itself: a table of given things.
  [[nodiscard]] Set part_of(const SparqlGroup& group, const std::string& variable) const {
    SparqlGroup part;
    for (const SparqlElement& element : group.elements)
      if (element.kind == SparqlElement::kValues && element.variables == std::vector<std::string>{variable})
        part.elements.push_back(element);
    auto set = GroupReader(part, names_).set_of(variable);
    if (!set) refuse("values are taken as the same of things that VALUES gives");
    return std::move(*set);
  }

  [[nodiscard]] std::optional<Query> ask_count(const SparqlGroup& group) const {
    if (group.elements.size() != 2 || group.elements[0].kind != SparqlElement::kSelect ||
        group.elements[1].kind != SparqlElement::kFilter)
      return std::nullopt;
    const SparqlSelect& inner = *group.elements[0].select;
    if (inner.columns.size() != 1 || !inner.columns.front().expression.op.starts_with("COUNT"))
      return std::nullopt;
    const SparqlExpression number{.op = {}, .term = {SparqlTerm::kVariable, inner.columns.front().variable}};
    const auto condition = count_condition(group.elements[1].expression, number);
    if (!condition) return std::nullopt;
    return check_count(QueryReader(inner, names_).read().set, *condition);
  }

  // Members, and none of them outside of the set.
  [[nodiscard]] std::optional<Query> ask_all(const SparqlGroup& group) const {
    GroupReader reader(group, names_);
    for (std::size_t i = 0; i < group.elements.size(); ++i) {
      const SparqlExpression& filter = group.elements[i].expression;
      if (filter.op != "NOT EXISTS" || !reader.mentions("x")) continue;
      SparqlGroup members = *filter.group;
      if (members.elements.empty() || members.elements.back().kind != SparqlElement::kMinus) continue;
      const SparqlGroup all = members.elements.back().groups.front();
      if (GroupReader(members, names_).mentions("x")) continue;
      reader.use(i);
      auto asked = reader.set_of("x");
      reader.refuse_rest();
      GroupReader in(all, names_);
      auto set = in.set_of("y");
      in.refuse_rest();
      if (!asked || !set) continue;
      return check_among(std::move(*asked), std::move(*set));
    }
    return std::nullopt;
  }

  // Facts without variables: the tails, or the heads, are asked for of one set.
  [[nodiscard]] std::optional<Query> ask_facts(const SparqlGroup& group) const {
    for (const bool turned : {false, true}) {
      std::vector<EntityId> members;
      std::optional<Set> of;
      for (const SparqlElement& element : group.elements) {
        const bool fact = element.kind == SparqlElement::kTriple &&
                          element.subject.kind != SparqlTerm::kVariable &&
                          element.object.kind != SparqlTerm::kVariable;
        if (!fact) return std::nullopt;
        Set set = entities({names_.entity(turned ? element.object : element.subject)});
        for (const Relations& relations : names_.steps(element.path, turned))
          set = step(std::move(set), relations);
        if (of && !(*of == set)) break;
        of = std::move(set);
        members.push_back(names_.entity(turned ? element.subject : element.object));
      }
      if (of && members.size() == group.elements.size())
        return check_among(entities(members), std::move(*of));
    }
    return std::nullopt;
  }

  // Statements without variables at their ends, one or those of a union: one end of all is asked about.
  [[nodiscard]] std::optional<Query> ask_statements(const SparqlGroup& group) const {
    const bool united = group.elements.size() == 1 && group.elements.front().kind == SparqlElement::kUnion;
    const std::vector<SparqlGroup> alternatives =
        united ? group.elements.front().groups : std::vector<SparqlGroup>{group};
    const auto ends = GroupReader(alternatives.front(), names_).ends_of_whole();
    if (!ends) return std::nullopt;
    for (const EntityId member : {ends->first, ends->second}) {
      std::vector<Set> sets;
      for (const SparqlGroup& each : alternatives) {
        GroupReader reader(each, names_);
        auto set = reader.whole_statement(member);
        if (!set) break;
        reader.refuse_rest();
        sets.push_back(std::move(*set));
      }
      if (sets.size() < alternatives.size()) continue;
      if (sets.size() == 1 || GroupReader::join_statements(sets))
        return check_among(entities({member}), std::move(sets.front()));
      Set any{.kind = SetKind::kOr};
      any.parts = std::move(sets);
      return check_among(entities({member}), std::move(any));
    }
    return std::nullopt;
  }

  // Tables of one thing each, of which the rest says the same.
  [[nodiscard]] std::optional<Query> ask_members(const SparqlGroup& group) const {
    GroupReader reader(group, names_);
    std::vector<EntityId> members;
    std::optional<Set> of;
    for (std::size_t i = 0; i < group.elements.size(); ++i) {
      const SparqlElement& element = group.elements[i];
      const bool one = element.kind == SparqlElement::kValues && element.variables.size() == 1 &&
                       element.rows.size() == 1 && !reader.is_used(i);
      if (!one || (i > 0 && members.empty())) continue;
      reader.use(i);
      auto set = reader.set_of(element.variables.front());
      if (!set || (of && !(*of == *set))) return std::nullopt;
      of = std::move(*set);
      members.push_back(names_.entity(element.rows.front().front()));
    }
    if (!of) return std::nullopt;
    reader.refuse_rest();
    return check_among(entities(members), std::move(*of));
  }

  [[nodiscard]] Query relations() const {
    GroupReader reader(select_.where, names_);
    for (std::size_t i = 0; i < select_.where.elements.size(); ++i)
      if (select_.where.elements[i].kind == SparqlElement::kUnion &&
          select_.where.elements[i].groups.front().elements.front().path.iri.starts_with('?'))
        reader.use(i);
    auto from = reader.set_of("x"), to = reader.set_of("y");
    reader.refuse_rest();
    if (!from || !to) refuse("relations are taken between ?x and ?y");
    return relations_between(std::move(*from), std::move(*to));
  }

  const SparqlSelect& select_;
  const SparqlNames& names_;
};

}  // namespace

MeasuredSet grouped_select(const SparqlSelect& select, const SparqlNames& names) {
  if (select.columns.size() != 2 || select.group_by.size() != 1 ||
      select.columns[0].variable != select.group_by[0])
    refuse("a group is taken by one variable, with one measure beside it");
  const SparqlExpression& measure = select.columns[1].expression;
  if (measure.op == "COUNT DISTINCT" && measure.arguments.front().term.kind == SparqlTerm::kVariable)
    return counted_group(select.where, select.group_by[0], measure.arguments.front().term.text, names);
  if (!is_extreme(measure)) refuse("a group is measured by MIN, MAX or COUNT(DISTINCT)");
  return extreme_of(measure, select.where, names);
}

Set set_of_select(const SparqlSelect& select, const SparqlNames& names) {
  if (select.columns.size() == 2) {
    if (!select.order || !select.order->is_variable(select.columns[1].variable))
      refuse("one variable is asked for, or one with its measure in the order of that");
    return ranked(grouped_select(select, names), select);
  }
  const std::string& variable = select.columns.front().variable;
  if (select.columns.size() != 1 || !select.columns.front().expression.is_variable(variable))
    refuse("one variable is asked for");
  if (select.having) {
    if (select.group_by != std::vector<std::string>{variable})
      refuse("HAVING is taken with GROUP BY ?" + variable);
    const SparqlExpression* count = &*select.having;
    while (!count->op.starts_with("COUNT") && !count->arguments.empty()) count = &count->arguments.front();
    const auto condition = count_condition(*select.having, *count);
    if (count->op != "COUNT DISTINCT" || !condition)
      refuse("HAVING is taken with COUNT(DISTINCT ?y) and numbers");
    const MeasuredSet measured =
        counted_group(select.where, variable, count->arguments.front().term.text, names);
    return where_count(measured.set, measured.measure, *condition);
  }
  if (select.order) {
    const SparqlExpression& order = *select.order;
    if (order.op == "COUNT DISTINCT")
      return ranked(counted_group(select.where, variable, order.arguments.front().term.text, names), select);
    GroupReader reader(select.where, names);
    const auto owner = reader.owner_of(order);
    if (!owner || owner->first != variable) refuse("the order is by a value of ?" + variable);
    return ranked(reader.measured(order), select);
  }
  if (select.limit) refuse("LIMIT is taken with ORDER BY; how many rows are told is no part of a form");
  if (!select.group_by.empty()) refuse("GROUP BY is taken with HAVING or ORDER BY");
  GroupReader reader(select.where, names);
  auto set = reader.set_of(variable);
  reader.refuse_rest();
  if (!set) refuse("?" + variable + " is in no pattern");
  return std::move(*set);
}

Query query_of_sparql(std::string_view sparql, const graph::TypedValues& values,
                      const SparqlOptions& options) {
  const SparqlSelect select = parse_sparql(sparql);
  const SparqlNames names(values, options.base);
  Query query = QueryReader(select, names).read();
  check_form(query, values.graph(), 0);
  return query;
}

}  // namespace kgwalk::forms
