// What the tasks of `kgwalk task` are made of, and the options that several of them have: each is named and
// explained here alone. What they print and write alike is in cli/task_output.h.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/frame/command.h"
#include "runtime/config.h"
#include "seq2seq/tasks/presets.h"

namespace kgwalk::cli {

// A task of `kgwalk task`: one file that registers itself, as verbs do (cli/frame/command.h). `add` adds the
// task to `tasks`; what it returns does nothing when another one was asked for.
struct SequenceTask {
  Verb (*add)(CLI::App& tasks, Common& common);
  Configurables configures;
  int place;  // in the list
};

class TaskRegistration {
 public:
  explicit TaskRegistration(const SequenceTask& task);
};

template <class Config>
[[nodiscard]] Configurable task_configurable(const std::string& name, const std::string& verb,
                                             std::string what, const std::vector<std::string>& presets) {
  return configurable<Config>(
      "task " + name + " " + verb, std::move(what), presets,
      [name](const std::string& preset) { return seq2seq::task_preset(name, preset); });
}

template <class Config>
[[nodiscard]] Configurable task_configurable(const std::string& name, std::string what) {
  return task_configurable<Config>(name, "train", std::move(what), seq2seq::task_preset_names(name));
}

// One task with its verbs: train, eval, run, and what else it has.
class TaskCommand {
 public:
  struct Name {
    const char* name;
    const char* full;  // also taken
    const char* help;
  };
  TaskCommand(CLI::App& tasks, const Name& name);
  explicit TaskCommand(CLI::App& command);  // of one that is there already
  // A verb and what it does; its options are added to what is returned. Options of the program may stand
  // behind them.
  CLI::App& add(const char* name, const char* help, Verb run);
  // Runs the verb that was asked for.
  [[nodiscard]] Verb verb() const;

 private:
  CLI::App& task_;
  std::vector<std::pair<CLI::App*, Verb>> verbs_;
};

// Values of the options below.
struct TaskOptions {
  std::string run, model, pillars, from, preset = "plain";
  std::string output, plots, baseline, weights = "float32", format = "text";
  std::vector<std::string> files;
  int batch = 64;
  [[nodiscard]] bool int8() const { return weights == "int8"; }
  [[nodiscard]] bool as_json() const { return format == "json"; }
};

// --run and --preset of a training; the preset must be given where options.preset is empty.
void add_training_options(CLI::App& train, TaskOptions& options, const std::string& task);
// --pillars and --from.
void add_starts(CLI::App& train, TaskOptions& options);
void add_model(CLI::App& verb, TaskOptions& options, const char* help = "a finished run or a model's folder");
// --batch and --weights of what writes text.
void add_decoding_options(CLI::App& verb, TaskOptions& options);
void add_output(CLI::App& verb, TaskOptions& options, const std::string& what);  // "write WHAT"
void add_plots(CLI::App& verb, TaskOptions& options, const std::string& what);  // "WHAT to this folder (svg)"
void add_baseline(CLI::App& verb, TaskOptions& options, const char* help);
void add_format(CLI::App& verb, TaskOptions& options, const char* help);
CLI::Option* add_sound_files(CLI::App& verb, TaskOptions& options, const char* help);

// What every training is told alike: the preset with what the command line changes, the run folder, the seed
// and, where heads are grouped, the run to begin with.
template <class Training>
[[nodiscard]] Training training_of(const std::string& task, const TaskOptions& options,
                                   const Common& common) {
  Training training;
  apply_json(training.config, seq2seq::task_preset(task, options.preset), "preset " + options.preset);
  training.config = load_config(common.config_files, common.assignments, training.config);
  training.run = options.run;
  training.seed = common.seed;
  if constexpr (requires { training.pillars_of; }) training.pillars_of = options.pillars;
  if constexpr (requires { training.from; }) training.from = options.from;
  return training;
}

}  // namespace kgwalk::cli
