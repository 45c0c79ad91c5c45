// What assistants can read through MCP: of each model the summary of its graph, and what an entity is joined
// to.
#pragma once

#include "server/state/model_shelf.h"

namespace kgwalk::server {

[[nodiscard]] Json mcp_resources(const ModelShelf& models);  // kgwalk://MODEL/graph
[[nodiscard]] Json mcp_resource_templates();                 // kgwalk://{model}/entity/{name}
// {"contents": [...]} for the parameters of resources/read. RpcError for an address of none.
[[nodiscard]] Json mcp_read(ModelShelf& models, const Json& params);

}  // namespace kgwalk::server
