// An HTTP server of a test: one connection at a time, answered by a function.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace kgwalk::graph::testing {

struct Page {
  int status = 200;
  std::string type = "application/n-triples", body = {};
  std::string header = {};  // one more, with its end of line
};

class PageServer {
 public:
  // `answer` gets the body of a request and runs in the server's thread.
  explicit PageServer(std::function<Page(const std::string&)> answer)
      : answer_(std::move(answer)), socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket_, plain, length) != 0 || ::listen(socket_, 8) != 0 ||
        ::getsockname(socket_, plain, &length) != 0)
      throw std::runtime_error("no socket for the test's server");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~PageServer() {
    ::shutdown(socket_, SHUT_RDWR);  // ends accept()
    thread_.join();
    ::close(socket_);
  }
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/sparql"; }

 private:
  void serve() {
    for (int client = ::accept(socket_, nullptr, nullptr); client >= 0;
         client = ::accept(socket_, nullptr, nullptr)) {
      const Page page = answer_(body_from(client));
      const std::string bytes = "HTTP/1.1 " + std::to_string(page.status) +
                                " Told\r\nContent-Type: " + page.type + "\r\nConnection: close\r\n" +
                                page.header + "Content-Length: " + std::to_string(page.body.size()) +
                                "\r\n\r\n" + page.body;
      for (std::string_view left = bytes; !left.empty();) {
        const ssize_t sent = ::send(client, left.data(), left.size(), MSG_NOSIGNAL);
        if (sent <= 0) break;
        left.remove_prefix(static_cast<std::size_t>(sent));
      }
      ::close(client);
    }
  }

  static std::string body_from(int client) {
    std::string text;
    char block[4096];
    for (ssize_t length = 1; length > 0;) {
      const std::size_t head = text.find("\r\n\r\n");
      const std::size_t mark = text.find("Content-Length: ");
      if (head != std::string::npos && mark < head &&
          text.size() >= head + 4 + static_cast<std::size_t>(std::atol(text.c_str() + mark + 16)))
        return text.substr(head + 4);
      length = ::recv(client, block, sizeof block, 0);
      text.append(block, static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    }
    return text;
  }

  std::function<Page(const std::string&)> answer_;
  int socket_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace kgwalk::graph::testing
