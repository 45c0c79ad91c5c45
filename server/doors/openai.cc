#include "server/doors/openai.h"

#include <ctime>
#include <utility>
#include <vector>

#include "kgwalk/retrieve.h"
#include "server/doors/chat_messages.h"
#include "server/state/session_files.h"

namespace kgwalk::server {
namespace {

Json model_json(const ModelShelf& models, const std::string& name) {
  return {{"id", name}, {"object", "model"}, {"created", models.made_at(name)}, {"owned_by", "kgwalk"}};
}

struct ChatAnswer {
  std::string id = "chatcmpl-" + new_session_id();
  std::string model;
  std::int64_t created = std::time(nullptr);

  [[nodiscard]] Json with(const char* object, Json choice) const {
    Json choices = Json::array();
    if (!choice.is_null()) choices.push_back(std::move(choice));
    return {{"id", id},
            {"object", object},
            {"created", created},
            {"model", model},
            {"choices", std::move(choices)}};
  }
  [[nodiscard]] Json chunk(Json delta, Json finish) const {
    return with("chat.completion.chunk", {{"index", 0},
                                          {"delta", std::move(delta)},
                                          {"logprobs", nullptr},
                                          {"finish_reason", std::move(finish)}});
  }
};

Json usage_json(int prompt, int completion) {
  return {
      {"prompt_tokens", prompt}, {"completion_tokens", completion}, {"total_tokens", prompt + completion}};
}

const char* finish_of(const SpokenTurn& turn) { return turn.cut ? "length" : "stop"; }

Response whole(const ChatAnswer& completion, const SpokenTurn& turn, const Json& usage) {
  const bool refused = !turn.refusal.empty();
  const Json message = {{"role", "assistant"},
                        {"content", refused ? Json(nullptr) : Json(turn.content)},
                        {"refusal", refused ? Json(turn.refusal) : Json(nullptr)}};
  Json out = completion.with(
      "chat.completion",
      {{"index", 0}, {"message", message}, {"logprobs", nullptr}, {"finish_reason", finish_of(turn)}});
  out["usage"] = usage;
  out["kgwalk"] = turn.beside;
  return Response::of(out);
}

Response streamed(const ChatAnswer& completion, const SpokenTurn& turn, const Json& usage, bool tell_usage) {
  Response response{.type = "text/event-stream"};
  response.stream = [completion, turn, usage, tell_usage](const std::shared_ptr<Sink>& sink) {
    const auto send = [&](const Json& chunk) { sink->send(event_text("", chunk)); };
    send(completion.chunk({{"role", "assistant"}, {"content", ""}}, nullptr));
    for (const std::string& piece : pieces_of(turn.content))
      send(completion.chunk({{"content", piece}}, nullptr));
    for (const std::string& piece : pieces_of(turn.refusal))
      send(completion.chunk({{"refusal", piece}}, nullptr));
    Json last = completion.chunk(Json::object(), finish_of(turn));
    last["kgwalk"] = turn.beside;
    send(last);
    if (tell_usage) {
      last = completion.with("chat.completion.chunk", nullptr);
      last["usage"] = usage;
      send(last);
    }
    sink->send("data: [DONE]\n\n");
  };
  return response;
}

}  // namespace

OpenAi::Answer OpenAi::answer(const std::string& model, const Json& input, const ChatWish& wish) {
  const ChatMessages messages = ChatMessages::read(input);
  TurnAsked asked{.memory = memory_.find(messages.key_before_last(model, wish.seed)),
                  .all = messages.commands(),
                  .last = messages.last()};
  asked.all.insert(asked.all.end(), messages.earlier().begin(), messages.earlier().end());
  Answer out{spoken_turn(*models_.get(model), asked, wish), messages.tokens()};
  memory_.keep(messages.key_with_reply(model, wish.seed, out.turn.content), out.turn.memory);
  return out;
}

Response OpenAi::chat(const Request& request) {
  const Json input = object_of(request);
  const ChatAnswer completion{.model = models_.full_name(model_given(input))};
  const ChatWish wish = chat_wish(input);
  const Answer answered = answer(completion.model, input, wish);
  const SpokenTurn& turn = answered.turn;
  const Json usage =
      usage_json(answered.prompt_tokens, estimated_tokens(turn.content) + estimated_tokens(turn.refusal));
  return wish.stream ? streamed(completion, turn, usage, wish.tell_usage) : whole(completion, turn, usage);
}

Response OpenAi::list_models() const {
  Json data = Json::array();
  for (const std::string& name : models_.names()) data.push_back(model_json(models_, name));
  return Response::of({{"object", "list"}, {"data", std::move(data)}});
}

Response OpenAi::model(const Request& request) const {
  return Response::of(model_json(models_, models_.full_name(request.parts.at("model"))));
}

void add_openai(Router& router, OpenAi& openai) {
  router.add({"POST", "/v1/chat/completions", [&openai](const Request& r) { return openai.chat(r); },
              "OpenAI's chat completions: each user message is a turn of a conversation.", chat_input()});
  router.add({"GET", "/v1/models", [&openai](const Request&) { return openai.list_models(); },
              "The models that are served."});
  router.add(
      {"GET", "/v1/models/{model}", [&openai](const Request& r) { return openai.model(r); }, "One of them."});
}

}  // namespace kgwalk::server
