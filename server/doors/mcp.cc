#include "server/doors/mcp.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "server/doors/mcp_errors.h"
#include "server/doors/mcp_prompts.h"
#include "server/doors/mcp_resources.h"
#include "server/doors/operations.h"
#include "server/http/problem.h"
#include "server/schema.h"

namespace kgwalk::server {
namespace {

constexpr std::array<std::string_view, 4> kVersions{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

Json error_json(const Json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

bool knows_version(std::string_view version) {
  return std::find(kVersions.begin(), kVersions.end(), version) != kVersions.end();
}

Json tools() {
  Json list = Json::array();
  for (const Operation& operation : operations())
    if (!operation.writes)
      list.push_back({{"name", operation.name},
                      {"description", operation.summary},
                      {"inputSchema", input_with_model(operation)},
                      {"outputSchema", operation.output()},
                      {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}});
  return list;
}

}  // namespace

Json Mcp::initialize(const Json& params) const {
  const Json asked = params.value("protocolVersion", Json(""));
  const bool known = asked.is_string() && knows_version(asked.get_ref<const std::string&>());
  return {{"protocolVersion", known ? asked : Json(kVersions.front())},
          {"capabilities",
           {{"tools", {{"listChanged", false}}},
            {"resources", {{"subscribe", false}, {"listChanged", false}}},
            {"prompts", {{"listChanged", false}}}}},
          {"serverInfo", {{"name", "kgwalk"}, {"version", version_}}},
          {"instructions",
           "Reasons over a knowledge graph. Find the exact names of entities with 'search' before you use "
           "them elsewhere."}};
}

namespace {

// Lists come whole, so no cursor was ever given.
void check_cursor(const Json& params) {
  if (const Json cursor = params.value("cursor", Json()); !cursor.is_null())
    throw RpcError{kInvalidParams,
                   "the cursor " + dumped(cursor) + " was never given: lists come whole, ask without one"};
}

Json listed(const char* name, Json list, const Json& params) {
  check_cursor(params);
  return {{name, std::move(list)}};
}

// A request's id is told back; null would be that of nothing.
bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

}  // namespace

// A tool that fails says why to the assistant, who can then do better; only an unknown tool is an error of
// the protocol.
Json Mcp::call(const Json& params) const {
  const Json name = params.value("name", Json());
  const Operation* operation =
      name.is_string() ? operation_named(name.get_ref<const std::string&>()) : nullptr;
  if (operation == nullptr || operation->writes)
    throw RpcError{kInvalidParams, name.is_null() ? "params.name is missing: the name of a tool"
                                                  : "there is no tool " + dumped(name)};
  try {
    const Json input =
        fitted(input_with_model(*operation), params.value("arguments", Json::object()), operation->name);
    const Json output = operation->run(*models_.get(input["model"].get_ref<const std::string&>()), input);
    return {{"content",
             {{{"type", "text"}, {"text", output.dump(1, ' ', false, Json::error_handler_t::replace)}}}},
            {"structuredContent", output},
            {"isError", false}};
  } catch (const std::exception& error) {
    return {{"content", {{{"type", "text"}, {"text", failure_of(error).detail}}}}, {"isError", true}};
  }
}

Json Mcp::result_of(const std::string& method, const Json& params) const {
  if (method == "initialize") return initialize(params);
  if (method == "ping") return Json::object();
  if (method == "tools/list") return listed("tools", tools(), params);
  if (method == "tools/call") return call(params);
  if (method == "resources/list") return listed("resources", mcp_resources(models_), params);
  if (method == "resources/templates/list")
    return listed("resourceTemplates", mcp_resource_templates(), params);
  if (method == "resources/read") return mcp_read(models_, params);
  if (method == "prompts/list") return listed("prompts", mcp_prompts(), params);
  if (method == "prompts/get") return mcp_prompt(params);
  throw RpcError{kNoMethod, "there is no method '" + method + "'"};
}

std::optional<Json> Mcp::answer_one(const Json& message) const {
  if (!message.is_object()) return error_json(nullptr, kInvalidRequest, "a message must be an object");
  const Json id = message.value("id", Json()), method = message.value("method", Json());
  if (!method.is_string()) {
    if (message.contains("result") || message.contains("error"))
      return std::nullopt;  // an answer; we asked nothing
    return error_json(id, kInvalidRequest, "a request needs a method");
  }
  if (!message.contains("id")) return std::nullopt;  // a notification
  if (!is_id(id))
    return error_json(nullptr, kInvalidRequest, "the id of a request must be a text or a whole number");
  if (message.value("jsonrpc", Json()) != "2.0")
    return error_json(id, kInvalidRequest, "jsonrpc must be \"2.0\"");
  const Json params = message.value("params", Json::object());
  if (!params.is_object()) return error_json(id, kInvalidParams, "params must be an object");
  try {
    return Json{{"jsonrpc", "2.0"}, {"id", id}, {"result", result_of(method.get<std::string>(), params)}};
  } catch (const RpcError& error) {
    return error_json(id, error.code, error.message);
  } catch (const std::exception& error) {
    return error_json(id, kInternalError, failure_of(error).detail);
  }
}

std::optional<Json> Mcp::answer(const Json& message) const {
  if (!message.is_array()) return answer_one(message);
  if (message.empty()) return error_json(nullptr, kInvalidRequest, "a batch must not be empty");
  Json answers = Json::array();
  for (const Json& one : message)
    if (std::optional<Json> answered = answer_one(one)) answers.push_back(std::move(*answered));
  return answers.empty() ? std::nullopt : std::optional(std::move(answers));
}

std::optional<std::string> Mcp::answer_line(std::string_view line) const {
  std::optional<Json> answered;
  try {
    answered = answer(parsed(line, "the message"));
  } catch (const Refusal& refusal) {
    answered = error_json(nullptr, kParseError, refusal.what());
  }
  return answered ? std::optional(dumped(*answered)) : std::nullopt;
}

void add_mcp(Router& router, const Mcp& mcp) {
  router.add({.method = "POST",
              .path = "/mcp",
              .handler =
                  [&mcp](const Request& request) {
                    const std::string_view version = request.header("mcp-protocol-version");
                    if (!version.empty() && !knows_version(version))
                      throw Refusal(400, "MCP's version " + std::string(version) + " is not known");
                    if (const auto answered = mcp.answer_line(request.body)) {
                      Response response;
                      response.body = *answered;
                      return response;
                    }
                    return Response{.status = 202, .type = ""};
                  },
              .summary = "The Model Context Protocol (JSON-RPC 2.0): the operations as tools, the graph as "
                         "resources, prompts."});
}

}  // namespace kgwalk::server
