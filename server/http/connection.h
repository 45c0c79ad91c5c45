// One connection of the HTTP server; for http_server.cc and connection.cc, which alone know Boost.Beast.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "runtime/stopwatch.h"
#include "server/http/http_server.h"
#include "server/http/worker_pool.h"

namespace kgwalk::server {

class Connection;

// What the connections of a server share. Only `io` and `pool` may be touched from other threads than the
// network's.
struct Hall {
  HttpOptions options;
  HttpHooks hooks;
  boost::asio::io_context io{1};
  std::unique_ptr<WorkerPool> pool;
  std::set<Connection*> connections;
  std::atomic<std::size_t> num_connections{0};
  bool stopping = false;
  std::uint64_t salt = 0, requests = 0;  // of request ids
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // Ends in the network's thread, whoever lets go of it last.
  [[nodiscard]] static std::shared_ptr<Connection> make(const std::shared_ptr<Hall>& hall,
                                                        boost::asio::ip::tcp::socket socket);
  ~Connection();

  void start();
  void refuse();           // too many connections
  void close_when_idle();  // the server stops

  // For the sink of a stream.
  [[nodiscard]] bool gone() const { return gone_; }
  void push(std::string bytes);
  void finish_stream();
  void close();
  [[nodiscard]] const std::shared_ptr<Hall>& hall() const { return hall_; }

 private:
  using Error = boost::beast::error_code;
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  Connection(std::shared_ptr<Hall> hall, boost::asio::ip::tcp::socket socket);
  void wait_for_request();
  void read_header();
  void have_header();
  [[nodiscard]] bool set_request();
  void read_body();
  void read_failed(Error error);
  void dispatch();
  void have_answered();
  void respond(Response response);
  void respond_without_body(const Response& response);
  void begin_stream(const Response& response);
  void written(Error error, std::size_t bytes);
  void next_chunk();
  void chunk_written(Error error);
  void go_on();
  void beat();
  void watch();
  void end_exchange();
  void count_off();
  void drain();

  std::shared_ptr<Hall> hall_;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::shared_ptr<Request> request_;
  Stopwatch since_;      // the whole request was there
  double waited_s_ = 0;  // for a worker
  int status_ = 0;
  std::size_t bytes_ = 0;
  double body_s_ = 0;                                     // that the client has for the body
  bool keep_alive_ = false, head_ = false, old_ = false;  // old: HTTP/1.0, which knows no chunks
  bool counted_ = true;                                   // among the hall's
  bool idle_ = false;                                     // between two requests
  std::atomic<bool> gone_{false};

  // State of a stream.
  bool streaming_ = false, writing_ = false, ending_ = false;
  std::deque<std::string> chunks_;
  std::size_t unsent_ = 0;
  std::optional<boost::asio::steady_timer> heart_;
};

}  // namespace kgwalk::server
