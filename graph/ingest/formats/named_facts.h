// Facts of triples and tables, whose heads and tails are names, numbers of a map, or ids with names beside
// them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "graph/ingest/input_text.h"
#include "graph/ingest/statement.h"
#include "graph/values/literal.h"

namespace kgwalk::graph {

struct NamedFact {
  std::string_view head, relation, tail;
  std::string_view head_id = {}, tail_id = {}, relation_id = {}, source = {};
  std::optional<float> weight = {};
};

// Relations that have ids, and names beside them.
class NamedRelations {
 public:
  explicit NamedRelations(StatementSink& sink) : sink_(sink) {}
  // The term of one; its name is handed on the first time, unless that is what its id says. Without an id the
  // name stands for it.
  [[nodiscard]] Term term(std::string_view id, std::string_view name, std::size_t line);

 private:
  StatementSink& sink_;
  std::unordered_set<std::string> met_ = {};
};

// Hands facts on as statements. `text` and `sink` must outlive the object.
class NamedFacts {
 public:
  NamedFacts(const InputText& text, StatementSink& sink) : text_(text), sink_(sink) {}
  void take(NamedFact fact, std::size_t line);

 private:
  [[nodiscard]] bool look_up(NamedFact& fact, std::size_t line) const;
  [[nodiscard]] Term term(std::string_view id, std::string_view name, std::optional<Literal>& literal) const;
  const InputText& text_;
  StatementSink& sink_;
  NamedRelations relations_{sink_};
};

// Whether a first row is a header: every role has one of its usual names (head, relation, tail; subject,
// predicate, object; source, target ...), in any case.
[[nodiscard]] bool is_fact_header(std::string_view head, std::string_view relation, std::string_view tail);

}  // namespace kgwalk::graph
