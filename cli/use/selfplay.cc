// kgwalk selfplay: dialogues between the simulated user and the assistant.
#include <fmt/format.h>

#include "cli/frame/command.h"
#include "cli/frame/model_choice.h"
#include "cli/frame/print.h"
#include "cli/frame/shard_options.h"
#include "kgwalk/error.h"
#include "kgwalk/plan.h"
#include "planner/conversation/self_play.h"
#include "runtime/files.h"
#include "runtime/sharded_work.h"

namespace kgwalk::cli {
namespace {

struct SelfPlayCommand {
  ModelChoice model;
  std::string speak = "templates", out, html;
  SelfPlayOptions play;
  Shards shards;
};

void run_selfplay(SelfPlayCommand command, const Common& common) {
  command.model.resolve(common);
  SelfPlayOptions& play = command.play;
  play.database = command.model.database;
  play.run = command.model.run;
  play.seed = common.seed;
  play.conversation.simulator = command.model.simulator;
  play.conversation.listener = command.model.listener;
  play.conversation.responder = command.model.responder;
  play.conversation.text = command.model.text;
  play.conversation.other_graph = command.model.other_graph;
  play.conversation.speak = command.speak;
  if (play.conversation.simulator.empty())
    common.reporter->info("no simulator is given: the user speaks by wordings");
  ShardedWork work(shards_of(command.shards, common));
  const SelfPlayReport report = SelfPlay::open(play).run(*common.reporter, *common.stop, &work);
  if (work.is_part() && common.stop->requested())
    throw Stopped(command.shards.part.string() + ": was not written");
  if (const auto done = work.end()) return common.tell({done->text, done->json});
  if (!command.out.empty()) {
    std::string lines;
    for (const SelfPlayDialogue& dialogue : report.dialogues) lines += dialogue.to_json().dump() + '\n';
    write_file_atomically(command.out, lines);
  }
  if (!command.html.empty()) write_file_atomically(command.html, self_play_as_html(report));
  print_text(report.to_text());
  common.write_json(report.to_json());
  if (common.stop->requested())
    throw Stopped(fmt::format("self-play was stopped after {} of {} dialogues; what is told is of those",
                              report.dialogues.size(), report.asked_for));
}

Verb add_selfplay(CLI::App& app, Common& common) {
  auto command = std::make_shared<SelfPlayCommand>();
  command->model.add_options(app, true);
  command->model.add_listener(app);
  command->model.add_other_graph(app);
  app.add_option("--simulator", command->model.simulator,
                 "who speaks for the user: a run of 'kgwalk simulator train', or 'wordings' (unless given)");
  app.add_option("--speak", command->speak, "what the assistant speaks by: templates, model or none")
      ->check(CLI::IsMember(Choice<Speech>::names()))
      ->capture_default_str();
  app.add_option("--responder", command->model.responder,
                 "run of 'kgwalk respond train': what speaks with --speak model");
  app.add_option("--dialogues", command->play.dialogues, "dialogues wanted")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--distances", command->play.distances, "hops from start to goal, by turns")
      ->delimiter(',')
      ->check(CLI::Range(1, 254))
      ->capture_default_str();
  app.add_option("--turns", command->play.turns, "turns of a dialogue at most")
      ->check(CLI::Range(1, kMaxTurns))
      ->capture_default_str();
  app.add_option("--goals", command->play.goals, "split of the goals")
      ->check(CLI::IsMember({"train", "dev", "test"}))
      ->capture_default_str();
  app.add_option("--out", command->out, "write the dialogues to this file, a json object each")
      ->check(output_file());
  app.add_option("--html", command->html, "write a page with the report and the first hundred dialogues")
      ->check(output_file());
  add_shards(app, command->shards);
  return [command, &common] { run_selfplay(*command, common); };
}

const Registration kSelfplayCommand(
    {.name = "selfplay",
     .help = "dialogues between the simulated user and the assistant, with a report",
     .example = "films.tar.zst --dialogues 100 --html dialogues.html",
     .add = add_selfplay,
     .group = Group::kUse,
     .place = 4,
     .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
