#include "server/doors/response_events.h"

#include <ctime>
#include <utility>

#include "kgwalk/retrieve.h"
#include "server/doors/chat_messages.h"

namespace kgwalk::server {
namespace {

constexpr std::string_view kResponse = "resp_", kMessage = "msg_";

Json text_part(const std::string& text) {
  return {
      {"type", "output_text"}, {"text", text}, {"annotations", Json::array()}, {"logprobs", Json::array()}};
}

Json refusal_part(const std::string& text) { return {{"type", "refusal"}, {"refusal", text}}; }

Json message_json(const std::string& id, const char* status, Json content) {
  return {{"id", id},
          {"type", "message"},
          {"status", status},
          {"role", "assistant"},
          {"content", std::move(content)}};
}

Json given(const Json& input, const char* name, Json otherwise) {
  const auto found = input.find(name);
  return found == input.end() || found->is_null() ? std::move(otherwise) : *found;
}

// Events with their type and number.
class Events {
 public:
  explicit Events(Sink& sink) : sink_(sink) {}
  void send(const char* type, Json more) {
    Json event = {{"type", type}, {"sequence_number", number_++}};
    event.update(more);
    sink_.send(event_text(type, event));
  }

 private:
  Sink& sink_;
  int number_ = 0;
};

void send_part(Events& events, const std::string& id, const SpokenTurn& turn) {
  const bool refused = !turn.refusal.empty();
  const Json place = {{"item_id", id}, {"output_index", 0}, {"content_index", 0}};
  const auto at_place = [&](Json more) {
    Json out = place;
    out.update(more);
    return out;
  };
  const std::string& text = refused ? turn.refusal : turn.content;
  events.send("response.content_part.added",
              at_place({{"part", refused ? refusal_part("") : text_part("")}}));
  for (const std::string& piece : pieces_of(text))
    refused ? events.send("response.refusal.delta", at_place({{"delta", piece}}))
            : events.send("response.output_text.delta",
                          at_place({{"delta", piece}, {"logprobs", Json::array()}}));
  if (refused) {
    events.send("response.refusal.done", at_place({{"refusal", text}}));
  } else {
    events.send("response.output_text.done", at_place({{"text", text}, {"logprobs", Json::array()}}));
  }
  events.send("response.content_part.done",
              at_place({{"part", refused ? refusal_part(text) : text_part(text)}}));
}

}  // namespace

std::string message_id(const std::string& response_id) {
  return std::string(kMessage) + response_id.substr(kResponse.size());
}

std::string response_id_of(const std::string& message_id) {
  return message_id.starts_with(kMessage) ? std::string(kResponse) + message_id.substr(kMessage.size()) : "";
}

Json response_begun(const std::string& id, const std::string& model, const Json& input) {
  const Json text = given(input, "text", Json::object());
  return {{"id", id},
          {"object", "response"},
          {"created_at", std::time(nullptr)},
          {"status", "in_progress"},
          {"background", false},
          {"error", nullptr},
          {"incomplete_details", nullptr},
          {"instructions", given(input, "instructions", nullptr)},
          {"max_output_tokens", given(input, "max_output_tokens", nullptr)},
          {"max_tool_calls", given(input, "max_tool_calls", nullptr)},
          {"model", model},
          {"output", Json::array()},
          {"parallel_tool_calls", given(input, "parallel_tool_calls", true)},
          {"previous_response_id", given(input, "previous_response_id", nullptr)},
          {"reasoning", {{"effort", nullptr}, {"summary", nullptr}}},
          {"service_tier", "default"},
          {"store", given(input, "store", true)},
          {"temperature", given(input, "temperature", 1.0)},
          {"text", {{"format", given(text, "format", {{"type", "text"}})}, {"verbosity", "medium"}}},
          {"tool_choice", given(input, "tool_choice", "auto")},
          {"tools", Json::array()},
          {"top_logprobs", 0},
          {"top_p", given(input, "top_p", 1.0)},
          {"truncation", given(input, "truncation", "disabled")},
          {"usage", nullptr},
          {"user", given(input, "user", nullptr)},
          {"metadata", given(input, "metadata", Json::object())}};
}

Json response_done(Json begun, const SpokenTurn& turn, int prompt_tokens) {
  const int tokens = estimated_tokens(turn.content) + estimated_tokens(turn.refusal);
  const char* status = turn.cut ? "incomplete" : "completed";
  const Json part = turn.refusal.empty() ? text_part(turn.content) : refusal_part(turn.refusal);
  begun["status"] = status;
  if (turn.cut) begun["incomplete_details"] = {{"reason", "max_output_tokens"}};
  if (!turn.cut) begun["completed_at"] = std::time(nullptr);
  begun["output"] =
      Json::array({message_json(message_id(begun["id"].get<std::string>()), status, Json::array({part}))});
  begun["usage"] = {{"input_tokens", prompt_tokens},
                    {"input_tokens_details", {{"cached_tokens", 0}}},
                    {"output_tokens", tokens},
                    {"output_tokens_details", {{"reasoning_tokens", 0}}},
                    {"total_tokens", prompt_tokens + tokens}};
  begun["kgwalk"] = turn.beside;
  return begun;
}

void send_events(Sink& sink, const Json& begun, const Json& done, const SpokenTurn& turn) {
  Events events(sink);
  events.send("response.created", {{"response", begun}});
  events.send("response.in_progress", {{"response", begun}});
  const std::string id = message_id(begun["id"].get<std::string>());
  events.send("response.output_item.added",
              {{"output_index", 0}, {"item", message_json(id, "in_progress", Json::array())}});
  send_part(events, id, turn);
  events.send("response.output_item.done", {{"output_index", 0}, {"item", done["output"][0]}});
  events.send(turn.cut ? "response.incomplete" : "response.completed", {{"response", done}});
}

}  // namespace kgwalk::server
