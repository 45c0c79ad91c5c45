// A trajectory as text, json, Graphviz dot or one self-contained html page, beside
// planner/formats/plan_format.h.
#pragma once

#include <string>
#include <string_view>

#include "kgwalk/guide.h"

namespace kgwalk {

[[nodiscard]] std::string trajectory_as_text(const Trajectory& trajectory);
[[nodiscard]] std::string trajectory_as_json(const Trajectory& trajectory);
// One chain of the hops taken; what was weighed and rejected is gray.
[[nodiscard]] std::string trajectory_as_dot(const Trajectory& trajectory);
// A row a turn: what was said on the left, the hop with its probability and the faded branches that were not
// taken on the right, then the distance left.
[[nodiscard]] std::string trajectory_as_html(const Trajectory& trajectory);

// `format` is text, json, dot or html; ConfigError otherwise.
[[nodiscard]] std::string format_trajectory(const Trajectory& trajectory, std::string_view format);

}  // namespace kgwalk
