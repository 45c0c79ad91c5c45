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
};

}  // namespace kgwalk::dialogue
