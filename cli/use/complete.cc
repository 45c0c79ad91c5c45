// kgwalk complete: facts with one part missing, by embeddings.
#include "kgwalk/complete.h"

#include "cli/frame/command.h"
#include "cli/frame/model_choice.h"
#include "cli/frame/print.h"

namespace kgwalk::cli {
namespace {

struct CompleteOptions {
  ModelChoice model;
  std::vector<std::string> words;
  std::string embedding;
  int dim = 0;
  bool new_only = false;
  CompleteRequest request;
};

// Head, relation and tail as words, "?" for what is asked for.
void take_fact(std::vector<std::string> words, CompleteRequest& request) {
  if (words.empty()) return;
  if (words.size() > 3)
    throw ConfigError("a fact has a head, a relation and a tail, '?' for what is asked for; " +
                      std::to_string(words.size()) + " words were given");
  words.resize(3, "?");
  std::string* const parts[] = {&request.head, &request.relation, &request.tail};
  for (std::size_t i = 0; i < 3; ++i) {
    if (words[i] == "?") continue;
    if (!parts[i]->empty())
      throw ConfigError("'" + words[i] + "' and '" + *parts[i] + "' are given for the same part of the fact");
    *parts[i] = std::move(words[i]);
  }
}

void run_complete(CompleteOptions options, const Common& common) {
  options.model.take_model(options.words, 2);
  take_fact(std::move(options.words), options.request);
  options.request.known = !options.new_only;
  options.model.resolve(common);
  const Completer completer = Completer::open(options.model.database, options.dim, options.embedding);
  const std::vector<Completion> all = completer.complete(options.request);
  print_text("probability  distance  fact\n");
  Json json = Json::array();
  bool told = false;
  for (const Completion& found : all) {
    const NamedHop& fact = found.fact;
    const std::string likely = found.known         ? "known"
                               : found.probability ? fmt::format("{:.1f} %", 100 * *found.probability)
                                                   : "";
    print("{:>11}  {:8.3f}  {} -[{}]-> {}\n", likely, found.distance, fact.head, fact.relation, fact.tail);
    json.push_back({{"head", fact.head},
                    {"relation", fact.relation},
                    {"tail", fact.tail},
                    {"distance", found.distance},
                    {"probability", found.probability ? Json(*found.probability) : Json(nullptr)},
                    {"known", found.known}});
    told = told || found.known || found.probability;
  }
  if (!told && !all.empty())
    common.reporter->info("these tables tell no probabilities; `kgwalk embed` makes some that do");
  common.write_json(json);
}

Verb add_complete(CLI::App& app, Common& common) {
  auto options = std::make_shared<CompleteOptions>();
  options->model.add_options(app, false, false);
  app.add_option("words", options->words,
                 "packed model, head, relation and tail: '?' for what is asked for, at the end left out");
  app.add_option("--head", options->request.head, "head of the fact; left out: asked for");
  app.add_option("--relation", options->request.relation, "relation of the fact; left out: asked for");
  app.add_option("--tail", options->request.tail, "tail of the fact; left out: asked for");
  app.add_option("--k", options->request.k, "answers wanted")->capture_default_str();
  app.add_flag("--new", options->new_only, "leave out what the graph holds already");
  app.add_option("--having", options->request.having_relation,
                 "only entities with an out-edge of this relation");
  app.add_option("--having-entity", options->request.having_entity, "and only those with it to this entity");
  app.add_option("--embedding", options->embedding,
                 "whose tables: transe, complex, ...; the best there are unless given");
  app.add_option("--dim", options->dim, "width of the tables; 0 = any")->capture_default_str();
  return [options, &common] { run_complete(*options, common); };
}

const Registration kCompleteCommand({.name = "complete",
                                     .help = "the likeliest facts with one part missing",
                                     .example = "films.tar.zst \"Iron Man\" has_genre",
                                     .add = add_complete,
                                     .group = Group::kUse,
                                     .place = 6,
                                     .computes = Computes::kEmbeddings});

}  // namespace
}  // namespace kgwalk::cli
