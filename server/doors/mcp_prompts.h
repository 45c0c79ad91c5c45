// What people can start an assistant with through MCP: a question that is answered from the graph alone, and
// a talk that is led to an entity.
#pragma once

#include "kgwalk/json.h"

namespace kgwalk::server {

[[nodiscard]] Json mcp_prompts();
// {"description", "messages"} for the parameters of prompts/get. RpcError for an unknown prompt, and for
// arguments that are missing, unknown or no text.
[[nodiscard]] Json mcp_prompt(const Json& params);

}  // namespace kgwalk::server
