// Plans and walks to a goal as records.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "kgwalk/guide.h"
#include "kgwalk/plan.h"
#include "kgwalk/plan_formats.h"
#include "python/binding/record.h"
#include "python/model/bindings.h"

namespace kgwalk::python {
namespace {

constexpr const char* kAnswerKinds[] = {"nothing_asked", "one", "list", "yes", "no", "not_said"};
constexpr const char* kStandings[] = {"none", "reachable", "start", "isolated", "apart"};

void bind_hops(py::module_& m) {
  Record<Utterance>(m, "Utterance", "What somebody said.")
      .field("speaker", &Utterance::speaker, "'user' or 'assistant'.")
      .field("text", &Utterance::text, "The words.");
  Record<NamedHop> named(m, "NamedHop", "An edge by its names.");
  named.field("head", &NamedHop::head, "The entity that it leaves.")
      .field("relation", &NamedHop::relation, "Its relation; '~' reads one backwards.")
      .field("tail", &NamedHop::tail, "The entity that it comes to.")
      .field("sources", &NamedHop::sources, "What the fact was taken from.")
      .field("weight", &NamedHop::weight, "As the source gave it, or None.");
  Record<PlannedHop> planned(m, "PlannedHop", "An edge of a planned path.");
  planned.field("head", &PlannedHop::head, "The entity that it leaves.")
      .field("relation", &PlannedHop::relation, "Its relation; '~' reads one backwards.")
      .field("tail", &PlannedHop::tail, "The entity that it comes to.")
      .field("probability", &PlannedHop::probability, "Among all out-edges of `head` and stopping, 0 to 1.")
      .field("sources", &PlannedHop::sources, "What the fact was taken from.")
      .field("weight", &PlannedHop::weight, "As the source gave it, or None.");
}

void bind_answer(py::module_& m) {
  Record<AskedRelation>(m, "AskedRelation", "A relation that may be asked for.")
      .field("relation", &AskedRelation::relation, "Its name.")
      .field("probability", &AskedRelation::probability, "0 to 1.");
  Record<AnsweredEntity>(m, "AnsweredEntity", "An entity that may be the answer.")
      .field("entity", &AnsweredEntity::entity, "Its name.")
      .field("probability", &AnsweredEntity::probability, "That it is a right answer, 0 to 1.")
      .field("hops", &AnsweredEntity::hops, "The likeliest path to it.");
  Record<StartChoice>(m, "StartChoice", "An entity that was weighed as the start.")
      .field("entity", &StartChoice::entity, "Its name.")
      .field("probability", &StartChoice::probability, "0 to 1.");
  Record<PlanAnswer>(m, "PlanAnswer", "What is answered to what was said.")
      .field(
          "kind",
          [](const PlanAnswer& self) { return std::string(kAnswerKinds[static_cast<int>(self.kind)]); },
          "'nothing_asked', 'one', 'list', 'yes', 'no' or 'not_said'.")
      .field("asked", &PlanAnswer::asked, "Probability that a fact is asked for.")
      .field("missing", &PlanAnswer::missing, "Probability that the graph does not say it of the start.")
      .field("heard", &PlanAnswer::heard, "Relations that are asked for, likeliest first.")
      .field("entities", &PlanAnswer::entities, "Answers, likeliest first.")
      .field("claim", &PlanAnswer::claim, "What was to be verified, of 'yes' and 'no'.")
      .field("fact", &PlanAnswer::fact, "The fact that decides it, or None.")
      .field("has", &PlanAnswer::has, "Of 'not_said': relations of the start, nearest first.");
}

}  // namespace

void bind_plans(py::module_& m) {
  bind_hops(m);
  bind_answer(m);
  Record<PlannedPath> path(m, "PlannedPath", "A path with its probabilities.");
  path.field("hops", &PlannedPath::hops, "At least one.")
      .field("log_prob", &PlannedPath::log_prob, "Natural logarithm, of all hops and of stopping.")
      .field("stop_probability", &PlannedPath::stop_probability, "Of stopping behind the last hop.")
      .field("distance_to_goal", &PlannedPath::distance_to_goal,
             "Hops of a shortest path from the last entity, or None.");
  path.def("__str__", &PlannedPath::to_string);
  Record<PlanBranch>(m, "PlanBranch", "What was weighed at one point.")
      .field("prefix", &PlanBranch::prefix, "Hops before it.")
      .field("at", &PlanBranch::at, "The entity stood on.")
      .field("stop_probability", &PlanBranch::stop_probability, "Of stopping there.")
      .field("candidates", &PlanBranch::candidates, "Best first, at most `beam`.")
      .field("num_candidates", &PlanBranch::num_candidates, "All out-edges that were scored.");
  Record<Plan> plan(m, "Plan", "Paths with what was weighed on the way.");
  plan.field(
          "start", [](const Plan& self) { return self.request.start; }, "As the graph spells it.")
      .field(
          "goal", [](const Plan& self) { return self.request.goal; }, "As the graph spells it, or None.")
      .field("paths", &Plan::paths, "Most probable first; before them those to what answers a question.")
      .field("branches", &Plan::branches, "At the start, and behind the first hop of each path.")
      .field(
          "goal_standing",
          [](const Plan& self) { return std::string(kStandings[static_cast<int>(self.goal_standing)]); },
          "'none', 'reachable', 'start', 'isolated' or 'apart'.")
      .field("start_to_goal", &Plan::start_to_goal, "Hops of a shortest path, or None.")
      .field("answer", &Plan::answer, "What is answered, or None when the walker does not listen.")
      .field("starts", &Plan::starts, "Where a start was chosen, likeliest first.");
  plan.def("__str__", &plan_as_text)
      .def(
          "format", [](const Plan& self, const std::string& format) { return format_plan(self, format); },
          py::arg("format"), "As 'text', 'json', 'dot' or 'html'.");

  Record<TrajectoryTurn>(m, "TrajectoryTurn", "A turn of a walk to a goal.")
      .field("said", &TrajectoryTurn::said, "By the user before the hop.")
      .field("sentence", &TrajectoryTurn::sentence, "By the assistant about the hop.")
      .field("hop", &TrajectoryTurn::hop, "That was taken.")
      .field("branch", &TrajectoryTurn::branch, "What was weighed.")
      .field("distance_to_goal", &TrajectoryTurn::distance_to_goal, "Hops from where the walk goes on.")
      .field("answers", &TrajectoryTurn::answers, "Whether the hop answers what the user asked.")
      .field("on_from", &TrajectoryTurn::on_from, "Of an answer: where the walk goes on.");
  Record<Trajectory> trajectory(m, "Trajectory", "A walk to a goal.");
  trajectory
      .field(
          "start", [](const Trajectory& self) { return self.request.start; }, "Where it began.")
      .field(
          "goal", [](const Trajectory& self) { return self.request.goal; }, "Where it went.")
      .field("start_to_goal", &Trajectory::start_to_goal, "Hops of a shortest path.")
      .field("turns", &Trajectory::turns, "One a hop, in order.")
      .field("reached", &Trajectory::reached, "Whether it came to the goal.")
      .field("distance_left", &Trajectory::distance_left, "Hops from where it ended.");
  trajectory.def("__str__", &trajectory_as_text)
      .def(
          "format",
          [](const Trajectory& self, const std::string& format) { return format_trajectory(self, format); },
          py::arg("format"), "As 'text', 'json', 'dot' or 'html'.");
}

}  // namespace kgwalk::python
