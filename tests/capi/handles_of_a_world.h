// Handles over the small world of tests/planner/talk_world.h.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "capi/objects.h"
#include "dialogue/linking/entity_linker.h"
#include "planner/conversation/talk.h"
#include "tests/planner/talk_world.h"

namespace kgwalk::testing {

inline kgwalk_model* compass_model() {
  auto guide = std::make_shared<const Guide>(compass_guide());
  auto linker = std::make_shared<const dialogue::EntityLinker>(guide->planner().graph(),
                                                               std::span<const graph::Dialogue>());
  Conversation first(std::make_unique<Talk>(std::move(guide), std::move(linker), ConversationOptions{}));
  return capi::handle_of(std::make_shared<capi::ModelObject>(std::move(first), "no-database"));
}

inline kgwalk_graph* graph_of_world() {
  return capi::handle_of(std::make_shared<capi::GraphObject>(
      std::make_shared<const capi::SharedGraph>(talk_graph(), "no-database")));
}

// The text, which is freed.
inline std::string taken(char* text) {
  std::string copy = text == nullptr ? "" : text;
  kgwalk_free(text);
  return copy;
}

}  // namespace kgwalk::testing
