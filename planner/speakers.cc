#include "planner/speakers.h"

#include <fmt/format.h>

#include "kgwalk/error.h"

namespace kgwalk {

std::vector<graph::Chat> chats_of(std::span<const Utterance> history) {
  std::vector<graph::Chat> chats;
  for (const Utterance& u : history) {
    if (u.speaker != "user" && u.speaker != "assistant")
      throw ConfigError(fmt::format("speaker '{}' is unknown; use 'user' or 'assistant'", u.speaker));
    chats.push_back({u.speaker == "user" ? graph::Speaker::kUser : graph::Speaker::kAssistant, u.text});
  }
  return chats;
}

}  // namespace kgwalk
