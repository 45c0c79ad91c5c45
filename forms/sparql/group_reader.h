// Reads what the patterns of a group of SPARQL say of one variable, as a set.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forms/sparql/sparql_query.h"
#include "graph/export/rdf_terms.h"
#include "kgwalk/forms.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::forms {

// The graph that IRIs and literals are looked up in.
class SparqlNames {
 public:
  SparqlNames(const graph::TypedValues& values, std::string base) : values_(values), base_(std::move(base)) {}

  [[nodiscard]] const graph::TypedValues& values() const noexcept { return values_; }
  [[nodiscard]] const graph::KnowledgeGraph& graph() const noexcept { return values_.graph(); }
  // ConfigError names the nearest.
  [[nodiscard]] EntityId entity(const SparqlTerm& term) const;
  [[nodiscard]] RelationId relation(const std::string& iri) const;
  [[nodiscard]] std::optional<RelationId> known_relation(const std::string& iri) const;
  // The families that a path takes one after the other; backwards where `turned`. ConfigError for "any
  // times".
  [[nodiscard]] std::vector<Relations> steps(const SparqlPath& path, bool turned) const;

 private:
  const graph::TypedValues& values_;
  std::string base_;
};

// A set and what its members are measured by.
struct MeasuredSet {
  Set set;
  Measure measure;
  bool greatest = true;
};

// Reads each element once; what no reading took is told by refuse_rest(). Borrows both.
class GroupReader {
 public:
  GroupReader(const SparqlGroup& group, const SparqlNames& names);

  // All that is said of the variable, and of what hangs on it. Empty where nothing is.
  [[nodiscard]] std::optional<Set> set_of(const std::string& variable);
  // What is said of `variable`, where `key` is bound to its values (or to what is bound to them).
  [[nodiscard]] MeasuredSet measured(const SparqlExpression& key);
  // The variable that a value (or what is made of it) hangs on, and the relations between.
  [[nodiscard]] std::optional<std::pair<std::string, Relations>> owner_of(const SparqlExpression& key) const;
  // Of a statement both of whose ends are constants: these, and what one of them is a member of by it;
  // nullopt where the group has none, or none with that end.
  [[nodiscard]] std::optional<std::pair<EntityId, EntityId>> ends_of_whole() const;
  [[nodiscard]] std::optional<Set> whole_statement(EntityId member);
  // Makes one step of statements that differ in their relations alone; false where they differ otherwise.
  [[nodiscard]] static bool join_statements(std::vector<Set>& parts);
  // ConfigError where an element says something that was not taken.
  void refuse_rest() const;

  [[nodiscard]] bool mentions(const std::string& variable) const;
  [[nodiscard]] std::vector<std::string> variables() const;  // of patterns, in their order
  [[nodiscard]] bool is_used(std::size_t element) const { return used_[element]; }
  void use(std::size_t element) { used_[element] = true; }
  [[nodiscard]] const SparqlGroup& group() const noexcept { return group_; }

 private:
  struct Bound {  // `value TEST given`
    Comparison test;
    TypedValue value;
    bool of_year = false;
  };
  struct Gathered;   // parts and limits of a set
  struct Statement;  // a fact with what is said beside it

  void take_triple(const SparqlElement& element, const std::string& variable, Gathered& into);
  void take_table(const SparqlElement& element, const std::string& variable, Gathered& into);
  void take_union(const SparqlElement& element, const std::string& variable, Gathered& into);
  void take_other(const SparqlElement& element, const std::string& variable, Gathered& into);
  // A statement that `element` has an end of; false for other patterns.
  bool take_statement(const SparqlElement& element, const std::string& variable, std::vector<Set>& parts);
  [[nodiscard]] Statement statement_of(const std::string& node);
  [[nodiscard]] Set end_of(const Statement& statement, bool asks_subject);
  [[nodiscard]] std::optional<Qualified> qualified_by(const SparqlElement& said);
  [[nodiscard]] std::optional<Set> set_here_or_around(const std::string& variable);
  [[nodiscard]] const SparqlElement* whole_element() const;  // that names the subject of such a statement
  bool take_select(const SparqlElement& element, const std::string& variable, Gathered& into);
  [[nodiscard]] Set typed_or_step(const SparqlPath& path, const SparqlTerm& from, bool turned) const;
  [[nodiscard]] Set along(Set from, const std::vector<Relations>& steps) const;
  [[nodiscard]] std::vector<std::string> made_of(const std::string& value) const;
  [[nodiscard]] std::optional<std::string> root_of(const SparqlExpression& expression) const;
  [[nodiscard]] std::optional<Condition> condition_on(const std::string& value, const Relations& relations);
  void use_guards(const std::string& value);
  bool gather_bounds(const SparqlExpression& expression, const std::string& value,
                     std::vector<Bound>& bounds) const;
  [[nodiscard]] std::optional<Bound> bound_of(const SparqlExpression& expression,
                                              const std::string& value) const;

  const SparqlGroup& group_;
  const SparqlNames& names_;
  std::vector<bool> used_;
  std::vector<std::string> open_;         // variables on the way here
  GroupReader* around_ = nullptr;         // of a part of a union
  std::map<std::string, Set> lent_ = {};  // what parts of unions asked for
};

// A select that orders or groups the members of a set: SELECT ?x (MIN(?k) AS ?b) ... GROUP BY ?x.
[[nodiscard]] MeasuredSet grouped_select(const SparqlSelect& select, const SparqlNames& names);
// A select of one variable, with its order and limit, or HAVING.
[[nodiscard]] Set set_of_select(const SparqlSelect& select, const SparqlNames& names);

// Bounds on one value become a condition: one, or both ends of a range.
struct SparqlBounds {
  [[nodiscard]] static TypedValue from_moment(double ms);   // the longest time that begins there
  [[nodiscard]] static TypedValue until_moment(double ms);  // that ends there
};

// "COUNT(?n) > 3" as a condition on a count; the count must be `of`.
[[nodiscard]] std::optional<Condition> count_condition(const SparqlExpression& expression,
                                                       const SparqlExpression& of);

[[nodiscard]] bool same_expression(const SparqlExpression& a, const SparqlExpression& b);
// What a filter says, cut at its ands.
[[nodiscard]] std::vector<const SparqlExpression*> conjuncts(const SparqlExpression& expression);

}  // namespace kgwalk::forms
