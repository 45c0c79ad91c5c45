#include "server/doors/openai.h"

#include <ctime>
#include <utility>
#include <vector>

#include "kgwalk/error.h"
#include "kgwalk/retrieve.h"
#include "server/doors/chat_messages.h"
#include "server/http/problem.h"
#include "server/state/session_files.h"
#include "server/state/standing.h"

namespace kgwalk::server {
namespace {

// The name that the request gives, checked.
std::string model_of(const ModelShelf& models, const Json& input) {
  const auto given = input.find("model");
  if (given == input.end() || !given->is_string()) throw Refusal(400, "'model' must be given, as text");
  return models.full_name(given->get_ref<const std::string&>());
}

Json json_of(const Request& request) {
  Json input = request.json();
  if (!input.is_object()) throw Refusal(400, "the body must be a json object");
  return input;
}

Json model_json(const std::string& name) {
  return {{"id", name}, {"object", "model"}, {"created", 0}, {"owned_by", "kgwalk"}};
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
  [[nodiscard]] std::string chunk(Json delta, Json finish) const {
    return event_text("", with("chat.completion.chunk", {{"index", 0},
                                                         {"delta", std::move(delta)},
                                                         {"logprobs", nullptr},
                                                         {"finish_reason", std::move(finish)}}));
  }
  // What stands beside the message of an answer that is not streamed.
  [[nodiscard]] std::string last_chunk(const Json& beside) const {
    Json last =
        with("chat.completion.chunk",
             {{"index", 0}, {"delta", Json::object()}, {"logprobs", nullptr}, {"finish_reason", "stop"}});
    last["kgwalk"] = beside;
    return event_text("", last);
  }
};

Json usage_json(int prompt, int completion) {
  return {
      {"prompt_tokens", prompt}, {"completion_tokens", completion}, {"total_tokens", prompt + completion}};
}

bool flag(const Json& input, const char* name) {
  const auto found = input.find(name);
  return found != input.end() && found->is_boolean() && found->get<bool>();
}

void check_chat(const Json& input) {
  if (const auto n = input.find("n"); n != input.end() && !n->is_null() && *n != 1)
    throw Refusal(400, "'n' must be 1: a conversation goes one way");
}

std::string base64(const std::vector<float>& values) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes =
      reinterpret_cast<const unsigned char*>(values.data());  // little-endian, as the API has it
  const std::size_t size = values.size() * sizeof(float);
  std::string out;
  for (std::size_t i = 0; i < size; i += 3) {
    const unsigned a = bytes[i], b = i + 1 < size ? bytes[i + 1] : 0, c = i + 2 < size ? bytes[i + 2] : 0;
    out += kDigits[a >> 2];
    out += kDigits[(a & 3) << 4 | b >> 4];
    out += i + 1 < size ? kDigits[(b & 15) << 2 | c >> 6] : '=';
    out += i + 2 < size ? kDigits[c & 63] : '=';
  }
  return out;
}

std::vector<std::string> texts_of(const Json& input) {
  const auto given = input.find("input");
  if (given == input.end()) throw Refusal(400, "'input' is missing");
  if (given->is_string()) return {given->get<std::string>()};
  constexpr std::size_t kMost = 2048;
  if (!given->is_array() || given->empty() || given->size() > kMost)
    throw Refusal(400, "'input' must be a text or a list of 1 to 2048 texts");
  std::vector<std::string> texts;
  for (const Json& text : *given) {
    if (!text.is_string()) throw Refusal(400, "'input' must hold texts, not tokens");
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

// What counts of these requests, for the description; clients send more, which is let pass.
Json chat_input() {
  const Json message = {
      {"type", "object"},
      {"properties",
       {{"role", {{"type", "string"}, {"enum", {"system", "developer", "user", "assistant"}}}},
        {"content", {{"description", "Text, or parts of type text."}}}}},
      {"required", {"role", "content"}}};
  return {{"type", "object"},
          {"properties",
           {{"model", {{"type", "string"}}},
            {"messages", {{"type", "array"}, {"items", message}, {"minItems", 1}}},
            {"metadata",
             {{"type", "object"}, {"description", "\"goal\": entity that the conversation is led to."}}},
            {"stream", {{"type", "boolean"}, {"default", false}}}}},
          {"required", {"model", "messages"}}};
}

Json embeddings_input() {
  return {{"type", "object"},
          {"properties",
           {{"model", {{"type", "string"}}},
            {"input", {{"type", {"string", "array"}}, {"items", {{"type", "string"}}}}},
            {"encoding_format", {{"type", "string"}, {"enum", {"float", "base64"}}, {"default", "float"}}}}},
          {"required", {"model", "input"}}};
}

// False where nothing is known, or the graph is another one since.
bool remembers(Conversation& conversation, const std::optional<Json>& state) {
  if (!state) return false;
  try {
    conversation.recall(*state);
    return true;
  } catch (const FormatError&) {
    return false;
  }
}

}  // namespace

OpenAi::Answer OpenAi::answer(const std::string& model, const Json& input) {
  ChatMessages messages = ChatMessages::read(input);
  const auto opened = models_.get(model);
  Conversation conversation = opened->conversation(1);
  if (!remembers(conversation, memory_.find(messages.key_before_last(model)))) {
    for (const std::string& command : messages.commands()) (void)conversation.answer(command);
    for (const std::string& said : messages.earlier()) (void)conversation.answer(said);
  }
  Answer out;
  const Conversation::Reply reply = conversation.answer(messages.last());
  out.text = said(reply);
  out.standing = standing_as_json(conversation.standing());
  out.standing["reply"] = shown(reply);
  memory_.keep(messages.key_with_reply(model, out.text), conversation.memory());
  out.prompt_tokens = messages.tokens();
  out.tokens = estimated_tokens(out.text);
  return out;
}

Response OpenAi::chat(const Request& request) {
  const Json input = json_of(request);
  check_chat(input);
  ChatAnswer completion{.model = model_of(models_, input)};
  const Answer answered = answer(completion.model, input);
  const Json usage = usage_json(answered.prompt_tokens, answered.tokens);
  if (!flag(input, "stream")) {
    const Json message = {{"role", "assistant"}, {"content", answered.text}, {"refusal", nullptr}};
    Json out = completion.with(
        "chat.completion",
        {{"index", 0}, {"message", message}, {"logprobs", nullptr}, {"finish_reason", "stop"}});
    out["usage"] = usage;
    out["kgwalk"] = answered.standing;
    return Response::of(out);
  }
  const bool tell_usage = flag(input.value("stream_options", Json::object()), "include_usage");
  Response response{.type = "text/event-stream"};
  response.stream = [completion, answered, usage, tell_usage](const std::shared_ptr<Sink>& sink) {
    sink->send(completion.chunk({{"role", "assistant"}, {"content", ""}}, nullptr));
    for (const std::string& piece : pieces_of(answered.text))
      sink->send(completion.chunk({{"content", piece}}, nullptr));
    sink->send(completion.last_chunk(answered.standing));
    if (tell_usage) {
      Json last = completion.with("chat.completion.chunk", nullptr);
      last["usage"] = usage;
      sink->send(event_text("", last));
    }
    sink->send("data: [DONE]\n\n");
  };
  return response;
}

Response OpenAi::embeddings(const Request& request) const {
  const Json input = json_of(request);
  const std::string model = model_of(models_, input);
  const std::vector<std::string> texts = texts_of(input);
  const auto opened = models_.get(model);
  const TextEmbedder& embedder = opened->embedder();
  if (const auto width = input.find("dimensions");
      width != input.end() && !width->is_null() && *width != embedder.width())
    throw Refusal(400, "'dimensions' must be " + std::to_string(embedder.width()) + " or left out");
  const bool packed = input.value("encoding_format", Json("float")) == "base64";
  Json data = Json::array();
  std::size_t tokens = 0;
  for (const EmbeddedText& embedded : embedder.embed(texts)) {
    tokens += embedded.tokens;
    data.push_back({{"object", "embedding"},
                    {"index", data.size()},
                    {"embedding", packed ? Json(base64(embedded.vector)) : Json(embedded.vector)}});
  }
  return Response::of({{"object", "list"},
                       {"data", std::move(data)},
                       {"model", model},
                       {"usage", {{"prompt_tokens", tokens}, {"total_tokens", tokens}}}});
}

Response OpenAi::list_models() const {
  Json data = Json::array();
  for (const std::string& name : models_.names()) data.push_back(model_json(name));
  return Response::of({{"object", "list"}, {"data", std::move(data)}});
}

Response OpenAi::model(const Request& request) const {
  return Response::of(model_json(models_.full_name(request.parts.at("model"))));
}

void add_openai(Router& router, OpenAi& openai) {
  router.add({"POST", "/v1/chat/completions", [&openai](const Request& r) { return openai.chat(r); },
              "OpenAI's chat completions: each user message is a turn of a conversation.", chat_input()});
  router.add({"POST", "/v1/embeddings", [&openai](const Request& r) { return openai.embeddings(r); },
              "OpenAI's embeddings, by the text encoder of the model.", embeddings_input()});
  router.add({"GET", "/v1/models", [&openai](const Request&) { return openai.list_models(); },
              "The models that are served."});
  router.add(
      {"GET", "/v1/models/{model}", [&openai](const Request& r) { return openai.model(r); }, "One of them."});
}

}  // namespace kgwalk::server
