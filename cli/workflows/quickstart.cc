// kgwalk quickstart: from the files of a graph to a packed model that answers questions.
#include <unistd.h>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/graph/ingest_words.h"
#include "cli/workflows/step_lines.h"
#include "kgwalk/workflows.h"

namespace kgwalk::cli {
namespace {

struct QuickstartVerb {
  IngestWords graph;
  QuickstartOptions make;
  bool serve = false, no_chat = false;
};

// What a person does with the model at once: another verb, as it would be typed.
void go_on_with(const char* verb, const char* title, const QuickstartResult& made, const Common& common) {
  const std::string model = made.model.string();
  print("\n== {}\n$ kgwalk {} {}\n", title, verb, model);
  flush_printed();
  Common rest = common;
  rest.config_files.clear();
  rest.assignments.clear();
  rest.json_out.clear();
  CLI::App app;
  const Verb run = command_named(verb).add(app, rest);
  app.parse(std::vector<std::string>{model});
  run();
}

void run_quickstart(QuickstartVerb verb, const Common& common) {
  QuickstartOptions& options = verb.make;
  if (options.folder.empty() && verb.graph.ingest.triples.front() == "-")
    throw CLI::ValidationError("--out", "is needed when the graph comes from standard input");
  apply_words(verb.graph);
  options.graph = verb.graph.ingest;
  options.seed = common.seed;
  const QuickstartResult made = quickstart(options, step_printer(), *common.reporter, *common.stop);
  print("\n{}", made.summary.text);
  print("\nsummary: {}\ntalk to it: kgwalk chat {}\non a page: kgwalk serve {}\n", made.page.string(),
        made.model.string(), made.model.string());
  common.write_json(made.summary.json);
  if (verb.serve) return go_on_with("serve", "The page", made, common);
  const bool typed_at = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
  if (typed_at && !verb.no_chat && options.ask.empty()) go_on_with("chat", "Talk to it", made, common);
}

Verb add_quickstart(CLI::App& app, Common& common) {
  auto options = std::make_shared<QuickstartVerb>();
  app.add_option("files", options->graph.ingest.triples,
                 "files of the graph, in any format that 'kgwalk ingest' reads")
      ->check(input_file())
      ->required();
  app.add_option("--out", options->make.folder,
                 "folder for everything that is made, a workspace (the first file's name unless given)");
  app.add_option("--format", options->graph.format,
                 "format of the files, when their extension does not tell it");
  app.add_option("--columns", options->graph.columns, "of csv and tsv: HEAD,RELATION,TAIL");
  app.add_option("--separator", options->graph.separator, "of csv and tsv: one character, or tab");
  app.add_option("--language", options->graph.ingest.input.language, "language of labels that is preferred");
  app.add_option("--literals", options->graph.literals, "entities, values or drop");
  app.add_option("--label", options->graph.labels,
                 "property that names entities; found unless given; repeatable")
      ->allow_extra_args(false);
  app.add_option("--alias", options->graph.aliases, "property that gives other names; repeatable")
      ->allow_extra_args(false);
  app.add_option("--description", options->graph.descriptions, "property that describes entities; repeatable")
      ->allow_extra_args(false);
  app.add_option("--dialogs", options->graph.dialogues,
                 "dialogues to learn habits from, NAME=FILE; repeatable")
      ->allow_extra_args(false);
  app.add_option("--split", options->graph.split,
                 "of dialogues without a name: shares of train, dev and test");
  app.add_option("--text", options->make.text,
                 "text encoder: hears words that no question taught, takes longer");
  app.add_option("--questions", options->make.questions,
                 "number of questions that are made to learn from (by the number of facts unless given)")
      ->check(CLI::Range(100, 10000000));
  app.add_option("--walks", options->make.walks, "number of walks that are made to learn from")
      ->check(CLI::Range(100, 10000000))
      ->capture_default_str();
  app.add_option("--about", options->make.about, "a sentence on the data, for the model");
  app.add_option("--license", options->make.license, "license of the data, for the model");
  app.add_option("--ask", options->make.ask,
                 "a question to answer at the end, in place of a chat; repeatable")
      ->allow_extra_args(false);
  app.add_flag("--serve", options->serve, "serve the model's page at the end");
  app.add_flag("--no-chat", options->no_chat, "no chat at the end");
  return [options, &common] { run_quickstart(*options, common); };
}

const Registration kQuickstartCommand({.name = "quickstart",
                                       .help = "from the files of a graph to a model that answers questions",
                                       .example = "films.ttl --out films",
                                       .add = add_quickstart,
                                       .group = Group::kBegin,
                                       .place = 1,
                                       .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
