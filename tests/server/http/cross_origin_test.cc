// Pages of elsewhere: which may ask, and which may read the answer.
#include <algorithm>

#include "server/http/guard.h"
#include "tests/server/doors/asking.h"

namespace kgwalk::server {
namespace {

std::string header_of(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers)
    if (key == name) return value;
  return "";
}

Request from(const char* origin, const char* method = "POST") {
  Request r = testing::request(method, "/v1/chat/completions");
  r.headers["origin"] = origin;
  if (r.method != "OPTIONS") return r;
  r.headers["access-control-request-method"] = "POST";
  r.headers["access-control-request-headers"] = "authorization,content-type";
  return r;
}

constexpr const char* kAllow = "Access-Control-Allow-Origin";

TEST(CrossOrigin, APreflightIsAnsweredWithoutTheKey) {
  const Guard guard({.hosts = {"kg.example"}, .origins = {"https://app.example"}, .key = "secret"});
  for (const char* good :
       {"http://localhost:5173", "http://127.0.0.1:3000", "https://app.example", "https://kg.example"}) {
    const auto answer = guard.preflight(from(good, "OPTIONS"));
    ASSERT_TRUE(answer) << good;
    EXPECT_EQ(answer->status, 204);
    EXPECT_EQ(header_of(*answer, kAllow), good);
    EXPECT_EQ(header_of(*answer, "Access-Control-Allow-Headers"), "authorization,content-type");
    EXPECT_NE(header_of(*answer, "Access-Control-Allow-Methods").find("POST"), std::string::npos);
  }
  for (const char* bad : {"https://evil.example", "null", "http://app.example", "https://app.example.evil"})
    EXPECT_EQ(guard.preflight(from(bad, "OPTIONS"))->status, 403) << bad;
  EXPECT_FALSE(guard.preflight(from("http://localhost:5173"))) << "a POST asks nothing beforehand";
}

TEST(CrossOrigin, AnyHostMayBeAskedForWithoutLettingAnyPageRead) {
  const Guard guard({.hosts = {"*"}});
  Response response;
  guard.admit_page(from("https://evil.example"), response);
  EXPECT_EQ(header_of(response, kAllow), "");
  const Guard open({.origins = {"*"}});
  open.admit_page(from("https://evil.example"), response);
  EXPECT_EQ(header_of(response, kAllow), "https://evil.example");
}

class CrossOriginDoor : public testing::Asking {};

TEST_F(CrossOriginDoor, AnswersAndRefusalsMayBeReadByThePageThatAsked) {
  Request r = from("http://localhost:5173", "GET");
  r.path = "/v1/models";
  EXPECT_EQ(header_of(service_.answer(r), kAllow), "http://localhost:5173");
  EXPECT_EQ(header_of(service_.answer(r), "Vary"), "Origin");
  r.path = "/livez";
  EXPECT_EQ(header_of(*service_.at_once(r), kAllow), "http://localhost:5173");
  r = from("http://localhost:5173", "OPTIONS");
  EXPECT_EQ(service_.at_once(r)->status, 204);
  r = testing::request("OPTIONS", "/v1/chat/completions");
  EXPECT_EQ(header_of(service_.answer(r), "Allow"), "POST, OPTIONS") << "no page asks: the methods";
  r = testing::request("GET", "/v1/models");
  EXPECT_EQ(header_of(service_.answer(r), kAllow), "");
}

TEST_F(CrossOriginDoor, ThePageOfTheApiIsServedFromOurOwnFiles) {
  for (const char* path : {"/docs", "/docs.js", "/docs.css"}) {
    const Response answer = ask("GET", path);
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_NE(header_of(answer, "Content-Security-Policy").find("script-src 'self'"), std::string::npos);
    EXPECT_EQ(answer.body.find("https://"), std::string::npos) << "nothing from elsewhere: " << path;
  }
}

TEST_F(CrossOriginDoor, ConversationsAreDeletedAndNeverListed) {
  const std::string one =
      "/api/v1/sessions/" + json("POST", "/api/v1/sessions", Json::object())["id"].get<std::string>();
  EXPECT_EQ(ask("GET", "/api/v1/sessions").status, 405) << "who knows an id may go on with it";
  EXPECT_EQ(ask("DELETE", one).status, 204);
  EXPECT_EQ(ask("GET", one).status, 404);
  EXPECT_EQ(ask("DELETE", one).status, 404);
}

}  // namespace
}  // namespace kgwalk::server
