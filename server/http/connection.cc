#include "server/http/connection.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;

std::chrono::milliseconds span_of(double seconds) {
  return std::chrono::milliseconds(static_cast<long long>(1000 * seconds));
}

// Lets a worker write to a connection, which belongs to the network's thread.
class ConnectionSink : public Sink {
 public:
  explicit ConnectionSink(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}
  ~ConnectionSink() override {
    net::post(connection_->hall()->io, [connection = connection_] { connection->finish_stream(); });
  }
  bool send(std::string bytes) override {
    if (connection_->gone()) return false;
    net::post(connection_->hall()->io, [connection = connection_, bytes = std::move(bytes)]() mutable {
      connection->push(std::move(bytes));
    });
    return true;
  }

 private:
  std::shared_ptr<Connection> connection_;
};

std::string request_id(Hall& hall) {
  char text[34];
  std::snprintf(text, sizeof text, "%012llx%06llx",
                static_cast<unsigned long long>(hall.salt & 0xffffffffffff),
                static_cast<unsigned long long>(++hall.requests));
  return text;
}

void set_headers(Request& request, const http::fields& fields) {
  for (const auto& field : fields) {
    std::string name(field.name_string());
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::string& value = request.headers[name];
    if (!value.empty()) value += ", ";
    value += std::string(field.value());
  }
}

Response too_long(const Request& request, std::size_t limit) {
  return problem(request.path, 413,
                 "the body is too long: " + std::to_string(limit) + " bytes are read at most");
}

template <class Message>
void set_fields(Message& message, const Response& response, const std::string& id, bool keep_alive) {
  message.result(static_cast<unsigned>(response.status));
  if (!response.type.empty()) message.set(http::field::content_type, response.type);
  for (const auto& [name, value] : response.headers) message.set(name, value);
  message.set("X-Content-Type-Options", "nosniff");
  if (!id.empty()) message.set("X-Request-Id", id);
  message.keep_alive(keep_alive);
}

}  // namespace

Connection::Connection(std::shared_ptr<Hall> hall, net::ip::tcp::socket socket)
    : hall_(std::move(hall)), stream_(std::move(socket)) {
  hall_->connections.insert(this);
  ++hall_->num_connections;
  beast::error_code ignored;
  stream_.socket().set_option(net::ip::tcp::no_delay(true), ignored);
}

Connection::~Connection() {
  hall_->connections.erase(this);
  count_off();
}

// Whoever still holds the sink of a stream may do so for long after its client has gone.
void Connection::count_off() {
  if (counted_) --hall_->num_connections;
  counted_ = false;
}

std::shared_ptr<Connection> Connection::make(const std::shared_ptr<Hall>& hall, net::ip::tcp::socket socket) {
  return {new Connection(hall, std::move(socket)),
          [hall](Connection* last) { net::post(hall->io, [last] { delete last; }); }};
}

void Connection::start() { wait_for_request(); }

void Connection::refuse() {
  request_ = std::make_shared<Request>();
  since_ = Stopwatch();
  respond(problem("", 503, "too many connections"));
}

void Connection::close_when_idle() {
  if (idle_) close();
}

// A connection may be idle for long; once a request has begun it has to come soon.
void Connection::wait_for_request() {
  if (hall_->stopping) return close();
  if (buffer_.size() > 0) return read_header();
  idle_ = true;
  stream_.expires_after(span_of(hall_->options.idle_s));
  stream_.async_read_some(buffer_.prepare(4096), [self = shared_from_this()](Error error, std::size_t bytes) {
    self->idle_ = false;
    if (error) return self->close();
    self->buffer_.commit(bytes);
    self->read_header();
  });
}

void Connection::read_header() {
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(hall_->options.max_header));
  parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // have_header() sets it
  request_ = std::make_shared<Request>();
  stream_.expires_after(span_of(hall_->options.request_s));
  http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, std::size_t) {
    if (error) return self->read_failed(error);
    self->have_header();
  });
}

// False when the target is not well formed.
bool Connection::set_request() {
  const auto& message = parser_->get();
  Request& request = *request_;
  old_ = message.version() < 11;
  head_ = message.method() == http::verb::head;
  request.method = std::string(message.method_string());
  request.id = request_id(*hall_);
  set_headers(request, message);
  return set_target(request, std::string_view(message.target().data(), message.target().size()));
}

