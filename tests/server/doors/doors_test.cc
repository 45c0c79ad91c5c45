// The doors as clients meet them, without a socket.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "server/doors/answers.h"
#include "server/doors/chat_messages.h"
#include "server/doors/operations.h"
#include "server/schema.h"
#include "server/service/service.h"
#include "tests/server/served_world.h"
#include "tests/without_times.h"

namespace kgwalk::server {
namespace {

using kgwalk::test::without_times;

using testing::contains;
using testing::request;
using testing::streamed;

class Doors : public ::testing::Test {
 protected:
  Response ask(const std::string& method, const std::string& target, const Json& body = nullptr,
               const char* accept = "") {
    Request r = request(method, target, body);
    r.headers["accept"] = accept;
    if (auto at_once = service_.at_once(r)) return *at_once;
    return service_.answer(r);
  }
  Json json(const std::string& method, const std::string& target, const Json& body = nullptr) {
    return Json::parse(ask(method, target, body).body);
  }
  // Every property is named in the schema, and none is missing.
  static void expect_fits(const Json& schema, const Json& answer) {
    try {
      (void)fitted(schema, answer, "the answer");
    } catch (const ConfigError& error) {
      ADD_FAILURE()
          << error.what()
          << "\nmend server/doors/answers.cc, then kgwalk serve --openapi > docs/reference/openapi.json";
    }
  }
  Service service_{testing::sources({"films", "books"}), {.version = KGWALK_VERSION}, testing::talk_model};
};

TEST_F(Doors, EveryOperationAnswersItsSmallestInput) {
  const std::map<std::string, Json> inputs{
      {"search", {{"text", "sca"}}},
      {"neighborhood", {{"entity", "Scarface"}}},
      {"distance", {{"from", "Scarface"}, {"to", "Crime"}}},
      {"fact", {{"head", "Crime"}, {"relation", "~has_genre"}, {"tail", "Collateral"}}},
      {"stats", Json::object()},
      {"introduction", Json::object()},
      {"relations", Json::object()},
      {"ask", {{"question", "I like Scarface"}}},
      {"plan", {{"start", "Scarface"}}},
      {"explain", {{"start", "Scarface"}, {"goal", "Crime"}}},
      {"lead", {{"start", "Scarface"}, {"goal", "Crime"}}},
      {"connect", Json::parse(R"({"entities": ["Scarface", "Crime"]})")},
      {"query", Json::parse(R"({"form": {"find": {"step": "~has_genre", "from": "Crime"}}})")},
      {"retrieve", {{"question", "Who is Michael Mann?"}}}};
  for (const Operation& operation : operations()) {
    if (operation.name == "complete") continue;        // needs tables; tests/planner/queries
    if (operation.name.starts_with("edit")) continue;  // needs a database; edits_test.cc
    const std::string path = "/api/v1/" + std::string(operation.name);
    const Response answer = ask("POST", path, inputs.at(std::string(operation.name)));
    EXPECT_EQ(answer.status, 200) << operation.name << answer.body;
    expect_fits(operation.output(), Json::parse(answer.body));
    const Response unknown = ask("POST", path, {{"modle", "films"}});
    EXPECT_EQ(unknown.status, 400);
    EXPECT_TRUE(contains(unknown.body, "did you mean 'model'?")) << unknown.body;
  }
  EXPECT_EQ(ask("POST", "/api/v1/complete", {{"head", "Scarface"}, {"relation", "has_genre"}}).status, 404);
}

TEST_F(Doors, AnswersSayWhatTheLibrarySays) {
  EXPECT_EQ(json("GET", "/api/v1/search?text=sca&count=1")["entities"][0],
            Json::parse(R"({"entity": "Scarface", "edges": 2, "kind": "work", "fit": "begins"})"));
  const Json distance = json("GET", "/api/v1/distance?from=Scarface&to=Crime");
  EXPECT_EQ(distance["distance"], distance["path"].size());
  EXPECT_TRUE(json("GET", "/api/v1/distance?from=Scarface&to=Mars")["distance"].is_null());
  const Json fact = json("GET", "/api/v1/fact?head=crime&relation=~has_genre&tail=collateral");
  EXPECT_EQ(fact["head"], "Collateral");
  EXPECT_EQ(fact["relation"], "has_genre");
  EXPECT_TRUE(fact["known"]);
  EXPECT_FALSE(json("GET", "/api/v1/fact?head=Scarface&relation=has_genre&tail=Mars")["known"]);
  const Json explained =
      json("POST", "/api/v1/explain", {{"start", "taxi driver"}, {"goal", "crime"}, {"k", 1}});
  EXPECT_EQ(explained["start"], "Taxi Driver");
  EXPECT_EQ(explained["start_to_goal"], 5);
  EXPECT_EQ(explained["branches"][0]["num_candidates"], 1);
  EXPECT_TRUE(json("POST", "/api/v1/lead", {{"start", "Taxi Driver"}, {"goal", "Crime"}})["reached"]);
  const Response wrong = ask("POST", "/api/v1/plan", {{"start", "Scarfase"}});
  EXPECT_EQ(wrong.type, "application/problem+json");
  EXPECT_TRUE(contains(wrong.body, "did you mean 'Scarface'")) << wrong.body;
}

TEST_F(Doors, ABatchGivesEachItsOwnStatus) {
  const Json results = json("POST", "/api/v1/batch", Json::parse(R"({"requests": [
    {"operation": "distance", "input": {"from": "Scarface", "to": "Al Pacino"}},
    {"operation": "plan", "input": {"start": "Nobody"}}, {"operation": "fly"}]})"))["results"];
  EXPECT_EQ(results[0]["output"]["distance"], 1);
  EXPECT_EQ(results[1]["status"], 400);
  EXPECT_EQ(results[2]["status"], 404);
  expect_fits(batch_answer(), {{"results", results}});
}

TEST_F(Doors, AConversationStreamsTheTurnThatItGives) {
  const Response created = ask("POST", "/api/v1/sessions", {{"from", "Taxi Driver"}, {"goal", "Crime"}});
  EXPECT_EQ(created.status, 201);
  const Json session = Json::parse(created.body);
  EXPECT_EQ(session["distance"], 5);
  expect_fits(session_answer(), session);
  const std::string turns = "/api/v1/sessions/" + session["id"].get<std::string>() + "/turns";
  const std::string events = streamed(ask("POST", turns, {{"say", "And then?"}}, "text/event-stream"));
  EXPECT_TRUE(events.starts_with("event: say\ndata: {\"text\":\"And then?\"}\n\nevent: reply\n")) << events;
  const std::size_t last = events.rfind("event: turn\ndata: ");
  ASSERT_NE(last, std::string::npos);
  const Json turn = Json::parse(events.substr(last + 18));
  EXPECT_EQ(turn["distance"], 4);
  expect_fits(turn_answer(), turn);
  EXPECT_TRUE(contains(turn["reply"].get<std::string>(), turn["said"].get<std::string>())) << turn;
  const std::string one = "/api/v1/sessions/" + session["id"].get<std::string>();
  expect_fits(session_answer(), json("GET", one));
  expect_fits(transcript_answer(), json("GET", one + "/transcript"));
  EXPECT_EQ(ask("POST", turns, {{"say", "x"}, {"undo", true}}, "text/event-stream").status, 400);
  EXPECT_EQ(
      ask("POST", "/api/v1/sessions/" + std::string(32, '0') + "/turns", {{"say", "x"}}, "text/event-stream")
          .status,
      404);
  EXPECT_EQ(ask("DELETE", "/api/v1/sessions/" + session["id"].get<std::string>()).status, 204);
}

TEST_F(Doors, AConversationIsTakenBackToATurn) {
  const std::string one =
      "/api/v1/sessions/" +
      json("POST", "/api/v1/sessions", {{"from", "Taxi Driver"}})["id"].get<std::string>();
  (void)json("POST", one + "/turns", {{"goal", "Crime"}});
  const Json back = json("POST", one + "/rewind", {{"turns", 1}});
  expect_fits(session_answer(), back);
  EXPECT_EQ(back["goal"], nullptr);
  EXPECT_EQ(ask("POST", one + "/rewind", {{"turns", -1}}).status, 400);
}

TEST_F(Doors, NamesTheModelsWithoutLoadingThem) {
  const Json models = json("GET", "/api/v1/models");
  expect_fits(models_answer(), models);
  EXPECT_EQ(models["models"][1]["model"], "books");
}

TEST_F(Doors, AStatelessTurnGoesOnFromTheStateItGave) {
  Json turn = json("POST", "/api/v1/turn", {{"from", "Taxi Driver"}});
  turn = json("POST", "/api/v1/turn", {{"goal", "Crime"}, {"state", turn["state"]}});
  EXPECT_EQ(turn["distance"], 5);
  const Json next = json("POST", "/api/v1/turn", {{"say", "And then?"}, {"state", turn["state"]}});
  EXPECT_EQ(next["distance"], 4);
  expect_fits(stateless_turn_answer(), next);
  EXPECT_EQ(without_times(next),
            without_times(json("POST", "/api/v1/turn", {{"say", "And then?"}, {"state", turn["state"]}})));
  turn["state"]["graph"] = "another";
  EXPECT_EQ(ask("POST", "/api/v1/turn", {{"say", "x"}, {"state", turn["state"]}}).status, 400);
}

TEST_F(Doors, AChatHoldsAConversationToAGoal) {
  Json messages = Json::parse(R"([{"role": "system", "content": "/from Taxi Driver"}])");
  std::string reply, trace;
  for (int turn = 0; turn < 5; ++turn) {
    messages.push_back({{"role", "user"}, {"content", "And then? " + std::to_string(turn)}});
    const Json answer = json("POST", "/v1/chat/completions",
                             {{"model", "films"},
                              {"messages", messages},
                              {"metadata", {{"goal", "Crime"}}},
                              {"temperature", 0.5}});
    ASSERT_TRUE(answer.contains("choices")) << answer;
    reply = answer["choices"][0]["message"]["content"];
    EXPECT_FALSE(reply.starts_with("assistant: ")) << "the role says it";
    trace = answer["kgwalk"]["reply"];
    EXPECT_TRUE(contains(trace, reply)) << trace;
    EXPECT_TRUE(answer["kgwalk"]["plan"].contains("paths"));
    EXPECT_EQ(answer["usage"]["total_tokens"],
              answer["usage"]["prompt_tokens"].get<int>() + answer["usage"]["completion_tokens"].get<int>());
    messages.push_back({{"role", "assistant"}, {"content", reply}});
  }
  EXPECT_TRUE(contains(trace, "-> Crime: the goal is reached, 5 hops walked.")) << trace;
}

TEST_F(Doors, AChatIsTheSameWhetherItIsRememberedOrFollowedAnew) {
  const Json messages = Json::parse(
      R"([{"role": "user", "content": "/from Taxi Driver"}, {"role": "assistant", "content": "edited by the client"},
    {"role": "user", "content": [{"type": "text", "text": "And then?"}]}])");
  const auto reply = [&](const Json& all) {
    return json("POST", "/v1/chat/completions",
                {{"model", "films"}, {"messages", all}})["choices"][0]["message"]["content"]
        .get<std::string>();
  };
  const std::string anew = reply(messages);
  EXPECT_TRUE(contains(anew, "Robert De Niro")) << anew;
  Json true_messages = messages;
  true_messages[1]["content"] = reply(Json(messages.begin(), messages.begin() + 1));
  EXPECT_EQ(reply(true_messages), anew);
}

