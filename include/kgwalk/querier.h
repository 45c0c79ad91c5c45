// Answers forms (kgwalk/forms.h) that are written down, as json or as SPARQL, within a limit of time and
// rows: what `kgwalk query`, POST /api/v1/query and the tool `query` of MCP give.
//
// Example:
//   #include "kgwalk/store.h"
//
//   const auto graph =
//       kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadOnly).load_graph();
//   const kgwalk::Querier querier(graph);
//   const auto answered = querier.answer(
//       {.form = R"({"count": {"step": "~directed_by", "from": "Christopher Nolan"}})"});
//   std::cout << answered.said << '\n';                     // a sentence
//   std::cout << answered.sparql.value_or("") << '\n';      // the same as SPARQL 1.1
//   std::cout << querier.to_json(answered).dump(2) << '\n';
//
// The graph is borrowed and must outlive the querier, which is immutable: all its functions are thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/forms.h"
#include "kgwalk/json.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/query.h"

namespace kgwalk {

// One of both (docs/reference/forms.md has their grammars).
struct FormRequest {
  std::string form = {};    // json
  std::string sparql = {};  // SELECT or ASK
  std::size_t rows = 100;   // entities told at most, from 1; how many there are is told all the same
  double seconds = 5;       // wall time at most, above 0; an answer that takes longer is none, and says so
};

struct AnsweredForm {
  forms::Query query;
  forms::Answer answer;
  std::string said = {};                   // a sentence or two
  std::string words = {};                  // the form and what came out, exactly
  std::optional<std::string> sparql = {};  // nothing where SPARQL has no words for it, and
  std::string no_sparql = {};              // why
  // What the answer rests on: the first of the entities told, all that were compared, what was found to be
  // so.
  std::vector<graph::Triple> evidence = {};
};

// All that is told of an answer but the sentence.
[[nodiscard]] AnsweredForm answered_form(forms::Query query, forms::Answer answer,
                                         const forms::Engine& engine);
// {"said", "words", "form", "sparql": text or null, "answer": {...}, "rows": [...], "evidence": [hops]}, and
// "no_sparql" where there is none. Rows are objects with the name of an entity and, where it was ordered or
// compared, the value.
[[nodiscard]] Json to_json(const AnsweredForm& answered, const graph::TypedValues& values);

class Querier {
 public:
  // Reads the values of the graph once: seconds where it has millions of facts.
  explicit Querier(const graph::KnowledgeGraph& graph);
  Querier(Querier&&) noexcept;
  Querier& operator=(Querier&&) noexcept;
  ~Querier();

  // ConfigError: none or both are given, one cannot be read (names what, and what is near), limits out of
  // range.
  [[nodiscard]] AnsweredForm answer(const FormRequest& request) const;

  [[nodiscard]] Json to_json(const AnsweredForm& answered) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk
