// A plan as text, json, Graphviz dot or one self-contained html page.
#pragma once

#include <string>
#include <string_view>

#include "walker/planner.h"

namespace kgwalk {

// How the goal lies to the start, in a few words: "goal: B, 3 hops from A", or why it cannot be walked to;
// empty without a goal.
[[nodiscard]] std::string goal_as_text(const Plan& plan);

[[nodiscard]] std::string plan_as_text(const Plan& plan);
[[nodiscard]] std::string plan_as_json(const Plan& plan);
[[nodiscard]] std::string plan_as_dot(const Plan& plan);
// The dialogue on the left, the walk on the right as inline SVG: edge width is probability, branches not
// taken are faded. No script, no outside resource.
[[nodiscard]] std::string plan_as_html(const Plan& plan);

// `format` is text, json, dot or html; ConfigError otherwise.
[[nodiscard]] std::string format_plan(const Plan& plan, std::string_view format);

}  // namespace kgwalk
