#include "server/doors/chat_messages.h"

#include <sstream>

#include "kgwalk/retrieve.h"
#include "runtime/checksum.h"
#include "server/http/message.h"
#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

// Text, or parts of which some are text.
std::string content_of(const Json& message) {
  const Json content = message.value("content", Json());
  if (content.is_string()) return content.get<std::string>();
  if (content.is_null()) return "";
  std::string text;
  const auto wrong = [] {
    return Refusal(400, "the content of a message must be text, or parts of type 'text'");
  };
  if (!content.is_array()) throw wrong();
  for (const Json& part : content) {
    if (!part.is_object() || part.value("type", Json()) != "text" || !part.value("text", Json()).is_string())
      throw wrong();
    text += part["text"].get_ref<const std::string&>();
  }
  return text;
}

void add_commands(const std::string& text, std::vector<std::string>& commands) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('/')) commands.push_back(line);
}

}  // namespace

ChatMessages ChatMessages::read(const Json& input) {
  const Json messages = input.value("messages", Json());
  if (!messages.is_array() || messages.empty())
    throw Refusal(400, "'messages' must be a list of at least one message");
  ChatMessages out;
  for (const Json& message : messages) {
    if (!message.is_object()) throw Refusal(400, "a message must be an object with role and content");
    const Json role = message.value("role", Json());
    const std::string text = content_of(message);
    if (role == "system" || role == "developer") {
      add_commands(text, out.commands_);
    } else if (role == "user" || role == "assistant") {
      out.all_.push_back({role, text});
      if (role == "user") out.earlier_.push_back(text);
    } else {
      throw Refusal(
          400, "the role of a message must be system, developer, user or assistant, not " + dumped(role));
    }
  }
  if (out.all_.empty() || out.all_.back()[0] != "user")
    throw Refusal(400, "the last message must be the user's");
  out.last_ = out.earlier_.back();
  out.earlier_.pop_back();
  const Json metadata = input.value("metadata", Json());
  if (metadata.is_object() && metadata.value("goal", Json()).is_string())
    out.commands_.push_back("/goal " + metadata["goal"].get_ref<const std::string&>());
  return out;
}

int ChatMessages::tokens() const {
  int sum = 0;
  for (const Json& message : all_) sum += estimated_tokens(message[1].get_ref<const std::string&>());
  return sum;
}

std::string ChatMessages::key(const std::string& model, const Json& messages) const {
  return checksum_of(dumped({model, commands_, messages}));
}

std::string ChatMessages::key_before_last(const std::string& model) const {
  Json before = all_;
  before.erase(before.size() - 1);
  return key(model, before);
}

std::string ChatMessages::key_with_reply(const std::string& model, const std::string& reply) const {
  Json after = all_;
  after.push_back({"assistant", reply});
  return key(model, after);
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
