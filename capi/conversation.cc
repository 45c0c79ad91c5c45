#include "kgwalk/conversation.h"

#include "capi/arguments.h"
#include "capi/objects.h"
#include "planner/conversation/typed.h"

using namespace kgwalk::capi;

kgwalk_status kgwalk_conversation_open(const kgwalk_model* model, uint64_t seed,
                                       kgwalk_conversation** conversation) {
  if (conversation != nullptr) *conversation = nullptr;
  return guarded([&] {
    const auto asked = object_of<ModelObject>(model);
    need(conversation, "the place for the conversation");
    *conversation = handle_of(std::make_shared<ConversationObject>(asked->first->another(seed)));
  });
}

kgwalk_status kgwalk_conversation_close(kgwalk_conversation* conversation) {
  return close_handle<ConversationObject>(conversation);
}

kgwalk_status kgwalk_conversation_say(kgwalk_conversation* conversation, const char* line, char** said,
                                      char** shown, int* over) {
  if (said != nullptr) *said = nullptr;
  if (shown != nullptr) *shown = nullptr;
  if (over != nullptr) *over = 0;
  return guarded([&] {
    const auto talk = object_of<ConversationObject>(conversation);
    const std::string typed = text_of(line, "line");
    const std::lock_guard lock(talk->talking);
    const kgwalk::Conversation::Reply reply = talk->conversation.answer(typed);
    // A command is answered by what is shown alone.
    Text sentence = copied(reply.said.empty() ? std::string(kgwalk::trimmed(reply.text)) : reply.said);
    Text all = copied(reply.text);
    if (said != nullptr) *said = sentence.release();
    if (shown != nullptr) *shown = all.release();
    if (over != nullptr) *over = reply.over ? 1 : 0;
  });
}

kgwalk_status kgwalk_conversation_transcript(kgwalk_conversation* conversation, char** json) {
  if (json != nullptr) *json = nullptr;
  return guarded([&] {
    const auto talk = object_of<ConversationObject>(conversation);
    need(json, "json");
    const std::lock_guard lock(talk->talking);
    *json = copied(talk->conversation.transcript()).release();
  });
}

kgwalk_status kgwalk_conversation_memory(kgwalk_conversation* conversation, char** json) {
  if (json != nullptr) *json = nullptr;
  return guarded([&] {
    const auto talk = object_of<ConversationObject>(conversation);
    need(json, "json");
    const std::lock_guard lock(talk->talking);
    *json = copied(talk->conversation.memory()).release();
  });
}

kgwalk_status kgwalk_conversation_recall(kgwalk_conversation* conversation, const char* memory) {
  return guarded([&] {
    const auto talk = object_of<ConversationObject>(conversation);
    const kgwalk::Json read = kgwalk::Json::parse(text_of(memory, "memory"));
    const std::lock_guard lock(talk->talking);
    talk->conversation.recall(read);
  });
}
