// kgwalk eval conversations: an exam of whole conversations, held with the model itself.
#include "cli/frame/model_choice.h"
#include "cli/frame/shard_options.h"
#include "cli/measure/measurements.h"
#include "kgwalk/error.h"
#include "kgwalk/evaluation.h"

namespace kgwalk::cli {
namespace {

struct ExamCommand {
  ModelChoice model;
  std::vector<std::string> words;  // [MODEL] FILE
  std::string log;
  bool show = false;
  Shards shards;
};

void run_exam(ExamCommand command, const Common& common) {
  command.model.take_model(command.words, 1);
  if (command.words.size() != 1) throw CLI::ValidationError("name one file of conversations");
  command.model.resolve(common);
  const ModelChoice& model = command.model;
  const ConversationsEvaluated held = evaluate_conversations({.database = model.database,
                                                              .run = model.run,
                                                              .text = model.text,
                                                              .listener = model.listener,
                                                              .simulator = model.simulator,
                                                              .responder = model.responder,
                                                              .other_graph = model.other_graph,
                                                              .exam = command.words.front(),
                                                              .log = command.log,
                                                              .show = command.show,
                                                              .seed = common.seed,
                                                              .shards = shards_of(command.shards, common)},
                                                             *common.reporter, *common.stop);
  common.tell(held);
  if (common.stop->requested())
    throw Stopped("stopped after " + std::to_string(held.conversations) + " of " +
                  std::to_string(held.asked_for) + " conversations; what is told is of those");
}

Verb add_eval_conversations(CLI::App& app, Common& common) {
  auto command = std::make_shared<ExamCommand>();
  command->model.add_options(app, false);
  command->model.add_other_graph(app);
  command->model.add_listener(app);
  app.add_option("words", command->words,
                 "[MODEL] FILE: conversations with what makes an answer right, a json list "
                 "(docs/reference/formats/exam.md)")
      ->required();
  app.add_flag("--show", command->show, "print every turn with its verdict");
  app.add_option("--log", command->log, "write the whole conversations to this file, as markdown")
      ->check(output_file());
  add_shards(app, command->shards);
  return [command, &common] { run_exam(*command, common); };
}

const MeasurementRegistration kEvalConversations({"conversations",
                                                  "whole conversations, judged by names and numbers",
                                                  "films.tar.zst conversations.json", add_eval_conversations,
                                                  5});

}  // namespace
}  // namespace kgwalk::cli
