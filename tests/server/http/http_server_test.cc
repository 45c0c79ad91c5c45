// The server on a socket, and what clients may do to it.
#include "server/http/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <semaphore>
#include <thread>

#include "kgwalk/error.h"
#include "kgwalk/progress.h"
#include "runtime/stopwatch.h"
#include "server/http/problem.h"
#include "tests/planner/talk_world.h"

namespace kgwalk::server {
namespace {

using testing::contains;

// A client of bytes.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    timeval limit{10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }
  void send(std::string_view bytes) { (void)::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  // All until the server closes.
  std::string read_all() {
    std::string text;
    while (read_some(text)) {
    }
    return text;
  }
  std::string read_until(std::string_view end) {
    std::string text;
    while (text.find(end) == std::string::npos && read_some(text)) {
    }
    return text;
  }
  std::string ask(std::string_view bytes) {
    send(bytes);
    return read_all();
  }

 private:
  bool read_some(std::string& text) {
    char buffer[4096];
    const ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    return count > 0;
  }
  int socket_;
  bool connected_ = false;
};

class Serving : public ::testing::Test {
 protected:
  void start(HttpOptions options) {
    options.port = 0;
    HttpHooks hooks;
    hooks.at_once = [](Request& r) -> std::optional<Response> {
      if (r.path == "/livez") return Response{.type = "text/plain", .body = "ok"};
      return std::nullopt;
    };
    const std::size_t otherwise = options.max_body;
    hooks.max_body = [otherwise](const Request& r) { return r.path == "/long" ? 100'000 : otherwise; };
    hooks.reload = reload_;
    hooks.answer = [this](const Request& r) { return answer(r); };
    hooks.done = [this](const Exchange& e) { statuses_ += std::to_string(e.status) + ' '; };
    hooks.stopping = [this] { held_.reset(); };
    server_ = std::make_unique<HttpServer>(options, std::move(hooks));
    port_ = server_->port();
    thread_ = std::thread([this] { server_->run(stop_); });
  }
  void stop() {
    stop_.request();
    if (thread_.joinable()) thread_.join();
  }
  void TearDown() override {
    gate_.release(100);
    stop();
  }

  Response answer(const Request& r) {
    if (r.path == "/wait") gate_.acquire();
    if (r.path == "/stream" || r.path == "/endless") {
      Response response{.type = "text/event-stream"};
      response.stream = [this, endless = r.path == "/endless"](const std::shared_ptr<Sink>& sink) {
        if (endless) held_ = sink;
        for (int i = 0; i < 3; ++i) sink->send("data: " + std::to_string(i) + "\n\n");
      };
      return response;
    }
    return Response::of({{"method", r.method}, {"path", r.path}, {"body", r.body}});
  }
  static std::string get(const std::string& path, const std::string& more = "Connection: close\r\n") {
    return "GET " + path + " HTTP/1.1\r\nHost: x\r\n" + more + "\r\n";
  }

  std::unique_ptr<HttpServer> server_;
  std::counting_semaphore<> gate_{0};
  std::shared_ptr<Sink> held_;
  std::string statuses_;  // of the network's thread, read after stop()
  std::function<void()> reload_;
  int port_ = 0;
  StopFlag stop_;
  std::thread thread_;
};

TEST_F(Serving, AnswersSeveralRequestsOfOneConnectionInOrder) {
  start({});
  Client client(port_);
  const std::string all =
      client.ask(get("/a", "") + "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nxyz" + get("/c"));
  EXPECT_LT(all.find("\"/a\""), all.find("\"xyz\""));
  EXPECT_LT(all.find("\"xyz\""), all.find("\"/c\""));
  EXPECT_TRUE(contains(all, "X-Content-Type-Options: nosniff")) << all;
}

TEST_F(Serving, AnswersHeadWithoutABody) {
  start({});
  const std::string all = Client(port_).ask("HEAD /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(contains(all, "200 OK")) << all;
  EXPECT_TRUE(all.ends_with("\r\n\r\n")) << all;
}

TEST_F(Serving, RefusesWhatIsTooLongOrNoHttp) {
  start({.max_header = 2000, .max_body = 100});
  EXPECT_TRUE(
      Client(port_).ask(get("/a", "X: " + std::string(5000, 'x') + "\r\n")).starts_with("HTTP/1.1 431"));
  EXPECT_TRUE(Client(port_)
                  .ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\n\r\n")
                  .starts_with("HTTP/1.1 413"));
  EXPECT_TRUE(Client(port_)
                  .ask("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n" +
                       std::string(300, 'x'))
                  .starts_with("HTTP/1.1 413"));
  for (const char* bad : {"nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET  HTTP/1.1\r\n\r\n",
                          "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                          "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"})
    EXPECT_TRUE(contains(Client(port_).ask(bad), " 400 ")) << bad;
  EXPECT_TRUE(contains(Client(port_).ask(get("/a")), "200 OK"));
}

TEST_F(Serving, TakesLongBodiesWhereTheHookAllowsThem) {
  start({.max_body = 100});
  const auto post = [](const char* path, std::size_t size) {
    return std::string("POST ") + path +
           " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " + std::to_string(size) +
           "\r\n\r\n" + std::string(size, 'x');
  };
  EXPECT_TRUE(contains(Client(port_).ask(post("/long", 100'000)), "200 OK"));
  const std::string refused = Client(port_).ask(post("/long", 100'001));
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 413") && contains(refused, "100000 bytes are read at most"))
      << refused;
  EXPECT_TRUE(Client(port_).ask(post("/short", 101)).starts_with("HTTP/1.1 413"));
  EXPECT_TRUE(Client(port_)
                  .ask("POST /long HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n" +
                       std::string(200'000, 'x'))
                  .starts_with("HTTP/1.1 413"));
  // A client that asks first is answered before it sends the body.
  Client careful(port_);
  careful.send("POST /short HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 101\r\n\r\n");
  EXPECT_TRUE(careful.read_all().starts_with("HTTP/1.1 413"));
}

TEST_F(Serving, HangsUpOrReloads) {
  start({});
  EXPECT_TRUE(contains(Client(port_).ask(get("/a")), "200 OK"));  // it runs
  ::raise(SIGHUP);
  thread_.join();
  EXPECT_FALSE(Client(port_).connected());
  std::counting_semaphore<> reloaded(0);
  reload_ = [&] { reloaded.release(); };
  start({});
  EXPECT_TRUE(contains(Client(port_).ask(get("/a")), "200 OK"));
  ::raise(SIGHUP);
  EXPECT_TRUE(reloaded.try_acquire_for(std::chrono::seconds(10)));
  EXPECT_TRUE(contains(Client(port_).ask(get("/a")), "200 OK"));
}

TEST_F(Serving, WaitsForNobodyWhoIsSlow) {
  start({.idle_s = 0.3, .request_s = 0.3});
  const Stopwatch watch;
  Client idle(port_), slow(port_), slow_body(port_);
  slow.send("GET /a HTTP/1.1\r\nHos");
  slow_body.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_EQ(idle.read_all(), "");
  EXPECT_EQ(slow.read_all(), "");
  EXPECT_EQ(slow_body.read_all(), "");
  EXPECT_LT(watch.seconds(), 5);
}

TEST_F(Serving, SaysSoWhenTooManyWaitAndStillLives) {
  start({.workers = 1, .queue = 1});
  Client one(port_), two(port_), three(port_);
  one.send(get("/wait"));
  while (server_->load().running == 0) std::this_thread::yield();
  two.send(get("/wait"));
  while (server_->load().waiting == 0) std::this_thread::yield();
  const std::string refused = three.ask(get("/a"));
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 429")) << refused;
  EXPECT_TRUE(contains(refused, "Retry-After: 1")) << refused;
  EXPECT_TRUE(contains(Client(port_).ask(get("/livez")), "200 OK"));
  gate_.release(2);
  EXPECT_TRUE(contains(one.read_all(), "200 OK"));
  EXPECT_TRUE(contains(two.read_all(), "200 OK"));
}

TEST_F(Serving, RefusesConnectionsBeyondItsNumber) {
  start({.max_connections = 2});
  Client one(port_), two(port_);
  one.send(get("/a", ""));
  two.send(get("/a", ""));
  (void)one.read_until("}\n");
  (void)two.read_until("}\n");
  EXPECT_TRUE(contains(Client(port_).read_all(), "503 Service Unavailable"));
}

TEST_F(Serving, StreamsPieceByPieceAndThenGoesOn) {
  start({});
  Client client(port_);
  client.send(get("/stream", "") + get("/a"));
  const std::string all = client.read_all();
  EXPECT_TRUE(contains(all, "Transfer-Encoding: chunked")) << all;
  for (const char* piece : {"data: 0\n\n", "data: 1\n\n", "data: 2\n\n", "\r\n0\r\n\r\n", "\"/a\""})
    EXPECT_TRUE(contains(all, piece)) << all;
  const std::string old = Client(port_).ask("GET /stream HTTP/1.0\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(old.ends_with("data: 0\n\ndata: 1\n\ndata: 2\n\n")) << old;
}

TEST_F(Serving, KeepsAnEndlessStreamAliveUntilItStops) {
  start({.heartbeat_s = 0.1});
  Client client(port_);
  client.send(get("/endless"));
  EXPECT_TRUE(contains(client.read_until(": \n\n"), "data: 2"));
  stop();
  EXPECT_TRUE(client.read_all().ends_with("0\r\n\r\n"));  // the last chunk
}

TEST_F(Serving, LearnsThatTheClientOfAStreamHasGone) {
  start({.heartbeat_s = 60});
  {
    Client client(port_);
    client.send(get("/endless"));
    (void)client.read_until("data: 2");
  }
  for (int i = 0; i < 500 && held_->send("x"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(held_->send("x"));
  EXPECT_EQ(server_->load().connections, 0U);  // though its sink is held
}

TEST_F(Serving, ClosesAStreamThatNobodyReads) {
  start({.max_unsent = 10'000});
  Client client(port_);
  client.send(get("/endless"));
  (void)client.read_until("data: 2");
  bool there = true;
  for (int i = 0; i < 5000 && there; ++i) there = held_->send(std::string(10'000, 'x'));
  for (int i = 0; i < 500 && there; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    there = held_->send("x");
  }
  EXPECT_FALSE(there);
}

TEST_F(Serving, SurvivesManyClientsThatLeaveInTheMiddle) {
  start({});
  for (int i = 0; i < 1000; ++i) {
    Client client(port_);
    client.send(i % 2 == 0 ? get("/a") : "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
  }
  EXPECT_TRUE(contains(Client(port_).ask(get("/a")), "200 OK"));
  stop();
  EXPECT_EQ(server_->load().connections, 0U);
}

TEST_F(Serving, FinishesWhatIsInFlightWhenItStops) {
  start({.workers = 1});
  Client working(port_), idle(port_);
  idle.send(get("/a", ""));
  (void)idle.read_until("}\n");
  working.send(get("/wait", ""));
  while (server_->load().running == 0) std::this_thread::yield();
  stop_.request();
  EXPECT_EQ(idle.read_all(), "");
  EXPECT_FALSE(Client(port_).connected());
  gate_.release();
  const std::string answered = working.read_all();
  EXPECT_TRUE(contains(answered, "200 OK")) << answered;
  EXPECT_TRUE(contains(answered, "Connection: close")) << answered;
  thread_.join();
  EXPECT_EQ(statuses_, "200 200 ");
}

TEST_F(Serving, StopsWithinItsGraceWhateverIsLeft) {
  start({.workers = 1, .grace_s = 0.2});
  Client client(port_);
  client.send(get("/a", "") + "GET /b HT");
  (void)client.read_until("}\n");
  const Stopwatch watch;
  stop();
  EXPECT_LT(watch.seconds(), 5);
}

TEST(HttpServer, SaysWhenItsAddressCannotBeHad) {
  const HttpServer first({.port = 0}, {});
  try {
    const HttpServer second({.port = first.port()}, {});
    FAIL();
  } catch (const IoError& error) {
    EXPECT_TRUE(contains(error.what(), "choose another address or port")) << error.what();
  }
  EXPECT_THROW(HttpServer({.address = "not an address"}, {}), IoError);
}

}  // namespace
}  // namespace kgwalk::server
