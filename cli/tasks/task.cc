// kgwalk task: sequence tasks, a file each.
#include <algorithm>

#include "cli/tasks/task_options.h"

namespace kgwalk::cli {
namespace {

std::vector<SequenceTask>& registered_tasks() {
  static std::vector<SequenceTask> all;
  return all;
}

std::vector<SequenceTask> sequence_tasks() {
  std::vector<SequenceTask> all = registered_tasks();
  std::sort(all.begin(), all.end(),
            [](const SequenceTask& a, const SequenceTask& b) { return a.place < b.place; });
  return all;
}

Verb add_task(CLI::App& app, Common& common) {
  app.require_subcommand(1);
  std::vector<Verb> verbs;
  for (const SequenceTask& task : sequence_tasks()) verbs.push_back(task.add(app, common));
  return [verbs] {
    for (const Verb& verb : verbs) verb();
  };
}

std::vector<Configurable> configures_task() {
  std::vector<Configurable> all;
  for (const SequenceTask& task : sequence_tasks())
    for (Configurable& found : task.configures()) all.push_back(std::move(found));
  return all;
}

const Registration kTaskCommand({.name = "task",
                                 .help = "sequence tasks: train, evaluate and run them",
                                 .example = "mt train --help",
                                 .add = add_task,
                                 .group = Group::kOther,
                                 .place = 1,
                                 .computes = Computes::kNetworks,
                                 .trains = true,
                                 .configures = configures_task});

}  // namespace

TaskRegistration::TaskRegistration(const SequenceTask& task) { registered_tasks().push_back(task); }

}  // namespace kgwalk::cli
