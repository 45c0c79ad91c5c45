// evaluate_questions(): answers of a walker that listens.
#include "kgwalk/error.h"
#include "kgwalk/evaluation.h"
#include "runtime/files.h"
#include "walker/evaluation/question_eval.h"
#include "workflows/measuring/evaluated.h"
#include "workflows/shard_report.h"

namespace kgwalk {
namespace {

void write_outcomes(const std::filesystem::path& file, const std::vector<dialogue::QuestionTurn>& questions,
                    const walker::QuestionEvaluation& found) {
  if (file.empty()) return;
  std::string lines;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    Json line = dialogue::to_json(questions[i]);
    line.update(Json(found.outcomes[i]));
    lines.append(line.dump()).append("\n");
  }
  write_file_atomically(file, lines);
}

QuestionsEvaluated::Row public_row(const walker::QuestionRow& row) {
  return {.count = row.count,
          .first = row.first,
          .first3 = row.first3,
          .list_precision = row.list_precision,
          .list_f1 = row.list_f1,
          .verified = row.verified,
          .absence_told = row.absence_told,
          .refused = row.refused,
          .start = row.start,
          .act = row.act};
}

}  // namespace

QuestionsEvaluated evaluate_questions(const EvaluateQuestionsOptions& options, Reporter& reporter,
                                      const StopFlag& stop) {
  const OpenedWalkers opened = open_measured(resolved(options.of, reporter, stop));
  const std::vector<dialogue::QuestionTurn> questions = dialogue::read_questions(options.questions);
  if (questions.empty()) throw Error(options.questions.string() + ": there is no question to evaluate on");
  walker::AnswerConfig config;
  config.max_hops = opened.runs.front().config.max_hops;
  if (options.beam > 0) config.beam = options.beam;
  ShardedWork work(options.shards);
  rest_on(opened, work);
  const walker::QuestionEvaluation found = walker::evaluate_questions(
      *opened.model, questions, !options.candidate_starts, config, reporter, stop, &work);
  QuestionsEvaluated result;
  if (told_as_shard(work, result)) return result;
  write_outcomes(options.output, questions, found);
  result.text = found.to_text();
  result.json = found.to_json();
  for (const auto& [name, row] : found.rows) result.rows[name] = public_row(row);
  tell_ranks(options.ranks, found.link_ranks, result);
  return result;
}

}  // namespace kgwalk
