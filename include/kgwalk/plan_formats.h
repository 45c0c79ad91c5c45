// Plans (kgwalk/planner.h) and trajectories (kgwalk/guide.h) as text, json, Graphviz dot, or one
// self-contained html page without script and outside resources.
//
// Example:
//   #include <fstream>
//
//   const auto planner = kgwalk::Planner::open("kg.db", "runs/walker");
//   const auto plan = planner.explain({.start = "Iron Man", .goal = "Christopher Nolan"});
//   std::cout << kgwalk::plan_as_text(plan);
//   std::ofstream("plan.html") << kgwalk::plan_as_html(plan);
//
// All are functions of their argument alone and thread-safe. Text is UTF-8 and ends with a new line. What
// comes from the graph and from speakers is escaped as each format wants it.
#pragma once

#include <string>
#include <string_view>

#include "kgwalk/guide.h"
#include "kgwalk/plan.h"
#include "kgwalk/planner.h"

namespace kgwalk {

// What was heard and what is answered to it, a line each: "asked: directed_by, of Inception", "answer:
// Christopher Nolan". Empty when nothing is asked for or the walker does not listen.
[[nodiscard]] std::string answer_as_text(const Plan& plan);
// The answer, then a line a path: probability in percent, hops, probability of each hop and of stopping,
// distance to the goal.
[[nodiscard]] std::string plan_as_text(const Plan& plan);
// One object: start, goal, history, paths and branches, all as in kgwalk/plan.h; a distance that is not there
// is null.
[[nodiscard]] std::string plan_as_json(const Plan& plan);
// A directed graph: the planned paths, and gray what was weighed and rejected, five candidates a branch.
[[nodiscard]] std::string plan_as_dot(const Plan& plan);
// The dialogue on the left, the walk on the right as inline SVG: edge width is probability, branches not
// taken are faded.
[[nodiscard]] std::string plan_as_html(const Plan& plan);

[[nodiscard]] std::string trajectory_as_text(const Trajectory& trajectory);
[[nodiscard]] std::string trajectory_as_json(const Trajectory& trajectory);
// One chain of the hops taken; what was weighed and rejected is gray.
[[nodiscard]] std::string trajectory_as_dot(const Trajectory& trajectory);
// A row a turn: what was said on the left, the hop with its probability and the faded branches that were not
// taken on the right, then the distance left.
[[nodiscard]] std::string trajectory_as_html(const Trajectory& trajectory);

// `format` is text, json, dot or html; ConfigError otherwise.
[[nodiscard]] std::string format_plan(const Plan& plan, std::string_view format);
[[nodiscard]] std::string format_trajectory(const Trajectory& trajectory, std::string_view format);

}  // namespace kgwalk
