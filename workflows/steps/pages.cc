#include "workflows/steps/pages.h"

#include <fmt/format.h>

#include <memory>

#include "kgwalk/error.h"
#include "kgwalk/guide.h"
#include "kgwalk/plan_formats.h"
#include "kgwalk/planner.h"
#include "kgwalk/responder.h"
#include "planner/conversation/self_play.h"
#include "runtime/files.h"

namespace kgwalk {
namespace {

std::shared_ptr<const Responder> speaker_of(const PlanPageOptions& options) {
  return options.speak ? std::make_shared<const Responder>(Responder::by_wordings()) : nullptr;
}

Report written(const PlanPageOptions& options, const std::string& page, const std::string& json) {
  write_file_atomically(options.out, page);
  return {.json = Json::parse(json)};
}

Report write_walk(const PlanPageOptions& options) {
  const Guide guide = Guide::open({.database = options.database,
                                   .run = options.run,
                                   .simulator = options.simulator,
                                   .responder = speaker_of(options)});
  TrajectoryRequest request{.start = options.start, .goal = options.goal, .turns = options.turns};
  if (!options.say.empty()) request.say = {options.say};
  request.shown = 25;
  request.seed = options.seed;
  const Trajectory walk = guide.lead(request);
  return written(options, format_trajectory(walk, options.format), trajectory_as_json(walk));
}

}  // namespace

Report write_plan(const PlanPageOptions& options) {
  if (options.turns > 0) return write_walk(options);
  const Planner planner = Planner::open(options.database, options.run);
  PlanRequest request;
  if (!options.say.empty()) request.history = {{"user", options.say}};
  request.start = options.start;
  if (!options.goal.empty()) request.goal = options.goal;
  Plan plan = planner.explain(request);
  if (const auto speaker = speaker_of(options)) plan.sentence = speaker->say(plan);
  return written(options, format_plan(plan, options.format), plan_as_json(plan));
}

Report write_dialogues(const DialoguesPageOptions& options, Reporter& reporter, const StopFlag& stop) {
  SelfPlayOptions play{.database = options.database,
                       .run = options.run,
                       .dialogues = options.dialogues,
                       .distances = options.distances,
                       .seed = options.seed};
  play.conversation.simulator = options.simulator;
  play.conversation.listener = options.listener;
  const SelfPlayReport played = SelfPlay::open(play).run(reporter, stop);
  std::string lines;
  for (const SelfPlayDialogue& dialogue : played.dialogues) lines += dialogue.to_json().dump() + '\n';
  write_file_atomically(options.out, lines);
  write_file_atomically(options.html, self_play_as_html(played));
  if (stop.requested())
    throw Stopped(fmt::format("self-play was stopped after {} of {} dialogues; what is told is of those",
                              played.dialogues.size(), played.asked_for));
  return {played.to_text(), played.to_json()};
}

}  // namespace kgwalk
