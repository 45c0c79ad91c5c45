// Forms (kgwalk/forms.h) as English words, as json and as SPARQL 1.1, the latter two both ways.
//
// Example:
//   #include "kgwalk/query.h"
//   #include "kgwalk/store.h"
//
//   using namespace kgwalk;
//   const auto graph = graph::Store::open("kg.db", graph::Store::Mode::kReadOnly).load_graph();
//   const graph::TypedValues values(graph);
//   const forms::Query query = forms::query_of_json(
//       Json::parse(R"({"count": {"where": "release year", "test": ">", "value": 2005,
//                                 "of": {"step": "~directed by", "from": "Christopher Nolan"}}})"), values);
//   std::cout << forms::in_words(query, values) << '\n';   // how many things directed by ...
//   std::cout << forms::to_sparql(query, values) << '\n';  // over what export_graph() writes as N-Triples
//   const forms::Query same = forms::query_of_sparql(forms::to_sparql(query, values), values);
//   std::cout << forms::in_words(same, values, forms::Engine(values).answer(same)) << '\n';
//
// Formats: docs/reference/forms.md. Thread-safe: all functions are pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/forms.h"
#include "kgwalk/json.h"
#include "kgwalk/query.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::forms {

// An exact phrase in which names of the graph stand as they are: "films directed by Nolan, after 2005".
[[nodiscard]] std::string in_words(const Query& query, const graph::TypedValues& values);
[[nodiscard]] std::string in_words(const Set& set, const graph::TypedValues& values);
// With what came out: "...: 4", "...: Memento, Tenet and 3 more", "...: yes", "...: not known, ...".
[[nodiscard]] std::string in_words(const Query& query, const graph::TypedValues& values, const Answer& answer,
                                   std::size_t most_names = 5);

// Entities and relations by name; by id, where the source gave one and the name would be found as another's.
[[nodiscard]] Json to_json(const Query& query, const graph::TypedValues& values);
[[nodiscard]] Json to_json(const Answer& answer, const graph::TypedValues& values);
// Strict: ConfigError for an unknown key (names the nearest), a name that is not in the graph (names the
// nearest), a value that is none.
[[nodiscard]] Query query_of_json(const Json& json, const graph::TypedValues& values);

struct SparqlOptions {
  std::string base = "http://example.org/";  // as GraphExportOptions::base
};
// A query whose answer, over the N-Triples that export_graph() writes, is that of the form; the answers of
// before stand in it. Values that SPARQL cannot compare as we do (units, dates in words) stand in it one by
// one. ConfigError: the form rests on a blank node, on a difference of dates.
[[nodiscard]] std::string to_sparql(const Query& query, const graph::TypedValues& values,
                                    Bindings before = {}, const SparqlOptions& options = {});
// The form of a SELECT or ASK of the subset that the page names. ConfigError: a slip of syntax (line and
// column), an IRI that is not in the graph (names the nearest), something that the subset does not have (a
// sentence that names it).
[[nodiscard]] Query query_of_sparql(std::string_view sparql, const graph::TypedValues& values,
                                    const SparqlOptions& options = {});

}  // namespace kgwalk::forms
