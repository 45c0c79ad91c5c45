// A language model played by a server of the test.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/progress.h"
#include "server/http/http_server.h"

namespace kgwalk::testing {

// Answers every request by a function, on a port of its own.
class Scripted {
 public:
  explicit Scripted(std::function<server::Response(const server::Request&)> script) {
    server::HttpHooks hooks;
    hooks.at_once = [](server::Request&) { return std::nullopt; };
    hooks.answer = [this, script = std::move(script)](const server::Request& request) {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
      return script(request);
    };
    http_ = std::make_unique<server::HttpServer>(server::HttpOptions{.port = 0, .grace_s = 0.2},
                                                 std::move(hooks));
    thread_ = std::thread([this] { http_->run(stop_); });
  }
  ~Scripted() {
    stop_.request();
    thread_.join();
  }
  [[nodiscard]] std::string url() const {
    return "http://127.0.0.1:" + std::to_string(http_->port()) + "/v1/";
  }
  [[nodiscard]] std::vector<server::Request> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  std::mutex mutex_;
  std::vector<server::Request> requests_;
  StopFlag stop_;
  std::unique_ptr<server::HttpServer> http_;
  std::thread thread_;
};

inline server::Response says(const std::string& text) {
  return server::Response::of(
      {{"choices", Json::array({{{"message", {{"role", "assistant"}, {"content", text}}}}})}});
}

}  // namespace kgwalk::testing
