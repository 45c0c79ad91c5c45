// HTTP/1.1 over TCP: reads requests, has them answered by worker threads, writes responses. One thread does
// all that concerns the network and never computes, so that slow answers do not keep others from being heard.
//
// Boost.Beast stands behind it, in http_server.cc and connection.cc alone.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kgwalk/progress.h"
#include "server/http/message.h"

namespace kgwalk::server {

struct HttpOptions {
  std::string address = "127.0.0.1";
  int port = 8080;  // 0: any that is free
  int workers = 2;
  std::size_t queue = 256;             // requests that wait for a worker; beyond, 429
  std::size_t max_connections = 1024;  // beyond, 503
  std::size_t max_header = 16 << 10;   // bytes
  std::size_t max_body = 1 << 20;      // where the hook says nothing else
  std::size_t max_unsent = 1 << 20;    // of a stream whose client does not read: then it is closed
  double idle_s = 60;                  // between two requests of a connection
  double request_s = 15;               // to send a whole request
  double write_s = 30;                 // to take a whole answer
  double heartbeat_s = 15;             // between signs of life of a stream
  double grace_s = 20;                 // for answers in flight when the server stops
};

// A request that was answered, for log and counters.
struct Exchange {
  const Request& request;
  int status = 0;
  std::size_t bytes = 0;  // of the body
  double seconds = 0;     // from the whole request to the whole answer
  double waited_s = 0;    // thereof for a worker
};

struct HttpHooks {
  // What is answered without a worker (refusals, signs of life); nullopt: a worker does. Runs in the
  // network's thread.
  std::function<std::optional<Response>(Request&)> at_once;
  std::function<Response(const Request&)> answer;  // in a worker; must not throw
  // Bytes that the body of this request may have, of which only the header is there yet; may change its path.
  // Unset: max_body. Runs in the network's thread.
  std::function<std::size_t(Request&)> max_body = {};
  std::function<void(const Exchange&)> done = {};
  std::function<void()> begin_worker = {};  // in each worker, first
  std::function<void()> reload = {};        // on SIGHUP, in a worker; unset: the server stops then
  std::function<void()> stopping = {};      // lets go of the sinks of endless streams
};

struct HttpLoad {
  std::size_t connections = 0, waiting = 0, running = 0;
};

class HttpServer {
 public:
  // Binds; IoError when the address is none of ours or in use.
  HttpServer(HttpOptions options, HttpHooks hooks);
  ~HttpServer();
  [[nodiscard]] int port() const;
  // Serves until asked to stop; then takes no more connections, finishes what is in flight, at most grace_s,
  // and returns.
  void run(const StopFlag& stop);
  [[nodiscard]] HttpLoad load() const;  // thread-safe

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk::server
