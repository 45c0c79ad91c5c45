// Asks other machines over HTTP. libcurl stands behind it: TLS is checked against the system's certificates
// (or those of SSL_CERT_FILE), proxies are taken from the environment (https_proxy, no_proxy, ...).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/progress.h"

namespace kgwalk {

struct HttpAsked {
  std::string url, body;
  std::vector<std::string> headers = {};  // "Name: value", a line each
  double timeout_s = 10;                  // of the whole exchange
  std::size_t max_body = 1 << 20;         // bytes of the answer, unpacked
};

struct HttpAnswer {
  std::string failure = {};  // why no whole answer came; then the rest does not count
  int status = 0;
  std::string type = {}, location = {};  // the headers Content-Type and Location
  std::string body = {};
};

class HttpClient {
 public:
  // Asks nobody yet. IoError when libcurl cannot be used.
  HttpClient();
  HttpClient(HttpClient&&) noexcept;
  ~HttpClient();

  // Redirections are not followed: a body shall not go where nobody sent it. Stopped is not thrown, a request
  // to stop is a failure. Thread-safe; connections are kept and used again.
  [[nodiscard]] HttpAnswer post(const HttpAsked& asked, const StopFlag& stop = never_stop()) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct HttpAddress {
  std::string scheme, user, host;
};
// Parts of an address of http or https; nullopt for everything else.
[[nodiscard]] std::optional<HttpAddress> http_address(const std::string& url);

// Text as a value of a form that is posted.
[[nodiscard]] std::string form_encoded(std::string_view text);

}  // namespace kgwalk
