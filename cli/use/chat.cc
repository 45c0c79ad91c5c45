// kgwalk chat: a conversation on the terminal, or over a pipe.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "cli/frame/command.h"
#include "cli/frame/model_choice.h"
#include "cli/frame/print.h"
#include "cli/use/line_editor.h"
#include "cli/use/phrase_options.h"
#include "kgwalk/conversation.h"
#include "kgwalk/guide.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/plan.h"
#include "kgwalk/planner.h"
#include "runtime/files.h"
#include "runtime/line_stream.h"

namespace kgwalk::cli {
namespace {

struct ChatOptions {
  ModelChoice model;
  std::string from, goal, speak = "templates", transcript;
  ConversationOptions conversation = {.trace = false};
  PhraseOptions phrase;
  bool no_history = false;
};

constexpr std::size_t kShownNames = 24;  // that a beginning may mean

// A json object a line, one a turn.
void write_transcript(const std::string& file, const Json& transcript) {
  if (file.empty()) return;
  std::string lines;
  for (const Json& turn : transcript.at("turns")) lines += turn.dump() + '\n';
  write_file_atomically(file, lines);
}

// Colors of a terminal; none elsewhere, where NO_COLOR is set, and where the terminal has none.
struct Paint {
  bool on = false;
  [[nodiscard]] std::string with(const char* code, const std::string& text) const {
    return on ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
  }
  // What is said stands out, what is shown below it steps back.
  [[nodiscard]] std::string reply(const std::string& text) const {
    if (!on) return text;
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      out += line.starts_with("assistant:") ? with("1;36", "assistant:") + line.substr(10) : with("2", line);
      out += '\n';
      at = end + 1;
    }
    return out;
  }
  [[nodiscard]] std::string prompt() const { return on ? "\1\033[1;32m\1>\1\033[0m\1 " : std::string("> "); }
};

bool has_colors() {
  const char* terminal = std::getenv("TERM");
  const char* refused = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb" &&
         (refused == nullptr || *refused == '\0');
}

std::filesystem::path history_file() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state != '\0')
    return std::filesystem::path(state) / "kgwalk" / "chat_history";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return std::filesystem::path(home) / ".local/state/kgwalk/chat_history";
  return {};
}

// Commands at the beginning of a line, names everywhere.
Complete completion_for(const Conversation& conversation) {
  const graph::KnowledgeGraph& graph = conversation.guide().planner().graph();
  return [&graph](std::string_view before) {
    if (before.starts_with('/') && before.find(' ') == std::string_view::npos) {
      const std::vector<std::string> commands = conversation_commands();
      return complete_names(
          before, commands.size(), [&](std::size_t i) { return std::string_view(commands[i]); },
          commands.size());
    }
    return complete_names(
        before, graph.num_entities(),
        [&](std::size_t i) { return graph.entity_name(static_cast<graph::EntityId>(i)); }, kShownNames);
  };
}

// One line after the other, from a terminal or a pipe.
class Input {
 public:
  Input(bool typed, const Conversation& conversation, const ChatOptions& options, const StopFlag& stop)
      : paint_{has_colors()} {
    if (typed)
      editor_.emplace(options.no_history ? std::filesystem::path() : history_file(),
                      completion_for(conversation), stop);
    else
      lines_.emplace(STDIN_FILENO, stop);
  }
  [[nodiscard]] std::optional<std::string> next() {
    flush_printed();
    if (editor_) return editor_->next(paint_.prompt());
    std::optional<std::string> line = lines_->next();
    if (line) print("> {}\n", *line);  // a record of both sides
    return line;
  }
  void show(const std::string& text) const { print_text(paint_.reply(text)); }
  void forget() {
    if (editor_) editor_->forget();
  }

 private:
  Paint paint_;
  std::optional<LineEditor> editor_;
  std::optional<LineStream> lines_;
};

Conversation open_conversation(ChatOptions& options, const Common& common) {
  options.conversation.seed = common.seed;
  options.conversation.speak = options.speak;
  options.model.resolve(common);
  options.conversation.simulator = options.model.simulator;
  options.conversation.responder = options.model.responder;
  options.conversation.text = options.model.text;
  options.conversation.other_graph = options.model.other_graph;
  options.conversation.listener = options.model.listener;
  options.phrase.read_into(options.conversation);
  return Conversation::open(options.model.database, options.model.run, options.conversation);
}

void run_chat(ChatOptions options, const Common& common) {
  Conversation conversation = open_conversation(options, common);
  const bool typed = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
  Input input(typed, conversation, options, *common.stop);
  if (!common.quiet) input.show(conversation.welcome());
  if (!options.from.empty()) input.show(conversation.answer("/from " + options.from).text);
  if (!options.goal.empty()) input.show(conversation.answer("/goal " + options.goal).text);
  while (const std::optional<std::string> line = input.next()) {
    const Conversation::Reply reply = conversation.answer(*line);
    if (reply.over) break;
    if (reply.forgotten) input.forget();
    input.show(reply.text);
  }
  if (typed) print_text("\n");
  write_transcript(options.transcript, conversation.transcript());
  common.write_json(conversation.transcript());
}

Verb add_chat(CLI::App& app, Common& common) {
  auto options = std::make_shared<ChatOptions>();
  options->model.add_options(app, true);
  options->model.add_other_graph(app);
  options->model.add_listener(app);
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
  app.add_flag("--trace", options->conversation.trace,
               "show at every turn what was planned and walked, as /why and /paths do");
  app.add_flag("--no-history", options->no_history, "neither read nor keep the lines typed at a terminal");
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

const Registration kChatCommand({.name = "chat",
                                 .help = "a conversation with the planner",
                                 .example = "films.tar.zst",
                                 .add = add_chat,
                                 .group = Group::kUse,
                                 .place = 3,
                                 .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
