// The door of OpenAI's responses: text in and out, streamed too. A response is kept in memory, so that
// another can go on from it by its id; bounded, and what is forgotten is refused (404).
#pragma once

#include <string>

#include "server/doors/chat_memory.h"
#include "server/doors/chat_messages.h"
#include "server/doors/spoken_turn.h"
#include "server/http/router.h"
#include "server/state/model_shelf.h"

namespace kgwalk::server {

class Responses {
 public:
  // The models are borrowed.
  explicit Responses(ModelShelf& models) : models_(models) {}

  [[nodiscard]] Response create(const Request& request);
  [[nodiscard]] Response get(const Request& request);
  [[nodiscard]] Response remove(const Request& request);

 private:
  // {"response", "messages", "commands", "model", "memory"}; Refusal (404) when it is not kept.
  [[nodiscard]] Json kept(const std::string& id, const char* param);
  [[nodiscard]] SpokenTurn speak(const std::string& model, const ChatMessages& messages, const Json& before,
                                 const ChatWish& wish);
  void keep(const Json& response, const ChatMessages& messages, const Json& before, const SpokenTurn& turn);

  ModelShelf& models_;
  ChatMemory memory_{32 << 20};
};

// POST /v1/responses, GET and DELETE of one. The routes borrow it.
void add_responses(Router& router, Responses& responses);

}  // namespace kgwalk::server
