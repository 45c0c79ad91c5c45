// OpenAI's responses.
#include "tests/server/doors/asking.h"

namespace kgwalk::server {
namespace {

using testing::contains;

constexpr const char* kPath = "/v1/responses";

class ResponsesDoor : public testing::Asking {
 protected:
  static std::string text_of(const Json& response) {
    return response["output"][0]["content"][0]["text"].get<std::string>();
  }
};

TEST_F(ResponsesDoor, AnswerATextAndAListOfItemsAlike) {
  const Json plain = json("POST", kPath, {{"input", "I saw Scarface"}});
  EXPECT_EQ(plain["object"], "response");
  EXPECT_EQ(plain["status"], "completed");
  EXPECT_EQ(plain["model"], "films");
  EXPECT_EQ(plain["output"][0]["role"], "assistant");
  EXPECT_EQ(plain["kgwalk"]["said"], text_of(plain));
  EXPECT_EQ(plain["usage"]["total_tokens"],
            plain["usage"]["input_tokens"].get<int>() + plain["usage"]["output_tokens"].get<int>());
  const Json items = json("POST", kPath, Json::parse(R"({"model": "films", "input": [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "I saw "}, {"type": "input_text", "text": "Scarface"}]},
    {"type": "reasoning", "id": "r"}]})"));
  EXPECT_EQ(text_of(items), text_of(plain));
}

TEST_F(ResponsesDoor, GoOnFromTheOneBefore) {
  Json response = json(
      "POST", kPath,
      {{"input", "And then?"}, {"instructions", "/from Taxi Driver"}, {"metadata", {{"goal", "Crime"}}}});
  EXPECT_EQ(response["kgwalk"]["distance"], 4) << response;
  response = json("POST", kPath,
                  {{"input", "And then?"},
                   {"instructions", "/from Taxi Driver"},
                   {"metadata", {{"goal", "Crime"}}},
                   {"previous_response_id", response["id"]}});
  EXPECT_EQ(response["kgwalk"]["distance"], 3) << "the instructions are the same and are not followed again";
  const Json aside = json("POST", kPath, {{"input", "And then?"}, {"previous_response_id", response["id"]}});
  EXPECT_EQ(aside["kgwalk"]["distance"], 2);
  const Json again = json("POST", kPath, {{"input", "And then?"}, {"previous_response_id", response["id"]}});
  EXPECT_EQ(text_of(again), text_of(aside)) << "each response may be gone on from more than once";
  const Json other = json(
      "POST", kPath, {{"model", "books"}, {"input", "And then?"}, {"previous_response_id", response["id"]}});
  EXPECT_EQ(text_of(other), text_of(aside)) << "another model hears it all anew";
}

TEST_F(ResponsesDoor, AreKeptUntilTheyAreDeleted) {
  const Json response = json("POST", kPath, {{"input", "I saw Scarface"}});
  const std::string one = std::string(kPath) + "/" + response["id"].get<std::string>();
  EXPECT_EQ(json("GET", one), response);
  const Json item = {{"type", "item_reference"}, {"id", response["output"][0]["id"]}};
  const Json on = {{"input", Json::array({{{"role", "user"}, {"content", "I saw Scarface"}},
                                          item,
                                          {{"role", "user"}, {"content", "And then?"}}})}};
  EXPECT_EQ(ask("POST", kPath, on).status, 200);
  EXPECT_EQ(json("DELETE", one)["deleted"], true);
  EXPECT_EQ(ask("GET", one).status, 404);
  EXPECT_EQ(ask("DELETE", one).status, 404);
  EXPECT_EQ(fault(kPath, on), "404 input[1] not_found");
  EXPECT_EQ(fault(kPath, {{"input", "x"}, {"previous_response_id", response["id"]}}),
            "404 previous_response_id response_not_found");
  const Json unkept = json("POST", kPath, {{"input", "I saw Scarface"}, {"store", false}});
  EXPECT_EQ(ask("GET", std::string(kPath) + "/" + unkept["id"].get<std::string>()).status, 404);
}

TEST_F(ResponsesDoor, StreamTheEventsThatClientsCount) {
  const std::vector<Json> all = events(ask("POST", kPath, {{"input", "I saw Scarface"}, {"stream", true}}));
  std::string types, text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i]["sequence_number"], i);
    const std::string type = all[i]["type"].get<std::string>();
    if (type == "response.output_text.delta") text += all[i]["delta"].get<std::string>();
    if (type != "response.output_text.delta" || !contains(types, type)) types += type + " ";
  }
  EXPECT_EQ(types,
            "response.created response.in_progress response.output_item.added response.content_part.added "
            "response.output_text.delta response.output_text.done response.content_part.done "
            "response.output_item.done response.completed ");
  EXPECT_EQ(all.front()["response"]["status"], "in_progress");
  EXPECT_EQ(text_of(all.back()["response"]), text);
}

TEST_F(ResponsesDoor, HonorOrRefuseEveryField) {
  const auto refused = [this](const char* more) {
    Json body = {{"input", "I saw Scarface"}};
    body.update(Json::parse(more));
    return fault(kPath, body);
  };
  EXPECT_EQ(refused(R"({"tools": [{"type": "web_search"}]})"), "400 tools unsupported_parameter");
  EXPECT_EQ(refused(R"({"background": true})"), "400 background unsupported_parameter");
  EXPECT_EQ(refused(R"({"conversation": "conv_1"})"), "400 conversation unsupported_parameter");
  EXPECT_EQ(refused(R"({"include": ["file_search_call.results"]})"), "400 include unsupported_parameter");
  EXPECT_EQ(refused(R"({"max_tokens": 5})"), "400 max_tokens unknown_parameter");
  EXPECT_EQ(refused(R"({"text": {"verbosity": "high"}})"), "400 text.verbosity unsupported_parameter");
  EXPECT_EQ(refused(R"({"input": []})"), "400 input missing_required_parameter");
  EXPECT_EQ(refused(R"({"input": [{"type": "input_image"}]})"), "400 input[0] unsupported_value");
  EXPECT_EQ(refused(R"({"input": [{"role": "user", "content": [{"type": "input_file"}]}]})"),
            "400 input[0].content[0] unsupported_value");
  const Json cut = json("POST", kPath, {{"input", "I saw Scarface"}, {"max_output_tokens", 1}});
  EXPECT_EQ(cut["status"], "incomplete");
  EXPECT_EQ(cut["incomplete_details"]["reason"], "max_output_tokens");
  const Json shaped =
      json("POST", kPath, Json::parse(R"({"input": "I saw Scarface", "include": [], "truncation": "auto",
    "reasoning": {"effort": "low"}, "text": {"format": {"type": "json_schema", "name": "a", "strict": true, "schema":
      {"type": "object", "properties": {"start": {"type": "string"}}, "required": ["start"], "additionalProperties": false}}}})"));
  EXPECT_EQ(Json::parse(text_of(shaped)), (Json{{"start", "Scarface"}}));
}

}  // namespace
}  // namespace kgwalk::server
