// The Model Context Protocol: the operations as tools for assistants, the graph's summary and each entity as
// resources
// (mcp_resources.h), two prompts (mcp_prompts.h). JSON-RPC 2.0, over standard input and
// output or as Streamable HTTP without sessions of its own (modelcontextprotocol.io, revisions 2024-11-05 to
// 2025-11-25).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/http/router.h"
#include "server/state/model_shelf.h"

namespace kgwalk::server {

class Mcp {
 public:
  // The models are borrowed. `version` is the program's.
  Mcp(ModelShelf& models, std::string version) : models_(models), version_(std::move(version)) {}

  // The answer to one message, or to a batch of them; nullopt when none is due (notifications, answers).
  // Never throws.
  [[nodiscard]] std::optional<Json> answer(const Json& message) const;
  // The same from and to text, a line of standard input.
  [[nodiscard]] std::optional<std::string> answer_line(std::string_view line) const;

 private:
  [[nodiscard]] std::optional<Json> answer_one(const Json& message) const;
  [[nodiscard]] Json result_of(const std::string& method, const Json& params) const;
  [[nodiscard]] Json call(const Json& params) const;
  [[nodiscard]] Json initialize(const Json& params) const;

  ModelShelf& models_;
  std::string version_;
};

// POST /mcp.
void add_mcp(Router& router, const Mcp& mcp);

}  // namespace kgwalk::server
