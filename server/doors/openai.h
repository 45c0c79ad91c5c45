// The door of OpenAI's API: chat completions (streamed too) and models. Programs that know it need another
// base URL only; embeddings, responses and transcriptions have files of their own.
//
// A chat is a conversation: each user message is a turn. A goal is set by "metadata": {"goal": NAME}, or by a
// line "/goal NAME" in a system, developer or user message. What becomes of each field is told in
// chat_fields.cc.
#pragma once

#include "server/doors/chat_memory.h"
#include "server/doors/spoken_turn.h"
#include "server/http/router.h"
#include "server/state/model_shelf.h"

namespace kgwalk::server {

class OpenAi {
 public:
  // The models are borrowed.
  explicit OpenAi(ModelShelf& models) : models_(models) {}

  [[nodiscard]] Response chat(const Request& request);
  [[nodiscard]] Response list_models() const;
  [[nodiscard]] Response model(const Request& request) const;

 private:
  struct Answer {
    SpokenTurn turn;
    int prompt_tokens = 0;
  };
  [[nodiscard]] Answer answer(const std::string& model, const Json& input, const ChatWish& wish);

  ModelShelf& models_;
  ChatMemory memory_{16 << 20};
};

// The routes borrow it.
void add_openai(Router& router, OpenAi& openai);

}  // namespace kgwalk::server
