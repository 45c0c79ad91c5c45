// kgwalk query: forms that are written down, as json or as SPARQL, answered by the graph.
#include <iostream>
#include <iterator>

#include "cli/frame/command.h"
#include "cli/frame/model_choice.h"
#include "cli/frame/print.h"
#include "kgwalk/querier.h"
#include "kgwalk/store.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

struct QueryOptions {
  ModelChoice model;
  std::vector<std::string> words;
  FormRequest request;
};

// A form is an object of json; all else is SPARQL.
void take_text(std::string text, FormRequest& request) {
  if (text == "-") text = std::string(std::istreambuf_iterator<char>(std::cin), {});
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos)
    throw CLI::ValidationError("query", "nothing is asked: a form as json, or SPARQL");
  (text[begin] == '{' ? request.form : request.sparql) = std::move(text);
}

void run_query(QueryOptions options, const Common& common) {
  options.model.take_model(options.words, 1);
  if (options.words.size() != 1)
    throw CLI::ValidationError("query", "one form is taken; put it in quotes, or give - for standard input");
  take_text(std::move(options.words.front()), options.request);
  options.model.resolve(common);
  const graph::Store store = graph::Store::open(options.model.database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  const Querier querier(graph);
  const AnsweredForm answered = querier.answer(options.request);
  const Json json = querier.to_json(answered);
  print("{}\n", answered.said);
  if (json["rows"].size() > 1)
    for (const Json& row : json["rows"])
      print("  {}{}\n", row["name"].get<std::string>(),
            row.contains("value") ? "\t" + row["value"].get<std::string>() : "");
  print("asked: {}\n", answered.words);
  if (answered.sparql)
    print("SPARQL: {}\n", *answered.sparql);
  else
    print("SPARQL has no words for it: {}\n", answered.no_sparql);
  common.write_json(json);
}

Verb add_query(CLI::App& app, Common& common) {
  auto options = std::make_shared<QueryOptions>();
  options->model.add_options(app, false, false);
  app.add_option("form", options->words,
                 "[MODEL], then a form as json or SPARQL (docs/reference/forms.md); - = standard input")
      ->required();
  app.add_option("--rows", options->request.rows, "entities told at most")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--seconds", options->request.seconds, "time at most")
      ->check(CLI::Range(0.001, 3600.0))
      ->capture_default_str();
  return [options, &common] { run_query(*options, common); };
}

const Registration kQueryCommand(
    {.name = "query",
     .help = "ask the graph exactly: which, how many, first, compared, whether, as json or SPARQL",
     .example = "films.tar.zst '{\"count\": {\"step\": \"~directed_by\", \"from\": \"Christopher Nolan\"}}'",
     .add = add_query,
     .group = Group::kUse,
     .place = 7});

}  // namespace
}  // namespace kgwalk::cli
