// Steps of a workflow as lines: each shown as the command that a user would type, and behind it what it
// tells.
#pragma once

#include <string>

#include "kgwalk/workflows.h"

namespace kgwalk::cli {

// "kgwalk embed --db films/kg.db --set dim=32".
[[nodiscard]] std::string command_of(const WorkflowStep& step);

// "== step 3 of 18: The walker" and the command; `note` stands behind it.
void print_step(const WorkflowStep& step, const std::string& note = "");

// Prints every step and what came of it.
[[nodiscard]] WorkflowObserver step_printer();

}  // namespace kgwalk::cli