// What is refused now need not be read.
void Connection::have_header() {
  since_ = Stopwatch();
  keep_alive_ = false;
  if (!set_request()) return respond(problem("", 400, "the path or query is not well formed"));
  const HttpOptions& options = hall_->options;
  const std::size_t limit = hall_->hooks.max_body ? hall_->hooks.max_body(*request_) : options.max_body;
  const std::uint64_t length = parser_->content_length() ? *parser_->content_length() : 0;
  if (length > limit) return respond(too_long(*request_, limit));
  parser_->body_limit(limit);
  constexpr double kSlowest = 200e3;  // bytes a second, of what is more than most bodies have
  body_s_ = options.request_s +
            std::max(0.0, static_cast<double>(limit) - static_cast<double>(options.max_body)) / kSlowest;
  if (!beast::iequals(parser_->get()[http::field::expect], "100-continue")) return read_body();
  static constexpr char kGoOn[] = "HTTP/1.1 100 Continue\r\n\r\n";
  net::async_write(stream_, net::buffer(kGoOn, sizeof kGoOn - 1),
                   [self = shared_from_this()](Error failed, std::size_t) {
                     if (failed) return self->close();
                     self->read_body();
                   });
}

void Connection::read_body() {
  stream_.expires_after(span_of(body_s_));
  http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, std::size_t) {
    if (error) return self->read_failed(error);
    self->dispatch();
  });
}

void Connection::read_failed(Error error) {
  if (error == http::error::end_of_stream || error == http::error::partial_message ||
      error.category() != make_error_code(http::error::bad_target).category())
    return close();  // nobody is there, or too slowly
  keep_alive_ = false;
  head_ = false;
  since_ = Stopwatch();
  const bool long_header = error == http::error::header_limit || error == http::error::buffer_overflow;
  if (error == http::error::body_limit) return respond(problem(request_->path, 413, "the body is too long"));
  if (long_header) return respond(problem("", 431, "the header is too long"));
  respond(problem("", 400, "this is no HTTP request: " + error.message()));
}

void Connection::dispatch() {
  since_ = Stopwatch();
  Request& request = *request_;
  keep_alive_ = parser_->get().keep_alive();
  request.body = std::move(parser_->get().body());
  stream_.expires_never();
  if (std::optional<Response> response = hall_->hooks.at_once(request)) return respond(std::move(*response));
  if (!hall_->pool->submit([self = shared_from_this()] { self->have_answered(); }))
    respond(problem(request.path, 429, "too many requests wait already",
                    static_cast<int>(std::clamp(std::ceil(hall_->pool->expected_wait_s()), 1.0, 60.0))));
}

// In a worker.
void Connection::have_answered() {
  const double waited = since_.seconds();
  Response response = hall_->hooks.answer(*request_);
  const auto write = head_ ? nullptr : std::move(response.stream);
  std::shared_ptr<Sink> sink;
  if (write) sink = std::make_shared<ConnectionSink>(shared_from_this());
  net::post(hall_->io, [self = shared_from_this(), waited, streams = sink != nullptr,
                        response = std::move(response)]() mutable {
    self->waited_s_ = waited;
    if (streams) return self->begin_stream(response);
    self->respond(std::move(response));
  });
  if (write) write(sink);
}

void Connection::respond(Response response) {
  status_ = response.status;
  bytes_ = response.body.size();
  keep_alive_ = keep_alive_ && !hall_->stopping;
  if (head_ || response.status == 204 || response.status == 304) return respond_without_body(response);
  auto message = std::make_shared<http::response<http::string_body>>();
  set_fields(*message, response, request_->id, keep_alive_);
  message->body() = std::move(response.body);
  message->prepare_payload();
  stream_.expires_after(span_of(hall_->options.write_s));
  http::async_write(stream_, *message, [self = shared_from_this(), message](Error error, std::size_t bytes) {
    self->written(error, bytes);
  });
}

void Connection::respond_without_body(const Response& response) {
  auto message = std::make_shared<http::response<http::empty_body>>();
  set_fields(*message, response, request_->id, keep_alive_);
  if (head_) message->content_length(response.body.size());
  stream_.expires_after(span_of(hall_->options.write_s));
  http::async_write(stream_, *message, [self = shared_from_this(), message](Error error, std::size_t bytes) {
    self->written(error, bytes);
  });
}

void Connection::written(Error error, std::size_t /*bytes*/) {
  if (error) {
    gone_ = true;
    keep_alive_ = false;
  }
  end_exchange();
}

