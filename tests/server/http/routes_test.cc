// Requests and who answers them, without a socket.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <thread>

#include "kgwalk/error.h"
#include "server/http/form.h"
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

Request form(const std::string& body, const std::string& type = "multipart/form-data; boundary=xx") {
  Request r = request("POST", "/form");
  r.headers["content-type"] = type;
  r.body = body;
  return r;
}

TEST(Forms, AreTakenApartIntoTheirParts) {
  const Request r = form(
      "before\r\n--xx  \r\ncontent-disposition: form-data; filename=\"a;\\\"b\\\".wav\"; name=file\r\nX: "
      "y\r\n\r\n1\r\n--x\r\n2\r\n--xx\r\n"
      "Content-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n--xx--\r\nafter");
  const std::vector<FormPart> parts = form_parts(r);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].name, "file");
  EXPECT_EQ(parts[0].file, "a;\"b\".wav");
  EXPECT_EQ(parts[0].body, "1\r\n--x\r\n2");
  EXPECT_EQ(part_named(parts, "empty")->body, "");
  EXPECT_EQ(part_named(parts, "none"), nullptr);
}

TEST(Forms, AreRefusedWhereTheyAreBroken) {
  const auto status = [](const Request& r) {
    try {
      (void)form_parts(r);
    } catch (const Refusal& refusal) {
      return refusal.status();
    }
    return 200;
  };
  const std::string part = "--xx\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n";
  EXPECT_EQ(status(form(part + "--xx--")), 200);
  for (const std::string& bad :
       {std::string(), std::string("--yy--"), part, part + "--xx", part + "--xxyz\r\n",
        std::string("--xx\r\n\r\n1\r\n--xx--"),
        std::string("--xx\r\nContent-Disposition: form-data; name=\"a\r\n\r\n1\r\n--xx--")})
    EXPECT_EQ(status(form(bad)), 400) << bad;
  EXPECT_EQ(status(form(part, "multipart/form-data")), 400);
  EXPECT_EQ(status(form(part, "application/json")), 415);
  std::string many;
  for (int i = 0; i < 200; ++i) many += part;
  EXPECT_EQ(status(form(many + "--xx--")), 400);
}

TEST(Problems, SayWhenToAskAgain) {
  const auto after = [](const Response& response) {
    for (const auto& [name, value] : response.headers)
      if (name == "Retry-After") return value;
    return std::string();
  };
  EXPECT_EQ(after(problem("/x", 429, "full")), "1");
  EXPECT_EQ(after(problem_of("/x", Refusal(429, "full", 90))), "90");
  EXPECT_EQ(after(problem("/x", 404, "none")), "");
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

TEST(Workers, TellHowLongAJobWouldWait) {
  WorkerPool pool(1, 10);
  EXPECT_EQ(pool.expected_wait_s(), 0);
  std::binary_semaphore gate(0), done(0);
  ASSERT_TRUE(pool.submit([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }));
  ASSERT_TRUE(pool.submit([&] { gate.acquire(); }));
  while (pool.running() == 0 || pool.waiting() > 0) std::this_thread::yield();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(pool.submit([&] { done.release(); }));
  EXPECT_GE(pool.expected_wait_s(), 3 * 0.02);
  gate.release();
  done.acquire();
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
