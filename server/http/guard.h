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
  std::vector<std::string> hosts = {};  // beside those of the loopback; "*" lets any in
  std::string key = {};                 // empty: none is asked for
  std::vector<std::string> open = {};   // paths that need no key
};

class Guard {
 public:
  explicit Guard(GuardOptions options) : options_(std::move(options)) {}
  // A refusal (400, 401, 403), or nullopt. `prefix` is not part of request.path any more. Thread-safe.
  [[nodiscard]] std::optional<Response> refusal(const Request& request) const;

 private:
  [[nodiscard]] bool knows_host(std::string_view host) const;
  GuardOptions options_;
};

// "localhost", "127.0.0.1" and all of 127.0.0.0/8, "::1"; with or without brackets.
[[nodiscard]] bool is_loopback(std::string_view host);
// "kg.example:8080" -> "kg.example", "[::1]:80" -> "::1".
[[nodiscard]] std::string_view without_port(std::string_view host);
// Takes the same time whatever differs.
[[nodiscard]] bool same_secret(std::string_view a, std::string_view b);

}  // namespace kgwalk::server
