#include "cli/workflows/step_lines.h"

#include <algorithm>
#include <string_view>

#include "cli/frame/print.h"

namespace kgwalk::cli {
namespace {

struct VerbOf {
  std::string_view function, words;
};
constexpr VerbOf kVerbs[] = {{"ingest", "ingest"},
                             {"compute_distances", "distances"},
                             {"embed", "embed"},
                             {"pretrain_text", "pretrain-text"},
                             {"make_questions", "questions"},
                             {"train_walker", "train"},
                             {"train_listener", "listen train"},
                             {"train_simulator", "simulator train"},
                             {"train_stage2", "rl"},
                             {"evaluate_paths", "eval paths"},
                             {"evaluate_questions", "eval questions"},
                             {"evaluate_success", "eval success"},
                             {"ask_listener", "listen ask"},
                             {"plan", "plan"},
                             {"self_play", "selfplay"},
                             {"pack", "pack"}};

// Members whose option has another name; an empty one stands by itself.
struct OptionName {
  std::string_view function, member, option;  // an empty function: of all
};
constexpr OptionName kOptions[] = {
    {"ingest", "triples", ""},    {"ask_listener", "say", ""}, {"ask_listener", "forms", "--k"},
    {"plan", "start", "--from"},  {"", "database", "--db"},    {"", "dialogues", "--dialogs"},
    {"", "assignments", "--set"}, {"", "files", "--config"},   {"", "shown", "--show"}};

std::string words_of(std::string_view function) {
  for (const VerbOf& verb : kVerbs)
    if (verb.function == function) return std::string(verb.words);
  return std::string(function);
}

std::string option_of(std::string_view function, const std::string& member) {
  if (function == "self_play" && member == "dialogues") return "--dialogues";
  for (const OptionName& known : kOptions)
    if (known.member == member && (known.function.empty() || known.function == function))
      return std::string(known.option);
  std::string option = "--" + member;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" ?'!;&|<>$*()") == std::string::npos;
  return plain ? word : "\"" + word + "\"";
}

}  // namespace

std::string command_of(const WorkflowStep& step) {
  std::string line = "kgwalk " + words_of(step.function);
  for (const auto& [member, value] : step.arguments) {
    const std::string option = option_of(step.function, member);
    if (value == "false") {
      line += " --no-" + option.substr(2);
      continue;
    }
    if (!option.empty()) line += " " + option;
    if (value != "true") line += " " + quoted(value);
  }
  return line;
}

void print_step(const WorkflowStep& step, const std::string& note) {
  const std::string number = step.of == 0 ? "" : fmt::format("step {} of {}: ", step.number, step.of);
  print("\n== {}{}\n$ {}{}\n", number, step.title, command_of(step), note);
  flush_printed();
}

WorkflowObserver step_printer() {
  return {.begins = [](const WorkflowStep& step) { print_step(step, step.done ? "   (done before)" : ""); },
          .ends =
              [](const WorkflowStep&, const WorkflowResult& result) {
                print_text(result.text);
                if (!result.learned.empty()) print("learned: {}\n", result.learned);
                flush_printed();
              }};
}

}  // namespace kgwalk::cli
