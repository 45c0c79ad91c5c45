// kgwalk eval questions: answers of a walker that listens.
#include "cli/frame/shard_options.h"
#include "cli/measure/evaluated.h"
#include "cli/measure/measurements.h"

namespace kgwalk::cli {
namespace {

struct AnswersVerb {
  EvaluateQuestionsOptions evaluate;
  std::string start = "gold";
};

void run_eval_questions(const AnswersVerb& verb, const Common& common) {
  EvaluateQuestionsOptions options = verb.evaluate;
  need_model(options.of);
  options.candidate_starts = verb.start == "candidates";
  options.shards = shards_of(options.shards, common);
  common.tell(evaluate_questions(options, *common.reporter, *common.stop));
}

Verb add_eval_questions(CLI::App& app, Common& common) {
  auto options = std::make_shared<AnswersVerb>();
  EvaluateQuestionsOptions& evaluate = options->evaluate;
  add_measured(app, evaluate.of, "run folder of 'kgwalk train'; several make an ensemble");
  add_other_graph(app, evaluate.of);
  app.add_option("--questions", evaluate.questions, "file of questions made by 'kgwalk questions'")
      ->required();
  app.add_option("--start", options->start, "the start that was meant, or one chosen from what was said")
      ->check(CLI::IsMember({"gold", "candidates"}))
      ->capture_default_str();
  app.add_option("--beam", evaluate.beam, "beam width")->check(CLI::Range(1, 100000));
  app.add_option("--output", evaluate.output, "file for the answer to each question, one a line")
      ->check(output_file());
  add_ranks(app, evaluate.ranks);
  add_shards(app, evaluate.shards);
  return [options, &common] { run_eval_questions(*options, common); };
}

const MeasurementRegistration kEvalQuestions({"questions", "answers to questions about the graph",
                                              "films.tar.zst --questions questions.jsonl", add_eval_questions,
                                              2});

}  // namespace
}  // namespace kgwalk::cli
