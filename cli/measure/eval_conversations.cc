// kgwalk eval conversations: an exam of whole conversations, held with the model itself.
#include "cli/frame/model_choice.h"
#include "cli/frame/print.h"
#include "cli/measure/measurements.h"
#include "kgwalk/error.h"
#include "planner/exam/exam.h"
#include "runtime/files.h"

namespace kgwalk::cli {
namespace {

struct ExamCommand {
  ModelChoice model;
  std::vector<std::string> words;  // [MODEL] FILE
  std::string log;
  bool show = false;
};

void show_turns(const ExamReport& report) {
  for (const std::vector<HeldTurn>& conversation : report.conversations) {
    print_text("---\n");
    for (const HeldTurn& held : conversation) {
      const char* verdict = held.turn.kind.empty() ? "   " : held.right ? "ok " : "NO ";
      print("{} {}{}{} -> {}\n", verdict, held.turn.kind, held.turn.kind.empty() ? "" : " | ", held.turn.say,
            held.said);
    }
  }
}

void run_exam(ExamCommand command, const Common& common) {
  command.model.take_model(command.words, 1);
  if (command.words.size() != 1) throw CLI::ValidationError("name one file of conversations");
  const Exam exam = read_exam(command.words.front());
  command.model.resolve(common);
  const ModelChoice& model = command.model;
  ConversationOptions options;
  options.seed = common.seed;
  options.responder = model.responder;
  options.simulator = model.simulator;
  options.text = model.text;
  options.other_graph = model.other_graph;
  options.listener = model.listener;
  const Conversation conversation = Conversation::open(model.database, model.run, options);
  const ExamReport report = hold_exam(conversation, exam, common.seed, *common.reporter, *common.stop);
  if (command.show) show_turns(report);
  print_text(report.to_text());
  if (!command.log.empty()) write_file_atomically(command.log, report.to_markdown());
  common.write_json(report.to_json());
  if (common.stop->requested())
    throw Stopped(fmt::format("stopped after {} of {} conversations; what is told is of those",
                              report.conversations.size(), exam.size()));
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
  return [command, &common] { run_exam(*command, common); };
}

const MeasurementRegistration kEvalConversations({"conversations",
                                                  "whole conversations, judged by names and numbers",
                                                  "films.tar.zst conversations.json", add_eval_conversations,
                                                  5});

}  // namespace
}  // namespace kgwalk::cli
