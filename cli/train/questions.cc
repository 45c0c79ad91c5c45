// kgwalk questions: question turns to learn from and to measure by.
#include <map>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "dialogue/questions/generate.h"
#include "dialogue/questions/readers.h"
#include "dialogue/questions/remarks.h"
#include "kgwalk/error.h"
#include "kgwalk/store.h"

namespace kgwalk::cli {
namespace {

struct QuestionsOptions {
  std::string database, out, bank, simplequestions, metaqa;
  int hops = 1, count = 0, show = 5;
  bool path_labels = false, without_held = false;
  std::string split;
};

dialogue::Bank bank_of(const QuestionsOptions& options) {
  return options.bank.empty() ? dialogue::builtin_bank() : dialogue::read_bank(options.bank);
}

std::vector<dialogue::QuestionTurn> generated(const QuestionsOptions& options, const Common& common) {
  dialogue::GenerateConfig config =
      load_config(common.config_files, common.assignments, dialogue::GenerateConfig{});
  if (options.count > 0) config.count = options.count;
  if (!options.split.empty()) config.split = options.split;
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  std::vector<graph::Dialogue> dialogues;
  for (const std::string& split : store.splits()) {
    if (!split.starts_with("train")) continue;
    for (graph::Dialogue& dialogue : store.dialogues(split)) dialogues.push_back(std::move(dialogue));
  }
  const std::vector<std::string> remarks = dialogue::remarks_of(dialogues);
  const dialogue::Bank bank = bank_of(options);
  return dialogue::generate_questions(graph, bank, config, common.seed, remarks);
}

std::vector<dialogue::QuestionTurn> simple_questions(const QuestionsOptions& options, const Common& common) {
  const auto config = load_config(common.config_files, common.assignments, dialogue::GenerateConfig{});
  std::vector<dialogue::QuestionTurn> questions = dialogue::read_simplequestions(options.simplequestions);
  if (!options.without_held) return questions;
  const dialogue::Bank bank = bank_of(options);
  const std::size_t left = leave_out(questions, bank, dialogue::held_back(bank, config.held_families));
  print("{} questions for relations that are kept back were left out\n", left);
  return questions;
}

std::vector<dialogue::QuestionTurn> questions_of(const QuestionsOptions& options, const Common& common) {
  const int sources = (options.database.empty() ? 0 : 1) + (options.simplequestions.empty() ? 0 : 1) +
                      (options.metaqa.empty() ? 0 : 1);
  if (sources != 1)
    throw CLI::ValidationError(
        "give one source: --db of a graph to ask about, --simplequestions or --metaqa");
  if (!options.simplequestions.empty()) return simple_questions(options, common);
  if (!options.metaqa.empty())
    return dialogue::read_metaqa(options.metaqa, options.hops, options.path_labels);
  return generated(options, common);
}

void run_questions(const QuestionsOptions& options, const Common& common) {
  const std::vector<dialogue::QuestionTurn> questions = questions_of(options, common);
  dialogue::write_questions(options.out, questions);
  std::map<std::string, std::int64_t> kinds;
  for (const dialogue::QuestionTurn& question : questions) {
    std::string kind(dialogue::name_of(question.asks));
    if (question.hops > 1) kind.append(" of ").append(std::to_string(question.hops)).append(" hops");
    ++kinds[kind];
  }
  Json json = {{"questions", questions.size()}, {"out", options.out}};
  for (const auto& [kind, count] : kinds) {
    print("{:<16} {:>8}\n", kind, count);
    json["kinds"][kind] = count;
  }
  for (std::size_t i = 0; i < std::min(questions.size(), static_cast<std::size_t>(options.show)); ++i) {
    std::string line;
    for (const std::string& turn : questions[i].turns) line.append(line.empty() ? "" : " / ").append(turn);
    print("  {}\n", line);
  }
  print("{} questions in {}\n", questions.size(), options.out);
  common.write_json(json);
}

Verb add_questions(CLI::App& app, Common& common) {
  auto options = std::make_shared<QuestionsOptions>();
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
  app.add_option("--show", options->show, "number of questions that are printed")->capture_default_str();
  return [options, &common] { run_questions(*options, common); };
}

std::vector<Configurable> configures_questions() {
  return {configurable<dialogue::GenerateConfig>("questions", "questions about a graph")};
}

const Registration kQuestionsCommand({.name = "questions",
                                      .help = "make questions to learn listening from, and to measure it",
                                      .example = "--db films.db --split train --count 20000 --out train.txt",
                                      .add = add_questions,
                                      .group = Group::kTrain,
                                      .place = 2,
                                      .configures = configures_questions});

}  // namespace
}  // namespace kgwalk::cli
