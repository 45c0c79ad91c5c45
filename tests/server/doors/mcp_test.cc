// What assistants find through MCP beside the tools.
#include "tests/server/doors/asking.h"

namespace kgwalk::server {
namespace {

using testing::contains;

class McpDoor : public testing::Asking {
 protected:
  Json rpc(const char* method, Json params, Json id = 7) {
    return json(
        "POST", "/mcp",
        {{"jsonrpc", "2.0"}, {"id", std::move(id)}, {"method", method}, {"params", std::move(params)}});
  }
  Json result(const char* method, Json params) { return rpc(method, std::move(params))["result"]; }
};

TEST_F(McpDoor, GivesTheGraphsSummaryAndEachEntityToRead) {
  EXPECT_TRUE(result("initialize", Json::object())["capabilities"].contains("resources"));
  const Json list = result("resources/list", Json::object())["resources"];
  ASSERT_EQ(list.size(), 2U) << "one a model";
  const Json graph = result("resources/read", {{"uri", list[0]["uri"]}})["contents"][0];
  EXPECT_EQ(Json::parse(graph["text"].get<std::string>())["model"], "films");
  EXPECT_EQ(result("resources/templates/list", Json::object())["resourceTemplates"][0]["uriTemplate"],
            "kgwalk://{model}/entity/{name}");
  const Json entity =
      result("resources/read", {{"uri", "kgwalk://books/entity/Heat%20%281995%20Film%29"}})["contents"][0];
  EXPECT_EQ(Json::parse(entity["text"].get<std::string>())["entity"], "Heat (1995 Film)");
  for (const char* none :
       {"kgwalk://films", "kgwalk://films/entity/", "kgwalk://nosuch/graph", "file:///etc/passwd",
        "kgwalk://films/entity/Scarfase", "kgwalk://films/entity/%zz"})
    EXPECT_EQ(rpc("resources/read", {{"uri", none}})["error"]["code"], -32002) << none;
}

TEST_F(McpDoor, HasTwoPromptsThatAreFilledIn) {
  const Json list = result("prompts/list", Json::object())["prompts"];
  ASSERT_EQ(list.size(), 2U);
  const auto get = [&](Json arguments, const char* name) {
    return rpc("prompts/get", {{"name", name}, {"arguments", std::move(arguments)}});
  };
  const Json talk = get({{"start", "Scarface"}, {"goal", "{start}"}}, "lead_the_talk")["result"];
  const std::string text = talk["messages"][0]["content"]["text"].get<std::string>();
  EXPECT_TRUE(contains(text, "from Scarface to {start}, one step"))
      << "what is filled in is not filled in again: " << text;
  EXPECT_EQ(get({{"question", "Who?"}}, "answer_from_graph")["result"]["messages"].size(), 1U);
  EXPECT_EQ(get({{"start", "Scarface"}}, "lead_the_talk")["error"]["code"], -32602);
  EXPECT_EQ(get({{"question", "Who?"}, {"mood", "x"}}, "answer_from_graph")["error"]["code"], -32602);
  EXPECT_EQ(get(Json::object(), "nosuch")["error"]["code"], -32602);
}

TEST_F(McpDoor, RefusesIdsThatAreNoneAndCursorsNobodyGave) {
  for (const Json& id : {Json(nullptr), Json(1.5), Json::array({1})}) {
    const Json answer = rpc("ping", Json::object(), id);
    EXPECT_EQ(answer["error"]["code"], -32600) << id;
    EXPECT_TRUE(answer["id"].is_null());
  }
  EXPECT_EQ(rpc("ping", Json::object(), "a")["id"], "a");
  for (const char* list : {"tools/list", "resources/list", "resources/templates/list", "prompts/list"}) {
    EXPECT_EQ(rpc(list, {{"cursor", "zzz"}})["error"]["code"], -32602) << list;
    EXPECT_TRUE(rpc(list, {{"cursor", nullptr}}).contains("result")) << list;
  }
}

}  // namespace
}  // namespace kgwalk::server
