// How SPARQL gets at the values of a family of relations: by the literals themselves, by dates made
// comparable, by the labels of plain names, or, where SPARQL has nothing that compares as we do, by a table
// of all of them.
#pragma once

#include <string>
#include <vector>

#include "forms/fitted.h"
#include "graph/export/rdf_terms.h"
#include "kgwalk/forms.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::forms {

enum class KeyWay {
  kNumber,     // ?v is a number of SPARQL; years written as whole numbers too
  kTime,       // of dates, years and their like, xsd:dateTime of their first moment
  kLabel,      // a number, in the label of a plain name
  kLabelTime,  // a time written as XML Schema does, in the label of a plain name
  kTable,
};

class ValueKeys {
 public:
  ValueKeys(const Relations& relations, std::uint8_t group, const graph::TypedValues& values,
            const graph::RdfTerms& terms);

  [[nodiscard]] KeyWay way() const noexcept { return way_; }
  // Patterns that bind `key` (SPARQL compares it as we do) where `value` is bound to a tail, and let nothing
  // pass that is no value of the group.
  [[nodiscard]] std::string bind(const std::string& value, const std::string& key) const;
  // A pattern that lets only those values pass that hold the condition. `fresh` is a variable nobody else
  // uses.
  [[nodiscard]] std::string filter(const std::string& value, const std::string& fresh,
                                   const FittedCondition& condition) const;
  // Whether all values are of one kind, so that the order of their first moments is that of compare().
  [[nodiscard]] bool one_kind() const noexcept { return kinds_.size() <= 1; }
  [[nodiscard]] graph::ValueKind kind() const noexcept;

 private:
  struct Tail {
    RelationId relation;
    EntityId value;
  };
  [[nodiscard]] KeyWay way_of(const Tail& tail) const;
  [[nodiscard]] std::string bound(double ms, bool upper) const;
  [[nodiscard]] bool has_one_bound(double ms) const;
  [[nodiscard]] std::string comparison(const std::string& key, const Condition& condition) const;
  [[nodiscard]] std::string time_comparison(const std::string& key, const Condition& condition) const;

  const graph::TypedValues& values_;
  const graph::RdfTerms& terms_;
  std::uint8_t group_;
  std::vector<Tail> tails_;              // distinct by value
  std::vector<graph::ValueKind> kinds_;  // that they have, ascending
  KeyWay way_ = KeyWay::kTable;
  bool is_zoned_ = false;
};

// "5", "0.25", "1e300" as a literal of SPARQL.
[[nodiscard]] std::string sparql_number(double number);

}  // namespace kgwalk::forms
