// What HTTP adds to Planner::plan(): every annotated turn of a split is planned for in this process and, by
// the same planner, through POST /api/v1/plan over one connection that is kept; which of them is first
// alternates.
//
// KGWALK_PLAN_DB, KGWALK_PLAN_RUN, KGWALK_PLAN_TEXT and KGWALK_PLAN_SPLIT as in walker_planner;
// KGWALK_PLAN_COUNT how many turns are asked for (500). Counters, in ms: plan() and the whole exchange at
// p50, and p50 and p99 of what the exchange of a turn took longer than its plan().
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/plan_requests.h"
#include "kgwalk/threads.h"
#include "runtime/stopwatch.h"
#include "server/service/service.h"

namespace kgwalk {
namespace {

Json json_of(const PlanRequest& request) {
  Json json = {{"start", request.start}, {"history", Json::array()}, {"walked", Json::array()}};
  for (const Utterance& u : request.history)
    json["history"].push_back({{"speaker", u.speaker}, {"text", u.text}});
  for (const auto& path : request.walked) {
    Json hops = Json::array();
    for (const NamedHop& hop : path)
      hops.push_back({{"head", hop.head}, {"relation", hop.relation}, {"tail", hop.tail}});
    json["walked"].push_back(std::move(hops));
  }
  return json;
}

// A connection that asks and waits for the whole answer.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("no connection to the server");
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void ask(const std::string& request) {
    if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
      throw std::runtime_error("the request cannot be sent");
    std::string answer;
    std::size_t wanted = std::string::npos;
    while (answer.size() < wanted) {
      char bytes[65536];
      const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
      if (count <= 0) throw std::runtime_error("the server has closed the connection");
      answer.append(bytes, static_cast<std::size_t>(count));
      const std::size_t head = answer.find("\r\n\r\n");
      if (wanted != std::string::npos || head == std::string::npos) continue;
      if (!answer.starts_with("HTTP/1.1 200")) throw std::runtime_error(answer);
      wanted = head + 4 + std::stoul(answer.substr(answer.find("Content-Length: ") + 16));
    }
  }

 private:
  int socket_;
};

struct Setting {
  std::shared_ptr<const server::Model> model;
  std::vector<PlanRequest> requests;
  int port = 0;
};

void add_overhead(benchmark::State& state, const Setting* setting) {
  Client client(setting->port);
  std::vector<double> planned, asked, more;
  for (auto _ : state) {
    const PlanRequest& request = setting->requests[planned.size() % setting->requests.size()];
    const std::string body = json_of(request).dump();
    const std::string message =
        "POST /api/v1/plan HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body;
    for (std::size_t i = 0; i < 2; ++i) {
      const Stopwatch watch;
      if ((planned.size() + asked.size()) % 4 == 0 || (planned.size() + asked.size()) % 4 == 3) {
        benchmark::DoNotOptimize(setting->model->planner().plan(request));
        planned.push_back(1e3 * watch.seconds());
      } else {
        client.ask(message);
        asked.push_back(1e3 * watch.seconds());
      }
    }
    more.push_back(asked.back() - planned.back());
  }
  for (std::vector<double>* times : {&planned, &asked, &more}) std::sort(times->begin(), times->end());
  state.counters["plan_p50_ms"] = percentile(planned, 0.5);
  state.counters["http_p50_ms"] = percentile(asked, 0.5);
  state.counters["more_p50_ms"] = percentile(more, 0.5);
  state.counters["more_p99_ms"] = percentile(more, 0.99);
}

}  // namespace
}  // namespace kgwalk

int main(int argc, char** argv) {
  using kgwalk::environment;
  const std::string database = environment("KGWALK_PLAN_DB", ""), run = environment("KGWALK_PLAN_RUN", "");
  if (database.empty() || run.empty()) {
    std::puts("skipped: KGWALK_PLAN_DB and KGWALK_PLAN_RUN name no database and no walker's run");
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  kgwalk::set_num_threads(1);
  const kgwalk::server::ModelSource source{
      .name = "model", .database = database, .run = run, .text = environment("KGWALK_PLAN_TEXT", "")};
  kgwalk::Setting setting{
      .model = std::make_shared<const kgwalk::server::Model>(source, kgwalk::ConversationOptions()),
      .requests = kgwalk::requests_of(database, environment("KGWALK_PLAN_SPLIT", "test"))};
  if (setting.requests.empty()) {
    std::fputs("the split holds no turn to plan for\n", stderr);
    return 1;
  }
  kgwalk::server::Service service({source}, {.http = {.port = 0}},
                                  [&](const auto&) { return setting.model; });
  kgwalk::StopFlag stop;
  std::promise<int> port;
  std::thread serving([&] { service.run(stop, [&](int bound) { port.set_value(bound); }); });
  setting.port = port.get_future().get();
  for (int i = 0; i < 20; ++i) (void)setting.model->planner().plan(setting.requests[0]);  // pools and pages
  benchmark::RegisterBenchmark("plan_and_http", kgwalk::add_overhead, &setting)
      ->Iterations(std::atoi(environment("KGWALK_PLAN_COUNT", "500").c_str()))
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  benchmark::RunSpecifiedBenchmarks();
  stop.request();
  serving.join();
  return 0;
}
