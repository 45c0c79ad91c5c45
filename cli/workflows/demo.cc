// kgwalk demo: both stages on the embedded sample, each step as the command that a user would type.
#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/workflows/step_lines.h"
#include "kgwalk/workflows.h"

namespace kgwalk::cli {
namespace {

WorkflowObserver demo_printer() {
  WorkflowObserver printer = step_printer();
  printer.begins = [](const WorkflowStep& step) {
    if (step.number == 1)
      print("{} steps, about three minutes on two free cores. Each is shown as the command that does it.\n",
            step.of);
    print_step(step);
  };
  return printer;
}

struct DemoVerb {
  std::string data = DemoOptions().data.string(), out = DemoOptions().folder.string();
};

void run_demo(const DemoVerb& verb, const Common& common) {
  const DemoResult made = demo({.data = verb.data, .folder = verb.out, .seed = common.seed}, demo_printer(),
                               *common.reporter, *common.stop);
  print(
      "\nOpen {}, {} and {} in a browser; training curves are in {}.\nTalk to it: kgwalk chat --db {} --run "
      "{} --listener {} --simulator {} --goal \"Roger Federer\"\nOn a page: kgwalk serve {}\n",
      made.pages.at(0).string(), made.pages.at(1).string(), made.pages.at(2).string(),
      (made.agent / "plots").string(), made.database.string(), made.agent.string(), made.listener.string(),
      made.simulator.string(), made.model.string());
}

Verb add_demo(CLI::App& app, Common& common) {
  auto options = std::make_shared<DemoVerb>();
  app.add_option("--data", options->data, "folder of the embedded sample")->capture_default_str();
  app.add_option("--out", options->out, "folder for the database and the runs; its demo runs are replaced")
      ->capture_default_str();
  return [options, &common] { run_demo(*options, common); };
}

const Registration kDemoCommand({.name = "demo",
                                 .help = "the whole main job on the embedded sample",
                                 .example = "",
                                 .add = add_demo,
                                 .group = Group::kBegin,
                                 .place = 3,
                                 .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
