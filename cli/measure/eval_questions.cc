// kgwalk eval questions: answers of a walker that listens.
#include "cli/frame/print.h"
#include "cli/measure/evaluated.h"
#include "cli/measure/measurements.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "walker/evaluation/question_eval.h"

namespace kgwalk::cli {
namespace {

struct AskedOptions {
  Evaluated of;
  std::string questions, output, ranks, start = "gold";
  int beam = 0;
};

void write_outcomes(const std::string& file, const std::vector<dialogue::QuestionTurn>& questions,
                    const walker::QuestionEvaluation& found) {
  if (file.empty()) return;
  std::string lines;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    Json line = dialogue::to_json(questions[i]);
    const walker::QuestionOutcome& outcome = found.outcomes[i];
    line.update({{"start found", outcome.start},
                 {"answered", outcome.answered},
                 {"heard", outcome.heard},
                 {"asked", outcome.asked},
                 {"missing", outcome.missing},
                 {"listed", outcome.listed},
                 {"right", outcome.right}});
    lines.append(line.dump()).append("\n");
  }
  write_file_atomically(file, lines);
}

void run_eval_questions(AskedOptions options, const Common& common) {
  const OpenedWalkers opened = options.of.open(common);
  const std::vector<dialogue::QuestionTurn> questions = dialogue::read_questions(options.questions);
  if (questions.empty()) throw Error(options.questions + ": there is no question to evaluate on");
  walker::AnswerConfig config;
  config.max_hops = opened.runs.front().config.max_hops;
  if (options.beam > 0) config.beam = options.beam;
  const walker::QuestionEvaluation found = walker::evaluate_questions(
      *opened.model, questions, options.start == "gold", config, *common.reporter, *common.stop);
  print_text(found.to_text());
  write_outcomes(options.output, questions, found);
  Json json = found.to_json();
  tell_ranks(options.ranks, found.link_ranks, json);
  common.write_json(json);
}

Verb add_eval_questions(CLI::App& app, Common& common) {
  auto options = std::make_shared<AskedOptions>();
  options->of.add_options(app, "run folder of 'kgwalk train'; several make an ensemble");
  options->of.add_other_graph(app);
  app.add_option("--questions", options->questions, "file of questions made by 'kgwalk questions'")
      ->required();
  app.add_option("--start", options->start, "the start that was meant, or one chosen from what was said")
      ->check(CLI::IsMember({"gold", "candidates"}))
      ->capture_default_str();
  app.add_option("--beam", options->beam, "beam width")->check(CLI::Range(1, 100000));
  app.add_option("--output", options->output, "file for the answer to each question, one a line")
      ->check(output_file());
  add_ranks(app, options->ranks);
  return [options, &common] { run_eval_questions(*options, common); };
}

const MeasurementRegistration kEvalQuestions({"questions", "answers to questions about the graph",
                                              "films.tar.zst --questions questions.jsonl", add_eval_questions,
                                              2});

}  // namespace
}  // namespace kgwalk::cli