TEST_F(Doors, AStreamedChatEndsAsClientsExpect) {
  const Json asked =
      Json::parse(R"({"model": "films", "stream": true, "stream_options": {"include_usage": true},
    "messages": [{"role": "user", "content": "I saw Scarface"}]})");
  const std::string events = streamed(ask("POST", "/v1/chat/completions", asked));
  EXPECT_TRUE(events.ends_with("data: [DONE]\n\n"));
  std::string text, finish;
  std::size_t usages = 0;
  for (std::size_t at = 0; (at = events.find("data: {", at)) != std::string::npos; ++at) {
    const Json chunk = Json::parse(events.substr(at + 6, events.find('\n', at) - at - 6));
    EXPECT_EQ(chunk["object"], "chat.completion.chunk");
    usages += chunk.contains("usage") ? 1 : 0;
    for (const Json& choice : chunk["choices"]) {
      text += choice["delta"].value("content", "");
      if (!choice["finish_reason"].is_null()) finish = choice["finish_reason"];
    }
  }
  EXPECT_EQ(finish, "stop");
  EXPECT_EQ(usages, 1U);
  Json whole = asked;
  whole.erase("stream");
  whole.erase("stream_options");
  EXPECT_EQ(text, json("POST", "/v1/chat/completions", whole)["choices"][0]["message"]["content"]);
}

