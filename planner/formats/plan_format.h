// A plan as text, json, Graphviz dot or one self-contained html page.
#pragma once

#include <string>
#include <string_view>

#include "kgwalk/plan.h"
#include "planner/formats/plan_html.h"

namespace kgwalk {

[[nodiscard]] std::string plan_as_text(const Plan& plan);
[[nodiscard]] std::string plan_as_json(const Plan& plan);
[[nodiscard]] std::string plan_as_dot(const Plan& plan);
// `format` is text, json, dot or html; ConfigError otherwise.
[[nodiscard]] std::string format_plan(const Plan& plan, std::string_view format);

}  // namespace kgwalk
