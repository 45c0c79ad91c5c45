// kgwalk questions: question turns to learn from and to measure by.
#include "cli/frame/command.h"
#include "cli/frame/shard_options.h"
#include "kgwalk/training.h"

namespace kgwalk::cli {
namespace {

void run_questions(MakeQuestionsOptions make, const Common& common) {
  const int sources = (make.database.empty() ? 0 : 1) + (make.simplequestions.empty() ? 0 : 1) +
                      (make.metaqa.empty() ? 0 : 1);
  if (sources != 1)
    throw CLI::ValidationError(
        "give one source: --db of a graph to ask about, --simplequestions or --metaqa");
  make.seed = common.seed;
  make.settings = common.settings();
  make.shards = shards_of(make.shards, common);
  common.tell(make_questions(make, *common.reporter, *common.stop));
}

Verb add_questions(CLI::App& app, Common& common) {
  auto options = std::make_shared<MakeQuestionsOptions>();
  options->shown = 5;
  app.add_option("--db", options->database, "database whose graph is asked about");
  app.add_option("--simplequestions", options->simplequestions,
                 "file of SimpleQuestions: relation TAB question");
  app.add_flag("--without-held", options->without_held,
               "SimpleQuestions: leave out what asks for relations that --db's questions keep back");
  app.add_option("--metaqa", options->metaqa, "file of MetaQA: question with [start] TAB answers TAB type");
  app.add_option("--hops", options->hops, "hops of MetaQA's questions")
      ->check(CLI::Range(1, 4))
      ->capture_default_str();
  app.add_flag("--path-labels", options->path_labels,
               "MetaQA: keep the relations that the type of question tells");
  app.add_option("--out", options->out, "file to write, one question a line")
      ->required()
      ->check(output_file());
  app.add_option("--bank", options->bank, "wordings in place of the built-in ones (data/questions/bank.txt)");
  app.add_option("--count", options->count, "number of questions")->check(CLI::Range(1, 100000000));
  app.add_option("--split", options->split, "train, test_wording or test_relation");
  app.add_option("--show", options->shown, "number of questions that are printed")->capture_default_str();
  add_shards(app, options->shards);
  return [options, &common] { run_questions(*options, common); };
}

std::vector<Configurable> configures_questions() { return {configurable_of("questions", "make_questions")}; }

const Registration kQuestionsCommand({.name = "questions",
                                      .help = "make questions to learn listening from, and to measure it",
                                      .example = "--db films.db --split train --count 20000 --out train.txt",
                                      .add = add_questions,
                                      .group = Group::kTrain,
                                      .place = 2,
                                      .configures = configures_questions});

}  // namespace
}  // namespace kgwalk::cli
