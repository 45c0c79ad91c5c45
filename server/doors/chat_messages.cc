#include "server/doors/chat_messages.h"

#include <fmt/format.h>

#include <initializer_list>
#include <sstream>
#include <string_view>

#include "kgwalk/retrieve.h"
#include "planner/conversation/typed.h"
#include "runtime/checksum.h"
#include "server/http/message.h"
#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

Refusal wrong(const std::string& detail, const std::string& where, const char* code = "invalid_value") {
  return {400, detail, {.param = where, .code = code}};
}

// Text, or parts of which each is text under one of these types.
std::string content_of(const Json& content, const std::string& where,
                       std::initializer_list<const char*> types) {
  if (content.is_string()) return content.get<std::string>();
  if (!content.is_array())
    throw wrong(fmt::format("'{}' must be text, or parts of type '{}'", where, *types.begin()), where,
                "invalid_type");
  std::string text;
  for (std::size_t i = 0; i < content.size(); ++i) {
    const Json& part = content[i];
    const std::string place = fmt::format("{}[{}]", where, i);
    const Json type = part.is_object() ? part.value("type", Json()) : Json();
    bool known = false;
    for (const char* one : types) known = known || type == one;
    const char* field = type == "refusal" ? "refusal" : "text";
    if (!known)
      throw wrong(fmt::format("'{}' is of type {}: only text is read; send parts of type '{}'", place,
                              dumped(type), *types.begin()),
                  place, "unsupported_value");
    if (!part.value(field, Json()).is_string())
      throw wrong(fmt::format("'{}' needs '{}', a text", place, field), place, "missing_required_parameter");
    text += part[field].get_ref<const std::string&>();
  }
  return text;
}

bool calls_tools(const Json& message) {
  const Json calls = message.value("tool_calls", message.value("function_call", Json()));
  return calls.is_structured() && !calls.empty();
}

// The text of a chat's message. Assistants that call functions, and those that refuse, have none.
std::string chat_text(const Json& message, const std::string& where) {
  const Json content = message.value("content", Json());
  const Json role = message.value("role", Json());
  const bool silent =
      role == "assistant" && (calls_tools(message) || message.value("refusal", Json()).is_string());
  if (content.is_null() && silent) return "";
  if (content.is_null())
    throw wrong("'" + where + ".content' is missing: text, or parts of type 'text'", where + ".content",
                "missing_required_parameter");
  if (role == "assistant") return content_of(content, where + ".content", {"text", "refusal"});
  return content_of(content, where + ".content", {"text"});
}

void add_commands(const std::string& text, std::vector<std::string>& commands) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('/')) commands.push_back(line);
}

bool is_message(const Json& item) {
  return item.is_object() && item.value("type", Json("message")) == "message";
}

// What another model thought, called and was told: no part of this conversation.
bool is_passed_over(const Json& item) {
  const Json type = item.is_object() ? item.value("type", Json()) : Json();
  for (const char* other : {"reasoning", "function_call", "function_call_output"})
    if (type == other) return true;
  return false;
}

}  // namespace

void ChatMessages::add(const Json& role, const std::string& text, const std::string& where) {
  if (role == "system" || role == "developer") {
    add_commands(text, commands_);
  } else if (role == "user" || role == "assistant") {
    all_.push_back({role, text});
    if (role == "user") earlier_.push_back(text);
  } else if (role != "tool" && role != "function") {  // what those hold was never said
    throw wrong(
        "the role of a message must be system, developer, user, assistant or tool, not " + dumped(role),
        where + ".role");
  }
}

void ChatMessages::finish(const Json& input, const char* field) {
  if (all_.empty() || all_.back()[0] != "user")
    throw wrong("the last message must be the user's: what is to be answered", field);
  last_ = earlier_.back();
  earlier_.pop_back();
  if (trimmed(last_).empty())
    throw wrong("the last message is empty: say something that names an entity of the graph", field);
  const Json metadata = input.value("metadata", Json());
  if (metadata.is_object() && metadata.value("goal", Json()).is_string())
    commands_.push_back("/goal " + metadata["goal"].get_ref<const std::string&>());
}

ChatMessages ChatMessages::read(const Json& input) {
  const Json messages = input.value("messages", Json());
  if (!messages.is_array() || messages.empty())
    throw wrong("'messages' must be a list of at least one message", "messages",
                "missing_required_parameter");
  ChatMessages out;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string where = fmt::format("messages[{}]", i);
    if (!messages[i].is_object())
      throw wrong("'" + where + "' must be an object with role and content", where, "invalid_type");
    const Json role = messages[i].value("role", Json());
    const bool of_tool = role == "tool" || role == "function";
    out.add(role, of_tool ? "" : chat_text(messages[i], where), where);
  }
  out.finish(input, "messages");
  return out;
}

ChatMessages ChatMessages::read_items(const Json& input, const Referred& referred) {
  ChatMessages out;
  if (const Json first = input.value("instructions", Json()); first.is_string())
    out.add("system", first.get<std::string>(), "instructions");
  const Json items = input.value("input", Json());
  if (items.is_string()) out.add("user", items.get<std::string>(), "input");
  if (!items.is_string() && (!items.is_array() || items.empty()))
    throw wrong("'input' must be a text, or a list of at least one message", "input",
                "missing_required_parameter");
  for (std::size_t i = 0; items.is_array() && i < items.size(); ++i) {
    const Json& item = items[i];
    const std::string where = fmt::format("input[{}]", i);
    if (is_passed_over(item)) continue;
    if (item.is_object() && item.value("type", Json()) == "item_reference") {
      const Json id = item.value("id", Json());
      const auto text = id.is_string() ? referred(id.get<std::string>()) : std::nullopt;
      if (!text)
        throw Refusal(404, "'" + where + "' refers to an item that is not kept here: send it whole",
                      {.param = where, .code = "not_found"});
      out.add("assistant", *text, where);
      continue;
    }
    if (!is_message(item))
      throw wrong("'" + where + "' must be a message, of role and content: only text is read", where,
                  "unsupported_value");
    out.add(item.value("role", Json()),
            content_of(item.value("content", Json()), where + ".content",
                       {"input_text", "output_text", "text", "refusal"}),
            where);
  }
  out.finish(input, "input");
  return out;
}

int ChatMessages::tokens() const {
  int sum = 0;
  for (const Json& message : all_) sum += estimated_tokens(message[1].get_ref<const std::string&>());
  return sum;
}

std::string ChatMessages::key(const std::string& model, std::uint64_t seed, const Json& messages) const {
  return checksum_of(dumped({model, seed, commands_, messages}));
}

std::string ChatMessages::key_before_last(const std::string& model, std::uint64_t seed) const {
  Json before = all_;
  before.erase(before.size() - 1);
  return key(model, seed, before);
}

std::string ChatMessages::key_with_reply(const std::string& model, std::uint64_t seed,
                                         const std::string& reply) const {
  Json after = all_;
  after.push_back({"assistant", reply});
  return key(model, seed, after);
}

std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t space = text.find_first_of(" \n", begin);
    const std::size_t end = space == std::string::npos ? text.size() : space + 1;
    out.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return out;
}

}  // namespace kgwalk::server
