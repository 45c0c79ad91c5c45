// Who puts a message into words: wordings, a trained model, or what trained people said before.
#pragma once

#include <string>

#include "dialogue/response/message.h"

namespace kgwalk::dialogue {

// Safe for concurrent use.
class Voice {
 public:
  virtual ~Voice() = default;
  // ConfigError where the message is none (check() in message.h).
  [[nodiscard]] virtual std::string say(const Message& message) const = 0;
  // A sentence that says the message already, in this voice's words where it has others for any sentence.
  [[nodiscard]] virtual std::string put(const Message& /*message*/, std::string draft) const { return draft; }
};

}  // namespace kgwalk::dialogue
