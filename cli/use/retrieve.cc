// kgwalk retrieve: facts that bear on a question, for a language model's prompt.
#include "kgwalk/retrieve.h"
#include "cli/frame/command.h"
#include "cli/frame/model_choice.h"
#include "cli/frame/print.h"

namespace kgwalk::cli {
namespace {

struct RetrieveOptions {
  ModelChoice model;
  std::vector<std::string> words;  // [MODEL] QUESTION
  RetrieveRequest request;
};

void run_retrieve(RetrieveOptions options, const Common& common) {
  options.model.take_model(options.words, 1);
  if (options.words.size() != 1) throw CLI::ValidationError("give one question, in quotes");
  options.request.question = options.words.front();
  options.model.resolve(common);
  const Retrieved found =
      Retriever::open(options.model.database, options.model.run).retrieve(options.request);
  print_text(found.text);
  Json facts = Json::array();
  for (const RetrievedFact& fact : found.facts) {
    facts.push_back({{"head", fact.fact.head},
                     {"relation", fact.fact.relation},
                     {"tail", fact.fact.tail},
                     {"weight", fact.weight},
                     {"source", fact.source}});
    if (!fact.fact.sources.empty()) facts.back()["sources"] = fact.fact.sources;
    if (fact.fact.weight) facts.back()["fact_weight"] = *fact.fact.weight;
  }
  common.write_json({{"text", found.text},
                     {"tokens", found.tokens},
                     {"cut", found.cut},
                     {"entities", found.entities},
                     {"facts", std::move(facts)}});
}

Verb add_retrieve(CLI::App& app, Common& common) {
  auto options = std::make_shared<RetrieveOptions>();
  options->model.add_options(app, false);
  app.add_option("question", options->words, "[MODEL], then the question")->required();
  app.add_option("--tokens", options->request.tokens, "budget of the text, in tokens of a language model")
      ->capture_default_str();
  app.add_option("--k", options->request.k, "paths from each entity that is named")->capture_default_str();
  app.add_option("--max-hops", options->request.max_hops, "longest path")->capture_default_str();
  return [options, &common] { run_retrieve(*options, common); };
}

const Registration kRetrieveCommand({.name = "retrieve",
                                     .help = "facts that bear on a question, for a language model's prompt",
                                     .example = "films.tar.zst \"Who directed Iron Man?\"",
                                     .add = add_retrieve,
                                     .group = Group::kUse,
                                     .place = 8,
                                     .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
