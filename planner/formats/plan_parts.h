// Pieces that the printed forms of plans and of whole trajectories share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/plan.h"

namespace kgwalk {

[[nodiscard]] Json hop_as_json(const PlannedHop& hop);
[[nodiscard]] Json hops_as_json(const std::vector<PlannedHop>& hops);

// As plan_as_json() (kgwalk/plan_formats.h) has it.
[[nodiscard]] Json json_of_plan(const Plan& plan);

// A string literal of the dot language.
[[nodiscard]] std::string dot_string(std::string_view text);
// Attributes of a dot edge: relation and probability, thicker when likelier, gray when it was not taken.
[[nodiscard]] std::string dot_edge_attributes(const PlannedHop& hop, bool rejected);
inline constexpr std::string_view kDotRejected = ", color=gray70, fontcolor=gray50";
inline constexpr std::string_view kDotHead =
    "  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"Helvetica\"];\n"
    "  edge [fontname=\"Helvetica\", fontsize=10];\n";

// One utterance as a bubble.
[[nodiscard]] std::string said_as_html(const Utterance& utterance);
// A self-contained page: no script, no outside resource. `title` is text, `body` is html.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view body);

}  // namespace kgwalk
