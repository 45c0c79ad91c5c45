// A dialogue as it is stored: chat messages and walked paths in order, names resolved to ids.
//
// Example:
//   using kgwalk::graph::Speaker;
//   kgwalk::graph::Dialogue dialogue;
//   dialogue.events.push_back(kgwalk::graph::Chat{Speaker::kUser, "Do you like Iron Man?"});
//   dialogue.events.push_back(kgwalk::graph::WalkedPath{Speaker::kAssistant, {{0, 2, 5}}});
//   for (const auto& event : dialogue.events)
//     if (const auto* chat = std::get_if<kgwalk::graph::Chat>(&event)) std::cout << chat->text << '\n';
//
// Dialogues come from Store::dialogues(), which ingestion filled. Plain values; their ids are those of the
// graph of the same database.
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
  std::string text;  // UTF-8, as it was typed
};

// One kgwalk/choose_path action: a chain of one or more hops, each beginning where the one before ended. It
// grounds the next message of the same speaker.
struct WalkedPath {
  Speaker speaker;
  std::vector<Triple> hops;
};

using DialogueEvent = std::variant<Chat, WalkedPath>;

struct Dialogue {
  std::uint64_t line = 0;  // where the row starts in its csv file, from 1
  std::vector<DialogueEvent> events;
};

}  // namespace kgwalk::graph
