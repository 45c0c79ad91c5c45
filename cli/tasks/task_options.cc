#include "cli/tasks/task_options.h"

namespace kgwalk::cli {

TaskCommand::TaskCommand(CLI::App& tasks, const Name& name)
    : TaskCommand(*tasks.add_subcommand(name.name, name.help)) {
  task_.alias(name.full);
}

TaskCommand::TaskCommand(CLI::App& command) : task_(command) {
  task_.require_subcommand(1);
  task_.fallthrough();
}

CLI::App& TaskCommand::add(const char* name, const char* help, Verb run) {
  CLI::App* verb = task_.add_subcommand(name, help);
  verb->fallthrough();
  verbs_.emplace_back(verb, std::move(run));
  return *verb;
}

Verb TaskCommand::verb() const {
  return [verbs = verbs_] {
    for (const auto& [verb, run] : verbs)
      if (verb->parsed()) run();
  };
}

void add_training_options(CLI::App& train, TaskOptions& options, const std::string& task) {
  train.add_option("--run", options.run, "run folder; an interrupted training in it is resumed")->required();
  CLI::Option* preset = train.add_option("--preset", options.preset, "one of seq2seq/presets/" + task + "_*");
  if (options.preset.empty())
    preset->required();
  else
    preset->capture_default_str();
}

void add_starts(CLI::App& train, TaskOptions& options) {
  CLI::Option* pillars =
      train.add_option("--pillars", options.pillars,
                       "begin with the heads voted to stay of this run, which was trained with heads.groups");
  train
      .add_option(
          "--from", options.from,
          "begin with the vocabulary and the best weights of this run; schedule and passes begin anew")
      ->excludes(pillars);
}

void add_model(CLI::App& verb, TaskOptions& options, const char* help) {
  verb.add_option("--model", options.model, help)->required();
}

void add_decoding_options(CLI::App& verb, TaskOptions& options) {
  verb.add_option("--batch", options.batch, "lines decoded together at most")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  verb.add_option("--weights", options.weights, "numbers that matrices are multiplied in: float32 or int8")
      ->check(CLI::IsMember({"float32", "int8"}))
      ->capture_default_str();
}

void add_output(CLI::App& verb, TaskOptions& options, const std::string& what) {
  verb.add_option("--output", options.output, "write " + what)->check(output_file());
}

void add_plots(CLI::App& verb, TaskOptions& options, const std::string& what) {
  verb.add_option("--plots", options.plots, what + " to this folder (svg)");
}

void add_baseline(CLI::App& verb, TaskOptions& options, const char* help) {
  verb.add_option("--baseline", options.baseline, help);
}

void add_format(CLI::App& verb, TaskOptions& options, const char* help) {
  verb.add_option("--format", options.format, help)
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

CLI::Option* add_sound_files(CLI::App& verb, TaskOptions& options, const char* help) {
  return verb.add_option("files", options.files, help);
}

}  // namespace kgwalk::cli
