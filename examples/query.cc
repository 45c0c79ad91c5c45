// Answers forms over a database: query DATABASE [--sparql] < FORMS
//
// FORMS is JSON Lines, a form a line (docs/reference/forms.md), or with --sparql a query of SPARQL's subset
// a line. What comes out is JSON Lines too: the form, its words, its SPARQL, and the answer with the ids of
// its entities; or the error.
#include <iostream>
#include <string>

#include "kgwalk/error.h"
#include "kgwalk/form_text.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/json.h"
#include "kgwalk/query.h"
#include "kgwalk/store.h"
#include "kgwalk/typed_values.h"

namespace {

using kgwalk::Json;
namespace forms = kgwalk::forms;

// SPARQL has no words for some forms: the reason then.
Json sparql_of(const forms::Query& query, const kgwalk::graph::TypedValues& values) try {
  return forms::to_sparql(query, values);
} catch (const kgwalk::ConfigError& error) {
  return {{"error", error.what()}};
}

Json ids_of(const forms::Answer& answer, const kgwalk::graph::KnowledgeGraph& graph) {
  Json ids = Json::array();
  for (const auto entity : answer.entities) {
    const std::string_view id = kgwalk::graph::details(graph).id(entity);
    ids.push_back(std::string(id.empty() ? graph.entity_name(entity) : id));
  }
  return ids;
}

Json answered(const std::string& line, bool sparql, const forms::Engine& engine) try {
  const kgwalk::graph::TypedValues& values = engine.values();
  const forms::Query query =
      sparql ? forms::query_of_sparql(line, values) : forms::query_of_json(Json::parse(line), values);
  const forms::Answer answer = engine.answer(query);
  Json json = {{"form", forms::to_json(query, values)}, {"words", forms::in_words(query, values, answer)}};
  json["sparql"] = sparql_of(query, values);
  json["answer"] = forms::to_json(answer, values);
  json["ids"] = ids_of(answer, values.graph());
  return json;
} catch (const kgwalk::Error& error) {
  return {{"error", error.what()}};
} catch (const nlohmann::json::exception& error) {
  return {{"error", error.what()}};
}

}  // namespace

int main(int argc, char** argv) try {
  const bool sparql = argc == 3 && std::string(argv[2]) == "--sparql";
  if (argc != 2 && !sparql) {
    std::cerr << "usage: query DATABASE [--sparql] < FORMS\n";
    return 2;
  }
  const auto store = kgwalk::graph::Store::open(argv[1], kgwalk::graph::Store::Mode::kReadOnly);
  const kgwalk::graph::KnowledgeGraph graph = store.load_graph();
  const kgwalk::graph::TypedValues values(graph);
  const forms::Engine engine(values);
  std::string line;
  while (std::getline(std::cin, line))
    if (!line.empty()) std::cout << answered(line, sparql, engine).dump() << '\n' << std::flush;
} catch (const kgwalk::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
