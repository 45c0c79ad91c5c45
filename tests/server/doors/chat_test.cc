// Every field of a chat completion is honored, taken where it can change nothing, or refused by name.
#include "server/doors/chat_fields.h"
#include "server/doors/shaped_answer.h"
#include "server/http/problem.h"
#include "tests/server/doors/asking.h"

namespace kgwalk::server {
namespace {

using testing::contains;

constexpr const char* kChat = "/v1/chat/completions";

class Chats : public testing::Asking {
 protected:
  static Json chat(const Json& more = Json::object()) {
    Json body = {{"messages", Json::parse(R"([{"role": "user", "content": "I saw Scarface"}])")}};
    body.update(more);
    return body;
  }
  Json answered(const Json& more = Json::object()) {
    const Json answer = json("POST", kChat, chat(more));
    EXPECT_TRUE(answer.contains("choices")) << answer;
    return answer;
  }
  std::string content(const Json& more = Json::object()) {
    return answered(more)["choices"][0]["message"]["content"].get<std::string>();
  }
  std::string refused(const char* more) { return fault(kChat, chat(Json::parse(more))); }
  static Json schema(const char* properties, const char* required) {
    return {{"response_format",
             {{"type", "json_schema"},
              {"json_schema",
               {{"name", "a"},
                {"schema",
                 {{"type", "object"},
                  {"properties", Json::parse(properties)},
                  {"required", Json::parse(required)},
                  {"additionalProperties", false}}}}}}}};
  }
};

TEST_F(Chats, TakeTheFirstModelWhereNoneIsNamed) {
  EXPECT_EQ(answered()["model"], "films");
  EXPECT_EQ(answered({{"model", nullptr}})["model"], "films");
  EXPECT_EQ(refused(R"({"model": 5})"), "400 model invalid_type");
  EXPECT_EQ(refused(R"({"model": "gpt"})"), "404 model model_not_found");
}

TEST_F(Chats, AreCutAtStopsAndTokens) {
  const std::string whole = content();
  const std::size_t second = whole.find(' ') + 1;
  EXPECT_EQ(content({{"stop", whole.substr(second, 4)}}), whole.substr(0, second));
  EXPECT_EQ(content({{"stop", {"no such text", whole.substr(second, 4)}}}), whole.substr(0, second));
  EXPECT_EQ(content({{"stop", nullptr}}), whole);
  const Json cut = answered({{"max_tokens", 2}});
  EXPECT_EQ(cut["choices"][0]["finish_reason"], "length");
  EXPECT_EQ(cut["usage"]["completion_tokens"], 2);
  EXPECT_TRUE(whole.starts_with(cut["choices"][0]["message"]["content"].get<std::string>()));
  EXPECT_EQ(answered({{"max_completion_tokens", 1}, {"max_tokens", 9}})["usage"]["completion_tokens"], 1);
  EXPECT_EQ(answered({{"max_tokens", 100000}})["choices"][0]["finish_reason"], "stop");
  EXPECT_EQ(refused(R"({"max_tokens": 0})"), "400 max_tokens invalid_value");
  EXPECT_EQ(refused(R"({"stop": ["a", "b", "c", "d", "e"]})"), "400 stop invalid_value");
}

TEST(Tokens, AreCutInWholeCharacters) {
  EXPECT_EQ(within_tokens("films", 1), "film");
  EXPECT_EQ(within_tokens("a | b", 2), "a | ");
  EXPECT_EQ(within_tokens("東京都", 1), "東");
  EXPECT_EQ(within_tokens("", 1), "");
}

TEST_F(Chats, RefuseWhatTheyCannotHonor) {
  EXPECT_EQ(refused(R"({"n": 2})"), "400 n unsupported_parameter");
  EXPECT_EQ(refused(R"({"logprobs": true})"), "400 logprobs unsupported_parameter");
  EXPECT_EQ(refused(R"({"top_logprobs": 2})"), "400 top_logprobs unsupported_parameter");
  EXPECT_EQ(refused(R"({"logit_bias": {"5": 1}})"), "400 logit_bias unsupported_parameter");
  EXPECT_EQ(refused(R"({"tools": [{"type": "function"}]})"), "400 tools unsupported_parameter");
  EXPECT_EQ(refused(R"({"tool_choice": "required"})"), "400 tool_choice unsupported_parameter");
  EXPECT_EQ(refused(R"({"modalities": ["text", "audio"]})"), "400 modalities unsupported_parameter");
  EXPECT_EQ(refused(R"({"temperature": "hot"})"), "400 temperature invalid_value");
  EXPECT_EQ(refused(R"({"temperature": 9})"), "400 temperature invalid_value");
  EXPECT_EQ(refused(R"({"top_p": 2})"), "400 top_p invalid_value");
  EXPECT_EQ(refused(R"({"stream": "yes"})"), "400 stream invalid_value");
  EXPECT_EQ(refused(R"({"stream_options": {"include_usage": true}})"), "400 stream_options invalid_value");
  EXPECT_EQ(refused(R"({"metadata": {"goal": 5}})"), "400 metadata.goal invalid_type");
  EXPECT_EQ(refused(R"({"top_k": 5})"), "400 top_k unknown_parameter");
  EXPECT_EQ(refused(R"({"response_format": {"type": "xml"}})"), "400 response_format.type invalid_value");
}

TEST_F(Chats, TakeWhatCannotMatter) {
  const std::string plain = content();
  EXPECT_EQ(
      content(Json::parse(
          R"({"temperature": 0.7, "top_p": 0.9, "seed": -3, "n": 1, "logprobs": false, "tools": [], "user": "u",
                    "store": false, "reasoning_effort": "low", "presence_penalty": 0, "logit_bias": {},
                    "parallel_tool_calls": true, "tool_choice": "auto", "modalities": ["text"]})")),
      plain);
  EXPECT_EQ(content(Json::parse(R"({"tools": [{"type": "function"}], "tool_choice": "none"})")), plain);
}

TEST_F(Chats, ReadMessagesOfToolsAndRefusalsAndNameThePartAtFault) {
  const auto all = [](const char* messages) { return Json{{"messages", Json::parse(messages)}}; };
  EXPECT_EQ(ask("POST", kChat, all(R"([{"role": "user", "content": "I saw Scarface"},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "c"}]},
    {"role": "tool", "tool_call_id": "c", "content": "42"}, {"role": "assistant", "refusal": "No.", "content": null},
    {"role": "user", "content": "And then?"}])"))
                .status,
            200);
  EXPECT_EQ(fault(kChat, all(R"([{"role": "user", "content": null}])")),
            "400 messages[0].content missing_required_parameter");
  EXPECT_EQ(fault(kChat, all(R"([{"role": "user", "content": [{"type": "image_url"}]}])")),
            "400 messages[0].content[0] unsupported_value");
  EXPECT_EQ(fault(kChat, all(R"([{"role": "wizard", "content": "x"}])")),
            "400 messages[0].role invalid_value");
  EXPECT_EQ(fault(kChat, all(R"([{"role": "user", "content": " "}])")), "400 messages invalid_value");
}

TEST_F(Chats, GiveAnObjectWhereOneIsAskedFor) {
  const Json plain = Json::parse(content(Json::parse(R"({"response_format": {"type": "json_object"}})")));
  EXPECT_EQ(plain["kind"], "path");
  EXPECT_EQ(plain["entities"].size(), 1U);
  EXPECT_EQ(plain["facts"][0]["head"], "Scarface");
  EXPECT_TRUE(contains(plain["answer"].get<std::string>(), plain["entities"][0].get<std::string>()));
}

TEST_F(Chats, FillASchemaFromThePartsOfTheAnswer) {
  const Json object = Json::parse(content(schema(
      R"({"answer": {"type": "string"}, "name": {"type": ["string", "null"]}, "entities": {"type": "array", "items": {"type": "string"}},
          "facts": {"type": "array", "items": {"type": "object", "properties": {"subject": {"type": "string"}, "object": {"type": "string"}},
                    "required": ["subject", "object"]}},
          "hasGenre": {"type": "string"}, "starredActors": {"anyOf": [{"type": "null"}, {"type": "string"}]}, "truth": {"type": ["boolean", "null"]},
          "kind": {"enum": ["one", "path"]}, "inner": {"type": "object", "properties": {"start": {"type": "string"}}, "required": ["start"]},
          "mood": {"type": "string"}})",
      R"(["answer", "name", "entities", "facts", "hasGenre", "starredActors", "truth", "kind", "inner"])")));
  EXPECT_EQ(object["entities"], Json::array({object["name"]}));
  EXPECT_EQ(object["facts"], Json::parse(R"([{"subject": "Scarface", "object": "Gangster film"}])"))
      << "there and back is one fact";
  EXPECT_TRUE(object["starredActors"].is_null()) << "no fact of this relation was walked";
  EXPECT_EQ(object["hasGenre"], "Gangster film");
  EXPECT_TRUE(object["truth"].is_null());
  EXPECT_EQ(object["kind"], "path");
  EXPECT_EQ(object["inner"]["start"], "Scarface");
  EXPECT_FALSE(object.contains("mood")) << "nobody requires it, and no part is called so";
}

