// Changes of the graph that a model is over: rows of the table of operations.
#pragma once

#include "kgwalk/json.h"
#include "server/state/model.h"

namespace kgwalk::server {

[[nodiscard]] Json edits_input();
[[nodiscard]] Json edits(const Model& model, const Json& input);

[[nodiscard]] Json edit_input();
// With "author" in the input. Refusal: 404 for a model without a database of its own, 503 while another
// process writes it.
[[nodiscard]] Json edit(const Model& model, const Json& input);

}  // namespace kgwalk::server
