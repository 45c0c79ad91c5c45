// What readers of RDF and of Neo4j's files find: terms, statements, and who takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  std::string_view
      text;  // UTF-8: the IRI, the label of a blank node, the lexical form of a literal, id or name
  std::string_view language;  // of literals: the tag, or empty
  std::string_view datatype;  // of literals: an IRI, or empty
};

struct Statement {
  Term subject, predicate, object;
  std::string_view source = {};      // what it was taken from, as the graph of N-Quads; or empty
  std::optional<float> weight = {};  // finite, 0 or more
};

inline constexpr std::string_view kRdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

class StatementSink {
 public:
  virtual ~StatementSink() = default;
  // May throw (DataError under strict, Stopped): readers end then and let it through.
  virtual void add(const Statement& statement, std::size_t line) = 0;
  // A node that may have no statement.
  virtual void mention(const Term& term, std::size_t line) = 0;
  // So many bytes of the file are read.
  virtual void at(std::size_t position) = 0;
};

}  // namespace kgwalk::graph