TEST_F(Doors, OpenAiErrorsHaveItsShape) {
  const auto message = [&](const char* body) {
    const Response answer = ask("POST", "/v1/chat/completions", Json::parse(body));
    EXPECT_GE(answer.status, 400) << body;
    return Json::parse(answer.body)["error"]["message"].get<std::string>();
  };
  EXPECT_TRUE(contains(message(R"({"model": "gpt", "messages": [{"role": "user", "content": "x"}]})"),
                       "there are: films, books"));
  EXPECT_TRUE(contains(message(R"({"model": "films", "messages": []})"), "at least one message"));
  EXPECT_TRUE(contains(message(R"({"model": "films", "messages": [{"role": "assistant", "content": "x"}]})"),
                       "must be the user's"));
  EXPECT_TRUE(
      contains(message(R"({"model": "films", "messages": [{"role": "robot", "content": "x"}]})"), "robot"));
  EXPECT_EQ(ask("GET", "/v1/nothing").status, 404);
  EXPECT_TRUE(json("GET", "/v1/nothing").contains("error"));
  EXPECT_EQ(json("GET", "/v1/models")["data"].size(), 2U);
  EXPECT_EQ(json("GET", "/v1/models/books")["id"], "books");
  EXPECT_EQ(ask("POST", "/v1/embeddings", {{"model", "films"}, {"input", "x"}}).status,
            404);  // no text encoder
}

