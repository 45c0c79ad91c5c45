#include "server/doors/responses.h"

#include <optional>
#include <utility>
#include <vector>

#include "kgwalk/retrieve.h"
#include "server/doors/response_events.h"
#include "server/http/problem.h"
#include "server/state/session_files.h"

namespace kgwalk::server {
namespace {

// What was said in the responses before, and now.
Json joined(const Json& before, const char* list, const Json& now) {
  Json all = before.is_null() ? Json::array() : before.at(list);
  for (const Json& one : now) all.push_back(one);
  return all;
}

int tokens_of(const Json& messages) {
  int sum = 0;
  for (const Json& message : messages) sum += estimated_tokens(message[1].get_ref<const std::string&>());
  return sum;
}

std::string text_of_message(const Json& response) {
  const Json& part = response.at("output").at(0).at("content").at(0);
  return part.value("text", part.value("refusal", ""));
}

bool stores(const Json& input) { return input.value("store", Json()) != false; }

}  // namespace

Json Responses::kept(const std::string& id, const char* param) {
  if (std::optional<Json> record = memory_.find(id)) return std::move(*record);
  throw Refusal(
      404,
      "there is no response '" + id +
          "': it was never kept, was deleted, is of a server of before, or made room for others; send "
          "the whole conversation as 'input'",
      {.param = param, .code = "response_not_found"});
}

// Commands are followed where they are new: clients send the same instructions with each request.
SpokenTurn Responses::speak(const std::string& model, const ChatMessages& messages, const Json& before,
                            const ChatWish& wish) {
  TurnAsked asked{.last = messages.last()};
  const bool same = !before.is_null() && before.at("commands") == Json(messages.commands());
  if (!before.is_null()) {
    if (before.at("model") == model) asked.memory = before.at("memory");
    asked.all = before.at("commands").get<std::vector<std::string>>();
    for (const Json& said : before.at("messages"))
      if (said[0] == "user") asked.all.push_back(said[1].get<std::string>());
  }
  if (!same) asked.since = messages.commands();
  asked.since.insert(asked.since.end(), messages.earlier().begin(), messages.earlier().end());
  asked.all.insert(asked.all.end(), asked.since.begin(), asked.since.end());
  return spoken_turn(*models_.get(model), asked, wish);
}

void Responses::keep(const Json& response, const ChatMessages& messages, const Json& before,
                     const SpokenTurn& turn) {
  Json said = messages.all();
  said.push_back({"assistant", text_of_message(response)});
  memory_.keep(response.at("id").get<std::string>(), {{"response", response},
                                                      {"messages", joined(before, "messages", said)},
                                                      {"commands", messages.commands()},
                                                      {"model", response.at("model")},
                                                      {"memory", turn.memory}});
}

Response Responses::create(const Request& request) {
  const Json input = object_of(request);
  const std::string model = models_.full_name(model_given(input));
  const ChatWish wish = response_wish(input);
  const Json previous = input.value("previous_response_id", Json());
  const Json before = previous.is_null() ? Json() : kept(previous.get<std::string>(), "previous_response_id");
  const auto referred = [this](const std::string& id) -> std::optional<std::string> {
    const std::optional<Json> record = memory_.find(response_id_of(id));
    return record ? std::optional(text_of_message(record->at("response"))) : std::nullopt;
  };
  const ChatMessages messages = ChatMessages::read_items(input, referred);
  const SpokenTurn turn = speak(model, messages, before, wish);
  const Json begun = response_begun("resp_" + new_session_id(), model, input);
  const Json done = response_done(begun, turn, tokens_of(joined(before, "messages", messages.all())));
  if (stores(input)) keep(done, messages, before, turn);
  if (!wish.stream) return Response::of(done);
  Response response{.type = "text/event-stream"};
  response.stream = [begun, done, turn](const std::shared_ptr<Sink>& sink) {
    send_events(*sink, begun, done, turn);
  };
  return response;
}

Response Responses::get(const Request& request) {
  return Response::of(kept(request.parts.at("id"), "response_id").at("response"));
}

Response Responses::remove(const Request& request) {
  const std::string& id = request.parts.at("id");
  (void)kept(id, "response_id");
  memory_.forget(id);
  return Response::of({{"id", id}, {"object", "response.deleted"}, {"deleted", true}});
}

void add_responses(Router& router, Responses& responses) {
  router.add({"POST", "/v1/responses", [&responses](const Request& r) { return responses.create(r); },
              "OpenAI's responses: the input is answered, as a turn of the conversation that "
              "previous_response_id names.",
              response_input()});
  router.add({"GET", "/v1/responses/{id}", [&responses](const Request& r) { return responses.get(r); },
              "A response that is kept."});
  router.add({"DELETE", "/v1/responses/{id}", [&responses](const Request& r) { return responses.remove(r); },
              "Forget a response, and the conversation as it stood then."});
}

}  // namespace kgwalk::server
