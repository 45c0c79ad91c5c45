// kgwalk task: sequence tasks on the shared attention core.
#include "cli/commands.h"
#include "cli/task_options.h"

namespace kgwalk::cli {

Verb add_task(CLI::App& app, Common& common) {
  app.require_subcommand(1);
  std::vector<Verb> tasks;
  for (const Register add : {add_mt, add_lm, add_asr, add_slu, add_summarize})
    tasks.push_back(add(app, common));
  return [tasks] {
    for (const Verb& task : tasks) task();
  };
}

}  // namespace kgwalk::cli
