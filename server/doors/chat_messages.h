// The messages of a chat completion, or the input of a response, as turns of a conversation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/json.h"

namespace kgwalk::server {

class ChatMessages {
 public:
  // From the body of a chat completion. Refusal (400) for what is no list of messages, and when the last is
  // not the user's.
  [[nodiscard]] static ChatMessages read(const Json& input);
  // From the body of a response: a text, or items of type message; the instructions come first. `referred`
  // gives the text of an earlier item by its id, nullopt for one that is not known.
  using Referred = std::function<std::optional<std::string>(const std::string& id)>;
  [[nodiscard]] static ChatMessages read_items(const Json& input, const Referred& referred);

  // Lines that begin with '/' in system and developer messages, and the goal of the metadata: they come
  // first.
  [[nodiscard]] const std::vector<std::string>& commands() const { return commands_; }
  // User messages but the last.
  [[nodiscard]] const std::vector<std::string>& earlier() const { return earlier_; }
  [[nodiscard]] const std::string& last() const { return last_; }
  [[nodiscard]] const Json& all() const { return all_; }  // [role, text] of those of user and assistant
  [[nodiscard]] int tokens() const;                       // of all, estimated

  // Equal for equal models, commands, seeds and messages: those before the last one, and all with a reply to
  // it.
  [[nodiscard]] std::string key_before_last(const std::string& model, std::uint64_t seed) const;
  [[nodiscard]] std::string key_with_reply(const std::string& model, std::uint64_t seed,
                                           const std::string& reply) const;

 private:
  void add(const Json& role, const std::string& text, const std::string& where);
  void finish(const Json& input, const char* field);
  [[nodiscard]] std::string key(const std::string& model, std::uint64_t seed, const Json& messages) const;
  std::vector<std::string> commands_, earlier_;
  std::string last_;
  Json all_ = Json::array();
};

// Text in pieces to be sent one by one: words with the space behind them.
[[nodiscard]] std::vector<std::string> pieces_of(const std::string& text);

}  // namespace kgwalk::server
