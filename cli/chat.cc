// kgwalk chat: a conversation on the terminal, or over a pipe.
#include <unistd.h>

#include "cli/commands.h"
#include "cli/model_choice.h"
#include "cli/phrase_options.h"
#include "cli/print.h"
#include "kgwalk/conversation.h"
#include "kgwalk/plan.h"
#include "runtime/files.h"
#include "runtime/line_stream.h"

namespace kgwalk::cli {
namespace {

struct ChatOptions {
  ModelChoice model;
  std::string from, goal, speak = "templates", transcript;
  ConversationOptions conversation;
  PhraseOptions phrase;
};

// A json object a line, one a turn.
void write_transcript(const std::string& file, const Json& transcript) {
  if (file.empty()) return;
  std::string lines;
  for (const Json& turn : transcript.at("turns")) lines += turn.dump() + '\n';
  write_file_atomically(file, lines);
}

void run_chat(ChatOptions options, const Common& common) {
  options.conversation.seed = common.seed;
  options.conversation.speak = options.speak;
  options.model.resolve(common);
  options.conversation.simulator = options.model.simulator;
  options.conversation.responder = options.model.responder;
  options.conversation.text = options.model.text;
  options.conversation.other_graph = options.model.other_graph;
  options.conversation.phrase = options.phrase.read();
  Conversation conversation =
      Conversation::open(options.model.database, options.model.run, options.conversation);
  const bool typed = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
  const char* prompt = typed ? "> " : "";
  if (!common.quiet) print_text(conversation.welcome());
  if (!options.from.empty()) print_text(conversation.answer("/from " + options.from).text);
  if (!options.goal.empty()) print_text(conversation.answer("/goal " + options.goal).text);
  LineStream lines(STDIN_FILENO, *common.stop);
  print_text(prompt);
  for (;;) {
    flush_printed();
    const std::optional<std::string> line = lines.next();
    if (!line) break;
    if (!typed) print("> {}\n", *line);  // a record of both sides
    const Conversation::Reply reply = conversation.answer(*line);
    if (reply.over) break;
    print("{}{}", reply.text, prompt);
  }
  if (typed) print_text("\n");
  write_transcript(options.transcript, conversation.transcript());
  common.write_json(conversation.transcript());
}

}  // namespace

Verb add_chat(CLI::App& app, Common& common) {
  auto options = std::make_shared<ChatOptions>();
  options->model.add_options(app, true);
  options->model.add_other_graph(app);
  app.add_option("--simulator", options->model.simulator,
                 "run of 'kgwalk simulator train': who speaks at /auto");
  app.add_option("--speak", options->speak,
                 "what the assistant speaks by: templates (wordings of relations), model or none")
      ->check(CLI::IsMember(Choice<Speech>::names()))
      ->capture_default_str();
  app.add_option("--responder", options->model.responder,
                 "run of 'kgwalk respond train': what speaks with --speak model");
  options->phrase.add_options(app);
  app.add_option("--transcript", options->transcript,
                 "write what was said and walked to this file, a json object a turn")
      ->check(output_file());
  app.add_option("--from", options->from, "entity to begin at");
  app.add_option("--goal", options->goal, "entity to lead to");
  app.add_option("--k", options->conversation.paths, "paths shown a turn")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--beam", options->conversation.beam, "beam width")
      ->check(CLI::Range(1, kMaxBeam))
      ->capture_default_str();
  app.add_option("--max-hops", options->conversation.max_hops,
                 "longest path of a turn; towards a goal a walker of stage 2 takes one hop a turn")
      ->check(CLI::Range(1, kMaxPathHops))
      ->capture_default_str();
  return [options, &common] { run_chat(*options, common); };
}

}  // namespace kgwalk::cli
