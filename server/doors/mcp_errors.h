// Errors of MCP's protocol, by JSON-RPC's codes.
#pragma once

#include <string>

namespace kgwalk::server {

inline constexpr int kParseError = -32700, kInvalidRequest = -32600, kNoMethod = -32601,
                     kInvalidParams = -32602, kInternalError = -32603, kNoResource = -32002;

struct RpcError {
  int code;
  std::string message;
};

}  // namespace kgwalk::server
