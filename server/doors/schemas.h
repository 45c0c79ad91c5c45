// Pieces of input schemas that several requests share.
#pragma once

#include <string_view>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/plan.h"

namespace kgwalk::server {

[[nodiscard]] Json entity_schema(std::string_view description);    // a name
[[nodiscard]] Json optional_entity(std::string_view description);  // the same, or empty
[[nodiscard]] Json number_schema(std::string_view description, int low, int high, int otherwise);
[[nodiscard]] Json model_schema();
[[nodiscard]] Json history_schema();  // utterances, oldest first
[[nodiscard]] Json object_schema(Json properties, std::vector<std::string> required = {});

[[nodiscard]] std::vector<Utterance> history_of(const Json& history);

}  // namespace kgwalk::server