TEST_F(Chats, RefuseASchemaThatNoPartFillsAndSayWhatThisAnswerLacks) {
  EXPECT_EQ(fault(kChat, chat(schema(R"({"mood": {"type": "string"}})", R"(["mood"])"))),
            "400 response_format unsupported_value");
  EXPECT_EQ(fault(kChat, chat(schema(R"({"name": {"type": "string", "pattern": "a"}})", R"(["name"])"))),
            "400 response_format invalid_json_schema");
  EXPECT_EQ(fault(kChat, chat(schema(R"({"a": {"$ref": "#/nowhere"}})", R"(["a"])"))),
            "400 response_format invalid_json_schema");
  EXPECT_EQ(fault(kChat, chat(schema(R"({"answer": {"$ref": "#"}})", R"(["answer"])"))),
            "400 response_format invalid_json_schema");
  EXPECT_EQ(fault(kChat, chat(schema(R"({"answer": {"$ref": "#/~9"}})", R"(["answer"])"))),
            "400 response_format invalid_json_schema");
  const Json answer = answered(schema(R"({"truth": {"type": "boolean"}})", R"(["truth"])"));
  const Json& message = answer["choices"][0]["message"];
  EXPECT_TRUE(message["content"].is_null());
  EXPECT_TRUE(contains(message["refusal"].get<std::string>(), "nothing for 'truth'")) << message;
}

TEST_F(Chats, StreamWhatTheyGiveWhole) {
  const Json wish = schema(R"({"name": {"type": "string"}})", R"(["name"])");
  Json with_stream = wish;
  with_stream["stream"] = true;
  std::string text;
  for (const Json& chunk : events(ask("POST", kChat, chat(with_stream))))
    text += chunk["choices"][0]["delta"].value("content", "");
  EXPECT_EQ(text, content(wish));
}

TEST_F(Chats, TellWhenAModelWasMade) {
  EXPECT_EQ(json("GET", "/v1/models/films")["created"], 0) << "it has no run";
  EXPECT_EQ(json("GET", "/v1/models/nosuch")["error"]["code"], "model_not_found");
}

TEST_F(Chats, EmbeddingsRefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(fault("/v1/embeddings", {{"input", "x"}, {"encoding_format", "base32"}}), "404 - not_found")
      << "this model has no text encoder, which comes first";
  EXPECT_EQ(fault("/v1/embeddings", {{"input", "x"}, {"truncate", true}}), "400 truncate unknown_parameter");
  EXPECT_EQ(fault("/v1/embeddings", Json::object()), "400 input invalid_value");
}

}  // namespace
}  // namespace kgwalk::server
