// What every reader of a graph's files gives: terms, statements, and who takes them. A plain triple is a
// statement whose terms are names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kgwalk::graph {

enum class TermKind : std::uint8_t {
  kIri,
  kBlank,
  kLiteral,
  kId,   // a source's own id that is no IRI: its name where it has no label
  kName  // no id at all: equal names (graph/names.h) are the same
};

// Valid during the call that it is passed to.
struct Term {
  TermKind kind = TermKind::kIri;
  // UTF-8: the IRI, the label of a blank node, the lexical form of a literal, id or name
  std::string_view text;
  std::string_view language;  // of literals: the tag, or empty
  std::string_view datatype;  // of literals: an IRI, or empty
};

// What a statement says beside its fact: in which year, in which role.
struct QualifierTerms {
  Term predicate, value;
};

struct Statement {
  Term subject, predicate, object;
  std::string_view source = {};      // what it was taken from, as the graph of N-Quads; or empty
  std::optional<float> weight = {};  // finite, 0 or more
  // Its ends are nodes that some file must have: where none has, the statement is told and left out.
  bool between_nodes = false;
  std::span<const QualifierTerms> qualifiers = {};
};

inline constexpr std::string_view kRdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
inline constexpr std::string_view kRdfsLabel = "http://www.w3.org/2000/01/rdf-schema#label";

class StatementSink {
 public:
  virtual ~StatementSink() = default;
  // May throw (DataError under strict, Stopped): readers end then and let it through.
  // True when the statement was taken; false, and the reason logged, when not.
  virtual bool add(const Statement& statement, std::size_t line) = 0;
  // A node that may have no statement. False, and the reason logged, when the term cannot be one.
  virtual bool mention(const Term& term, std::size_t line) = 0;
  // A name that stands beside the term; the first one counts.
  virtual void name(const Term& term, std::string_view text, std::size_t line) = 0;
  // How the file abbreviates IRIs that begin so.
  virtual void prefix(std::string_view name, std::string_view iri) = 0;
  // So many bytes of the file are read.
  virtual void at(std::size_t position) = 0;
};

}  // namespace kgwalk::graph
