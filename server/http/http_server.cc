#include "server/http/http_server.h"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <random>

#include "kgwalk/error.h"
#include "server/http/connection.h"

namespace kgwalk::server {

namespace net = boost::asio;
using Tcp = net::ip::tcp;
using ErrorCode = boost::beast::error_code;

namespace {

// As nohup has it.
bool hangup_is_ignored() {
  struct sigaction now {};
  return ::sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

struct HttpServer::Impl {
  std::shared_ptr<Hall> hall = std::make_shared<Hall>();
  Tcp::acceptor acceptor{hall->io};
  net::steady_timer clock{hall->io};
  net::signal_set hangup{hall->io};
  const StopFlag* stop = nullptr;
  double left_s = 0;  // of the grace

  void bind();
  void accept();
  void tick();
  void begin_to_stop();
  void wait_for_hangup();
};

void HttpServer::Impl::bind() {
  const HttpOptions& options = hall->options;
  const auto check = [&](const ErrorCode& error) {
    if (error)
      throw IoError(fmt::format("{} port {}: {}; choose another address or port", options.address,
                                options.port, error.message()));
  };
  ErrorCode error;
  const auto address = net::ip::make_address(options.address, error);
  check(error);
  const Tcp::endpoint endpoint(address, static_cast<unsigned short>(options.port));
  acceptor.open(endpoint.protocol(), error);
  check(error);
  acceptor.set_option(net::socket_base::reuse_address(true), error);
  check(error);
  acceptor.bind(endpoint, error);
  check(error);
  acceptor.listen(net::socket_base::max_listen_connections, error);
  check(error);
}

void HttpServer::Impl::accept() {
  acceptor.async_accept([this](ErrorCode error, Tcp::socket socket) {
    if (!acceptor.is_open()) return;
    if (error) {  // out of descriptors, for one: those in use will come back
      auto pause = std::make_shared<net::steady_timer>(hall->io, std::chrono::milliseconds(50));
      pause->async_wait([this, pause](ErrorCode cancelled) {
        if (!cancelled && acceptor.is_open()) accept();
      });
      return;
    }
    const bool full = hall->num_connections >= hall->options.max_connections;
    const auto connection = Connection::make(hall, std::move(socket));
    full ? connection->refuse() : connection->start();
    accept();
  });
}

void HttpServer::Impl::begin_to_stop() {
  if (hall->stopping) return;
  hall->stopping = true;
  left_s = hall->options.grace_s;
  ErrorCode ignored;
  acceptor.close(ignored);
  hangup.cancel(ignored);
  if (hall->hooks.stopping) hall->hooks.stopping();
}

// Looks ten times a second whether to stop, and then whether all is finished.
void HttpServer::Impl::tick() {
  constexpr double kTick = 0.1;
  if (hall->stopping) {
    const std::set<Connection*> all = hall->connections;
    for (Connection* connection : all) connection->close_when_idle();
    left_s -= kTick;
    if (hall->connections.empty() || left_s <= 0) return hall->io.stop();
  } else if (stop->requested()) {
    begin_to_stop();
  }
  clock.expires_after(std::chrono::milliseconds(static_cast<int>(1000 * kTick)));
  clock.async_wait([this](ErrorCode error) {
    if (!error) tick();
  });
}

void HttpServer::Impl::wait_for_hangup() {
  hangup.async_wait([this](ErrorCode error, int) {
    if (error) return;
    if (!hall->hooks.reload) return begin_to_stop();
    // A full queue has other worries: the operator asks again.
    (void)hall->pool->submit([this] { hall->hooks.reload(); });
    wait_for_hangup();
  });
}

HttpServer::HttpServer(HttpOptions options, HttpHooks hooks) : impl_(std::make_unique<Impl>()) {
  impl_->hall->options = std::move(options);
  impl_->hall->hooks = std::move(hooks);
  std::random_device device;
  impl_->hall->salt = (static_cast<std::uint64_t>(device()) << 32) | device();
  impl_->bind();
}

HttpServer::~HttpServer() = default;

int HttpServer::port() const { return impl_->acceptor.local_endpoint().port(); }

void HttpServer::run(const StopFlag& stop) {
  Hall& hall = *impl_->hall;
  impl_->stop = &stop;
  hall.pool = std::make_unique<WorkerPool>(
      hall.options.workers, hall.options.queue, hall.hooks.begin_worker ? hall.hooks.begin_worker : [] {});
  if (hall.hooks.reload || !hangup_is_ignored()) {
    impl_->hangup.add(SIGHUP);
    impl_->wait_for_hangup();
  }
  impl_->accept();
  impl_->tick();
  hall.io.run();
  hall.pool.reset();
  // What is left is closed, and all that still holds a connection let go of.
  const std::set<Connection*> left = hall.connections;
  for (Connection* connection : left) connection->close();
  hall.io.restart();
  hall.io.poll();
}

HttpLoad HttpServer::load() const {
  const Hall& hall = *impl_->hall;
  return {hall.num_connections, hall.pool ? hall.pool->waiting() : 0, hall.pool ? hall.pool->running() : 0};
}

}  // namespace kgwalk::server
