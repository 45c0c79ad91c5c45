// The messages of a chat completion as turns of a conversation.
#pragma once

#include <string>
#include <vector>

#include "kgwalk/json.h"

namespace kgwalk::server {

class ChatMessages {
 public:
  // From the body of a request. Refusal (400) for what is no list of messages, and when the last is not the
  // user's.
  [[nodiscard]] static ChatMessages read(const Json& input);

  // Lines that begin with '/' in system and developer messages, and the goal of the metadata: they come
  // first.
  [[nodiscard]] const std::vector<std::string>& commands() const { return commands_; }
  [[nodiscard]] const std::vector<std::string>& earlier() const {
    return earlier_;
  }  // user messages but the last
  [[nodiscard]] const std::string& last() const { return last_; }
  [[nodiscard]] int tokens() const;  // of all, estimated

  // Equal for equal models, commands and messages: those before the last one, and all with a reply to it.
  [[nodiscard]] std::string key_before_last(const std::string& model) const;
  [[nodiscard]] std::string key_with_reply(const std::string& model, const std::string& reply) const;

 private:
  [[nodiscard]] std::string key(const std::string& model, const Json& messages) const;
  std::vector<std::string> commands_, earlier_;
  std::string last_;
  Json all_ = Json::array();  // [role, text] of those of user and assistant
};

// Text in pieces to be sent one by one: words with the space behind them.
[[nodiscard]] std::vector<std::string> pieces_of(const std::string& text);

}  // namespace kgwalk::server
