// Schemas of what is answered: for the description of the routes and for clients of MCP. A test holds every
// answer to its schema. Clients should let pass what a schema does not name: a later version may tell more.
#pragma once

#include "kgwalk/json.h"

namespace kgwalk::server {

[[nodiscard]] Json search_answer();
[[nodiscard]] Json neighborhood_answer();
[[nodiscard]] Json distance_answer();
[[nodiscard]] Json fact_answer();
[[nodiscard]] Json stats_answer();
[[nodiscard]] Json introduction_answer();
[[nodiscard]] Json relations_answer();
[[nodiscard]] Json models_answer();
[[nodiscard]] Json ask_answer();
[[nodiscard]] Json plan_answer();
[[nodiscard]] Json explain_answer();
[[nodiscard]] Json lead_answer();
[[nodiscard]] Json connect_answer();
[[nodiscard]] Json complete_answer();
[[nodiscard]] Json query_answer();
[[nodiscard]] Json retrieve_answer();
[[nodiscard]] Json edits_answer();
[[nodiscard]] Json edit_answer();
[[nodiscard]] Json batch_answer();

[[nodiscard]] Json turn_answer();            // of a conversation
[[nodiscard]] Json stateless_turn_answer();  // with the state
[[nodiscard]] Json session_answer();
[[nodiscard]] Json transcript_answer();

}  // namespace kgwalk::server
