// A dialogue as it is stored: chat messages and path annotations in order, names resolved to ids.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "kgwalk/graph_types.h"

namespace kgwalk::graph {

enum class Speaker : std::uint8_t { kUser = 0, kAssistant = 1 };

struct Chat {
  Speaker speaker;
  std::string text;
};

// One kgwalk/choose_path action: a chain of one or more hops; it grounds the next message of
// the same speaker.
struct WalkedPath {
  Speaker speaker;
  std::vector<Triple> hops;
};

using DialogueEvent = std::variant<Chat, WalkedPath>;

struct Dialogue {
  std::uint64_t line = 0;  // line in its csv file where the row starts
  std::vector<DialogueEvent> events;
};

}  // namespace kgwalk::graph