void Connection::begin_stream(const Response& response) {
  status_ = response.status;
  bytes_ = 0;
  streaming_ = writing_ = true;
  ending_ = false;
  keep_alive_ = keep_alive_ && !old_;
  auto message = std::make_shared<http::response<http::empty_body>>();
  set_fields(*message, response, request_->id, keep_alive_);
  message->set(http::field::cache_control, "no-store");
  message->set("X-Accel-Buffering", "no");  // a proxy passes the pieces on as they come
  message->chunked(!old_);
  auto serializer = std::make_shared<http::response_serializer<http::empty_body>>(*message);
  stream_.expires_after(span_of(hall_->options.write_s));
  http::async_write_header(stream_, *serializer,
                           [self = shared_from_this(), message, serializer](Error error, std::size_t) {
                             if (error) return self->close();
                             self->go_on();
                           });
  heart_.emplace(hall_->io);
  beat();
  watch();
}

void Connection::push(std::string bytes) {
  if (!streaming_ || gone_ || bytes.empty()) return;
  unsent_ += bytes.size();
  bytes_ += bytes.size();
  if (unsent_ > hall_->options.max_unsent) return close();
  chunks_.push_back(std::move(bytes));
  if (!writing_) next_chunk();
}

void Connection::finish_stream() {
  ending_ = true;
  if (streaming_ && !writing_) next_chunk();
}

void Connection::next_chunk() {
  const auto on_written = [self = shared_from_this()](Error error, std::size_t) {
    self->chunk_written(error);
  };
  writing_ = true;
  if (gone_) return end_exchange();
  stream_.expires_after(span_of(hall_->options.write_s));
  if (!chunks_.empty()) {
    const auto bytes = net::buffer(chunks_.front());
    if (old_) return net::async_write(stream_, bytes, on_written);
    return net::async_write(stream_, http::make_chunk(bytes), on_written);
  }
  if (old_) return end_exchange();
  net::async_write(stream_, http::make_chunk_last(), [self = shared_from_this()](Error error, std::size_t) {
    if (error) self->gone_ = true;
    self->end_exchange();
  });
}

void Connection::chunk_written(Error error) {
  if (error || gone_) {
    chunks_.clear();
    return close();
  }
  unsent_ -= chunks_.front().size();
  chunks_.pop_front();
  go_on();
}

void Connection::go_on() {
  writing_ = false;
  if (!chunks_.empty() || ending_) return next_chunk();
  stream_.expires_never();
}

void Connection::beat() {
  heart_->expires_after(span_of(hall_->options.heartbeat_s));
  heart_->async_wait([weak = weak_from_this()](Error error) {
    const auto self = weak.lock();
    if (error || !self || !self->streaming_) return;
    self->push(": \n\n");  // a comment
    if (self->streaming_) self->beat();
  });
}

// Learns that the client of a stream has gone.
void Connection::watch() {
  stream_.socket().async_wait(net::ip::tcp::socket::wait_read, [weak = weak_from_this()](Error error) {
    const auto self = weak.lock();
    if (error || !self || !self->streaming_) return;
    Error ignored;
    if (self->stream_.socket().available(ignored) == 0) self->close();
  });
}

void Connection::end_exchange() {
  if (request_ && hall_->hooks.done && !request_->id.empty())
    hall_->hooks.done({*request_, status_, bytes_, since_.seconds(), waited_s_});
  waited_s_ = 0;
  if (streaming_) {
    streaming_ = writing_ = false;
    heart_.reset();
    chunks_.clear();
    unsent_ = 0;
    Error ignored;
    stream_.socket().cancel(ignored);  // the watch
  }
  if (gone_) return close();
  if (keep_alive_ && !hall_->stopping) return wait_for_request();
  Error ignored;
  stream_.socket().shutdown(net::ip::tcp::socket::shutdown_send, ignored);
  stream_.expires_after(span_of(2));
  drain();
}

// What a client still sends is read for a moment: otherwise the system would take back the answer that it has
// not read yet.
void Connection::drain() {
  buffer_.clear();
  stream_.async_read_some(buffer_.prepare(1 << 16), [self = shared_from_this()](Error error, std::size_t) {
    if (error) return self->close();
    self->drain();
  });
}

void Connection::close() {
  const bool first = !gone_.exchange(true);
  if (first && streaming_ && hall_->hooks.done)
    hall_->hooks.done({*request_, status_, bytes_, since_.seconds(), waited_s_});
  streaming_ = false;
  heart_.reset();
  if (!writing_) chunks_.clear();  // else chunk_written() does
  stream_.close();
  count_off();
}

}  // namespace kgwalk::server