TEST(ChatPieces, AreTheText) {
  const std::string text = "  a b\n\nc ";
  std::string joined;
  for (const std::string& piece : pieces_of(text)) joined += piece;
  EXPECT_EQ(joined, text);
}

TEST_F(Doors, McpListsAndCallsEveryTool) {
  const auto rpc = [&](const char* method, Json params) {
    return json("POST", "/mcp",
                {{"jsonrpc", "2.0"}, {"id", 7}, {"method", method}, {"params", std::move(params)}});
  };
  const Json begun = rpc("initialize", {{"protocolVersion", "2025-06-18"}, {"capabilities", Json::object()}});
  EXPECT_EQ(begun["id"], 7);
  EXPECT_EQ(begun["result"]["protocolVersion"], "2025-06-18");
  EXPECT_EQ(rpc("initialize", {{"protocolVersion", "1999-01-01"}})["result"]["protocolVersion"],
            "2025-11-25");
  std::set<std::string> names;
  const Json tools = rpc("tools/list", Json::object())["result"]["tools"];
  for (const Json& tool : tools) {
    names.insert(tool["name"].get<std::string>());
    EXPECT_EQ(tool["inputSchema"]["type"], "object");
    EXPECT_EQ(tool["outputSchema"]["type"], "object");
  }
  for (const char* wanted :
       {"search", "neighborhood", "ask", "plan", "connect", "complete", "retrieve", "explain"})
    EXPECT_TRUE(names.count(wanted)) << wanted;
  const Json called =
      rpc("tools/call",
          {{"name", "distance"}, {"arguments", {{"from", "Scarface"}, {"to", "Al Pacino"}}}})["result"];
  EXPECT_EQ(called["structuredContent"]["distance"], 1);
  EXPECT_EQ(Json::parse(called["content"][0]["text"].get<std::string>()), called["structuredContent"]);
  EXPECT_FALSE(called["isError"]);
}

TEST_F(Doors, McpTellsErrorsOfToolsFromErrorsOfTheProtocol) {
  const auto answer = [&](const char* text) {
    Request r = request("POST", "/mcp");
    r.body = text;
    return service_.answer(r);
  };
  const auto code = [&](const char* text) {
    return Json::parse(answer(text).body)["error"]["code"].get<int>();
  };
  EXPECT_EQ(code("{"), -32700);
  EXPECT_EQ(code("[]"), -32600);
  EXPECT_EQ(code(R"({"id": 1, "method": "ping"})"), -32600);
  EXPECT_EQ(code(R"({"jsonrpc": "2.0", "id": 1, "method": "fly"})"), -32601);
  EXPECT_EQ(code(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "fly"}})"),
            -32602);
  const Json failed = Json::parse(
      answer(
          R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "plan", "arguments": {"start": "Scarfase"}}})")
          .body);
  EXPECT_TRUE(failed["result"]["isError"]);
  EXPECT_TRUE(contains(failed["result"]["content"][0]["text"].get<std::string>(), "did you mean 'Scarface'"));
  EXPECT_EQ(answer(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})").status, 202);
  EXPECT_EQ(
      Json::parse(
          answer(R"([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "method": "x"}])")
              .body)
          .size(),
      1U);
  EXPECT_EQ(ask("GET", "/mcp").status, 405);
}

TEST_F(Doors, SignsOfLifeAndPageNeedNoWorker) {
  Request r = request("GET", "/readyz");
  EXPECT_EQ(service_.at_once(r)->status, 503);
  service_.warm_up();
  for (const char* path : {"/livez", "/readyz", "/health", "/metrics", "/", "/app.js"}) {
    r = request("GET", path);
    EXPECT_EQ(service_.at_once(r)->status, 200) << path;
  }
  EXPECT_TRUE(contains(ask("GET", "/metrics").body, "# TYPE kgwalk_request_seconds histogram"));
  const Response page = ask("GET", "/");
  r = request("GET", "/");
  for (const auto& [name, value] : page.headers)
    if (name == "ETag") r.headers["if-none-match"] = value;
  EXPECT_EQ(service_.at_once(r)->status, 304);
}

