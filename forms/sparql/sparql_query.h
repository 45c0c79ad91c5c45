// A query of the subset of SPARQL 1.1 that forms have, as it is written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kgwalk::forms {

struct SparqlTerm {
  enum Kind { kVariable, kIri, kLiteral } kind = kVariable;
  std::string text =
      {};  // the name without its mark; the IRI without its brackets; the literal as N-Triples writes it
  SparqlTerm() {}
  SparqlTerm(Kind of, std::string written) : kind(of), text(std::move(written)) {}
  friend bool operator==(const SparqlTerm&, const SparqlTerm&) = default;
};

struct SparqlPath {
  enum Kind { kIri, kInverse, kSequence, kEither, kAnyTimes } kind = kIri;
  std::string iri = {};
  std::vector<SparqlPath> parts = {};
};

struct SparqlGroup;
struct SparqlSelect;

// `op` is an operator, the name of a function in capitals ("COUNT DISTINCT"), the IRI of a cast, "EXISTS",
// "NOT EXISTS", or empty for a term.
struct SparqlExpression {
  std::string op = {};
  SparqlTerm term = {};
  std::vector<SparqlExpression> arguments = {};
  std::shared_ptr<SparqlGroup> group = {};
  [[nodiscard]] bool is_variable(std::string_view name) const {
    return op.empty() && term.kind == SparqlTerm::kVariable && term.text == name;
  }
};

struct SparqlElement {
  enum Kind { kTriple, kFilter, kUnion, kMinus, kOptional, kSelect, kValues, kBind } kind = kTriple;
  SparqlTerm subject = {}, object = {};
  SparqlPath path = {};
  SparqlExpression expression = {};                // kFilter, kBind
  std::vector<SparqlGroup> groups = {};            // kUnion; kMinus, kOptional: one
  std::shared_ptr<SparqlSelect> select = {};       // kSelect
  std::vector<std::string> variables = {};         // kValues; kBind: one
  std::vector<std::vector<SparqlTerm>> rows = {};  // kValues
};

// Groups within are part of it unless they are a kind of element.
struct SparqlGroup {
  std::vector<SparqlElement> elements = {};
};

struct SparqlColumn {
  SparqlExpression expression;
  std::string variable;
};

struct SparqlSelect {
  bool ask = false;
  std::vector<SparqlColumn> columns = {};
  SparqlGroup where = {};
  std::vector<std::string> group_by = {};
  std::optional<SparqlExpression> having = {}, order = {};
  bool descending = false;
  std::optional<std::uint64_t> limit = {};
};

// ConfigError "line L, column C: ...": a slip, or something that the subset does not have.
[[nodiscard]] SparqlSelect parse_sparql(std::string_view text);

}  // namespace kgwalk::forms
