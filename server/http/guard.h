// Who may ask: checked before any route, on every path.
//
// A page of another site can make a browser send requests to a server on this machine, also under a name of
// its own that it lets point here (DNS rebinding). Both show in the Host and Origin headers, so only known
// hosts are let in. Beyond this machine a key is wanted besides.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message.h"

namespace kgwalk::server {

struct GuardOptions {
  std::vector<std::string> hosts = {};    // beside those of the loopback; "*" lets any in
  std::vector<std::string> origins = {};  // "https://app.example": pages elsewhere that may ask; "*": any may
  std::string key = {};                   // empty: none is asked for
  std::vector<std::string> open = {};     // paths that need no key
  struct Writer {
    std::string name, key;
  };
  std::vector<Writer> writers = {};  // whose keys let them in, and change what is served
};

class Guard {
 public:
  explicit Guard(GuardOptions options) : options_(std::move(options)) {}
  // A refusal (400, 401, 403), or nullopt. `prefix` is not part of request.path any more. Thread-safe.
  [[nodiscard]] std::optional<Response> refusal(const Request& request) const;
  // The name of the writer whose key is sent; empty where it is none's. Thread-safe.
  [[nodiscard]] std::string writer(const Request& request) const;
  // The answer to what a browser asks before it lets a page send its request (CORS); nullopt where this is no
  // such question. Of a page that may not ask: the refusal. Needs no key, which browsers do not send with it.
  [[nodiscard]] std::optional<Response> preflight(const Request& request) const;
  // Lets the page that the request comes from read the response, where it may: pages of the loopback's hosts,
  // of any port, of a host that is named (not by "*"), and of the origins.
  void admit_page(const Request& request, Response& response) const;

 private:
  [[nodiscard]] bool knows_host(std::string_view host) const;
  [[nodiscard]] bool knows_origin(std::string_view origin) const;
  [[nodiscard]] bool may_read(std::string_view origin) const;
  [[nodiscard]] std::optional<Response> stranger(const Request& request) const;
  GuardOptions options_;
};

// "localhost", "127.0.0.1" and all of 127.0.0.0/8, "::1"; with or without brackets.
[[nodiscard]] bool is_loopback(std::string_view host);
// "kg.example:8080" -> "kg.example", "[::1]:80" -> "::1".
[[nodiscard]] std::string_view without_port(std::string_view host);
// Takes the same time whatever differs.
[[nodiscard]] bool same_secret(std::string_view a, std::string_view b);

}  // namespace kgwalk::server