TEST_F(Doors, AForeignHostIsRefusedOnEveryPath) {
  for (const char* path : {"/", "/livez", "/metrics", "/mcp", "/v1/models", "/api/v1/stats", "/nothing"}) {
    Request r = request("GET", path);
    r.headers["host"] = "evil.example";
    EXPECT_EQ(service_.at_once(r)->status, 403) << path;
  }
}

TEST(Service, AnswersBelowItsPrefixAndWithoutIt) {
  Service service(testing::sources({"films"}), {.prefix = "/kg"}, testing::talk_model);
  for (const char* path : {"/kg/livez", "/livez", "/kg/"}) {
    Request r = request("GET", path);
    EXPECT_EQ(service.at_once(r)->status, 200) << path;
  }
  Request r = request("GET", "/kg/v1/models");
  EXPECT_FALSE(service.at_once(r));
  EXPECT_EQ(service.answer(r).status, 200);
  r = request("GET", "/kgx/livez");
  EXPECT_FALSE(service.at_once(r));
  EXPECT_EQ(service.answer(r).status, 404);
  r = request("GET", "/kg");
  EXPECT_EQ(service.at_once(r)->status, 308);
  EXPECT_EQ(service.description()["servers"][0]["url"], "/kg");
  EXPECT_THROW(Service(testing::sources({"films"}), {.prefix = "kg/"}, testing::talk_model), ConfigError);
}

TEST(Service, WantsAKeyBeyondTheLoopback) {
  ServiceOptions options{.http = {.address = "0.0.0.0"}};
  EXPECT_THROW(Service(testing::sources({"films"}), options, testing::talk_model), ConfigError);
  options.key = "secret";
  Service service(testing::sources({"films"}), options, testing::talk_model);
  Request r = request("GET", "/v1/models");
  EXPECT_EQ(service.at_once(r)->status, 401);
  r = request("GET", "/");
  EXPECT_EQ(service.at_once(r)->status, 200);  // the page asks for the key
}

TEST(Service, ReloadsKeyAndModelsOrKeepsThem) {
  std::string log, key = "second";
  bool broken = false;
  ServiceOptions options{.http = {.address = "0.0.0.0"}, .key = "first"};
  options.log = [&](std::string_view line) { log = line; };
  options.reread = [&]() -> ServiceOptions::Changeable {
    if (broken) throw ConfigError("films.json: is no json");
    return {testing::sources({"films", "books"}), key};
  };
  Service service(testing::sources({"films"}), options, testing::talk_model);
  const auto status = [&](const char* with) {
    Request r = request("GET", "/v1/models/books");
    r.headers["authorization"] = std::string("Bearer ") + with;
    if (const auto at_once = service.at_once(r)) return at_once->status;
    return service.answer(r).status;
  };
  EXPECT_EQ(status("first"), 404);
  service.reload();
  EXPECT_EQ(status("first"), 401);
  EXPECT_EQ(status("second"), 200);
  EXPECT_EQ(Json::parse(log)["problems"], Json::array()) << log;
  key = "";
  service.reload();
  EXPECT_TRUE(contains(log, "a key must be given")) << log;
  EXPECT_EQ(status("second"), 200);
  broken = true;
  service.reload();
  EXPECT_TRUE(contains(log, "films.json: is no json")) << log;
  EXPECT_EQ(status("second"), 200);
}

// docs/reference/openapi.json is what the server says of itself: `kgwalk serve --openapi` prints it.
TEST_F(Doors, TheDescriptionIsTheOneInTheDocs) {
  const Json page = Json::parse(read_file(KGWALK_SOURCE_DIR "/docs/reference/openapi.json"));
  EXPECT_EQ(page, service_.description()) << "kgwalk serve --openapi > docs/reference/openapi.json";
  // And every route that it tells of is answered by something.
  for (const auto& path : page["paths"].items())
    for (const auto& method : path.value().items()) {
      std::string name = method.key();
      for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      Request r = request(name, path.key());
      EXPECT_EQ(service_.router().pattern_of(r), path.key());
      EXPECT_NE(service_.answer(r).status, 405) << name << path.key();
    }
}

}  // namespace
}  // namespace kgwalk::server
