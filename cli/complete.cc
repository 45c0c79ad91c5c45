// kgwalk complete: facts with one part missing, by TransE.
#include "kgwalk/complete.h"
#include "cli/commands.h"
#include "cli/model_choice.h"
#include "cli/print.h"

namespace kgwalk::cli {
namespace {

struct CompleteOptions {
  ModelChoice model;
  int dim = 0;
  bool new_only = false;
  CompleteRequest request;
};

void run_complete(CompleteOptions options, const Common& common) {
  options.request.known = !options.new_only;
  options.model.resolve(common);
  const Completer completer = Completer::open(options.model.database, options.dim);
  Json json = Json::array();
  for (const Completion& found : completer.complete(options.request)) {
    const NamedHop& fact = found.fact;
    print("{:8.3f}  {} -[{}]-> {}{}\n", found.distance, fact.head, fact.relation, fact.tail,
          found.known ? "   known" : "");
    json.push_back({{"head", fact.head},
                    {"relation", fact.relation},
                    {"tail", fact.tail},
                    {"distance", found.distance},
                    {"known", found.known}});
  }
  common.write_json(json);
}

}  // namespace

Verb add_complete(CLI::App& app, Common& common) {
  auto options = std::make_shared<CompleteOptions>();
  options->model.add_options(app, false, false);
  app.add_option("--head", options->request.head, "head of the fact; left out: asked for");
  app.add_option("--relation", options->request.relation, "relation of the fact; left out: asked for");
  app.add_option("--tail", options->request.tail, "tail of the fact; left out: asked for");
  app.add_option("--k", options->request.k, "answers wanted")->capture_default_str();
  app.add_flag("--new", options->new_only, "leave out what the graph holds already");
  app.add_option("--having", options->request.having_relation,
                 "only entities with an out-edge of this relation");
  app.add_option("--having-entity", options->request.having_entity, "and only those with it to this entity");
  app.add_option("--dim", options->dim, "width of the tables; 0 = the widest there are")
      ->capture_default_str();
  return [options, &common] { run_complete(*options, common); };
}

}  // namespace kgwalk::cli
