// Requests and who answers them, without a socket.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "kgwalk/error.h"
#include "server/http/guard.h"
#include "server/http/problem.h"
#include "server/http/router.h"
#include "server/http/worker_pool.h"
#include "tests/server/served_world.h"

namespace kgwalk::server {
namespace {

using testing::request;

Router small_router() {
  Router router;
  const auto echo = [](const Request& r) { return Response::of({{"parts", r.parts}, {"query", r.query}}); };
  router.add({"GET", "/things/{id}", echo, ""});
  router.add({"GET", "/things/{id}/{part}", echo, ""});
  router.add({"POST", "/things", [](const Request& r) { return Response::of(r.json()); }, ""});
  router.add({"GET", "/bad",
              [](const Request&) -> Response { throw ConfigError("k: must be from 1 to beam"); }, ""});
  router.add({"GET", "/worse", [](const Request&) -> Response { throw std::logic_error("secret"); }, ""});
  router.add({"GET", "/v1/bad", [](const Request&) -> Response { throw Refusal(404, "no model"); }, ""});
  return router;
}

TEST(Router, FillsInThePartsOfThePath) {
  const Response answer = small_router().answer(request("GET", "/things/a%20b%2Fc?x=1+2&y"));
  EXPECT_EQ(Json::parse(answer.body),
            Json::parse(R"({"parts": {"id": "a b/c"}, "query": {"x": "1 2", "y": ""}})"));
  EXPECT_EQ(small_router().answer(request("HEAD", "/things/1")).status, 200);
}

TEST(Router, TellsWhatIsNotThereFromWhatIsNotDone) {
  const Router router = small_router();
  EXPECT_EQ(router.answer(request("GET", "/nothing")).status, 404);
  EXPECT_EQ(router.answer(request("GET", "/things/")).status, 404);
  EXPECT_EQ(router.answer(request("GET", "/things/1/2/3")).status, 404);
  const Response refused = router.answer(request("PUT", "/things"));
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.headers.front(), (std::pair<std::string, std::string>("Allow", "POST")));
}

TEST(Router, NamesThePatternNotThePath) {
  EXPECT_EQ(small_router().pattern_of(request("GET", "/things/secret")), "/things/{id}");
  EXPECT_EQ(small_router().pattern_of(request("GET", "/x/y")), "other");
}

TEST(Router, TurnsErrorsIntoProblemsInTheShapeOfTheDoor) {
  const Router router = small_router();
  const Response bad = router.answer(request("GET", "/bad"));
  EXPECT_EQ(bad.type, "application/problem+json");
  EXPECT_EQ(
      Json::parse(bad.body),
      Json::parse(
          R"({"type": "about:blank", "title": "Bad Request", "status": 400, "detail": "k: must be from 1 to beam"})"));
  EXPECT_EQ(router.answer(request("GET", "/worse")).body.find("secret"), std::string::npos);
  const Json openai = Json::parse(router.answer(request("GET", "/v1/bad")).body);
  EXPECT_EQ(openai["error"]["message"], "no model");
  EXPECT_EQ(openai["error"]["type"], "invalid_request_error");
}

TEST(RequestBody, MustBeJsonAndNotTooDeep) {
  const Router router = small_router();
  Request deep = request("POST", "/things");
  EXPECT_EQ(router.answer(deep).body, "{}\n");
  deep.body = "{";
  EXPECT_EQ(router.answer(deep).status, 400);
  deep.body = std::string(500'000, '[');
  EXPECT_EQ(router.answer(deep).status, 400);
  deep.body = std::string(60, '[') + std::string(60, ']');
  EXPECT_EQ(router.answer(deep).status, 200);
}

TEST(Target, IsReadStrictly) {
  Request r;
  EXPECT_TRUE(set_target(r, "/a?b=%C3%A9"));
  EXPECT_EQ(r.query["b"], "é");
  for (const char* bad : {"", "a", "/%", "/%zz", "/%ff", "/?a=%f", "http://x/"})
    EXPECT_FALSE(set_target(r, bad)) << bad;
}

TEST(Events, AreOneBlockEach) {
  EXPECT_EQ(event_text("turn", {{"text", "a\nb"}}), "event: turn\ndata: {\"text\":\"a\\nb\"}\n\n");
  EXPECT_EQ(event_text("", {1}), "data: [1]\n\n");
}

class Guarding : public ::testing::Test {
 protected:
  int status(const char* host, const char* origin = "", const char* authorization = "",
             const char* path = "/x") {
    Request r;
    r.path = path;
    r.headers = {{"host", host}};
    if (*origin != 0) r.headers["origin"] = origin;
    if (*authorization != 0) r.headers["authorization"] = authorization;
    const auto refused = guard_.refusal(r);
    return refused ? refused->status : 200;
  }
  Guard guard_{{.hosts = {"kg.example"}}};
};

TEST_F(Guarding, LetsInTheLoopbackAndKnownHostsOnly) {
  for (const char* good : {"localhost", "LocalHost:8080", "127.0.0.1:1", "127.9.9.9", "[::1]:80",
                           "kg.example:443", "KG.example"})
    EXPECT_EQ(status(good), 200) << good;
  for (const char* bad : {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil",
                          "0.0.0.0", "128.0.0.1", "127..0.1", "kg.example.evil", "[::2]"})
    EXPECT_EQ(status(bad), 403) << bad;
  EXPECT_EQ(status(""), 400);
}

TEST_F(Guarding, LooksAtTheOriginToo) {
  EXPECT_EQ(status("localhost", "http://localhost:8080"), 200);
  EXPECT_EQ(status("localhost", "https://kg.example"), 200);
  for (const char* bad : {"https://evil.example", "null", "http://127.0.0.1.evil.example"})
    EXPECT_EQ(status("localhost", bad), 403) << bad;
}

TEST_F(Guarding, WantsTheKeyWhereThereIsOneExceptForSignsOfLife) {
  guard_ = Guard({.hosts = {}, .key = "secret", .open = {"/livez"}});
  EXPECT_EQ(status("localhost"), 401);
  EXPECT_EQ(status("localhost", "", "Bearer wrong!"), 401);
  EXPECT_EQ(status("localhost", "", "Bearer secre"), 401);
  EXPECT_EQ(status("localhost", "", "Bearer secret"), 200);
  EXPECT_EQ(status("localhost", "", "", "/livez"), 200);
  EXPECT_EQ(status("evil.example", "", "Bearer secret", "/livez"), 403);
}

TEST(Workers, RefuseWhatTheQueueCannotHoldAndFinishTheRest) {
  std::mutex gate;
  std::atomic<int> done{0};
  int taken = 0;
  {
    std::unique_lock closed(gate);
    auto pool = std::make_unique<WorkerPool>(1, 2);
    for (int i = 0; i < 50; ++i)
      taken += pool->submit([&] {
        const std::lock_guard lock(gate);
        ++done;
      });
    EXPECT_GE(taken, 3);
    EXPECT_LE(taken, 4);
    std::thread opening([&, pool = std::move(pool)]() mutable { pool.reset(); });
    closed.unlock();
    opening.join();
  }
  EXPECT_EQ(done, taken);
}

}  // namespace
}  // namespace kgwalk::server
