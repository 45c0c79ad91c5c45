#include "server/http/guard.h"

#include <algorithm>
#include <cctype>

#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Four numbers of which the first is 127; "127.evil.example" is a name like any other.
bool is_loopback_address(std::string_view host) {
  if (!host.starts_with("127.")) return false;
  int dots = 0;
  for (std::size_t i = 0; i < host.size(); ++i) {
    const bool dot = host[i] == '.';
    if (!dot && std::isdigit(static_cast<unsigned char>(host[i])) == 0) return false;
    if (dot && (i + 1 == host.size() || host[i + 1] == '.')) return false;
    dots += dot ? 1 : 0;
  }
  return dots == 3;
}

std::string_view host_of_origin(std::string_view origin) {
  const std::size_t scheme = origin.find("://");
  return scheme == std::string_view::npos ? std::string_view() : without_port(origin.substr(scheme + 3));
}

}  // namespace

std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, std::min(host.find(']'), host.size()) - 1);
  const std::size_t colon = host.find(':');
  // More than one colon: an IPv6 address without brackets.
  return colon == std::string_view::npos || host.find(':', colon + 1) != std::string_view::npos
             ? host
             : host.substr(0, colon);
}

bool is_loopback(std::string_view host) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  return same_letters(host, "localhost") || host == "::1" || is_loopback_address(host);
}

bool same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && !b.empty(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i % b.size()]);
  return difference == 0;
}

bool Guard::knows_host(std::string_view host) const {
  return is_loopback(host) ||
         std::any_of(options_.hosts.begin(), options_.hosts.end(),
                     [&](const std::string& known) { return known == "*" || same_letters(known, host); });
}

bool Guard::knows_origin(std::string_view origin) const {
  return knows_host(host_of_origin(origin)) || may_read(origin);
}

// "*" for hosts says under which names this server may be asked; it lets no page of elsewhere read.
bool Guard::may_read(std::string_view origin) const {
  const std::string_view host = host_of_origin(origin);
  const auto named = [&](const std::string& known) { return !host.empty() && same_letters(known, host); };
  const auto known = [&](const std::string& one) { return one == "*" || same_letters(one, origin); };
  return is_loopback(host) || std::any_of(options_.hosts.begin(), options_.hosts.end(), named) ||
         std::any_of(options_.origins.begin(), options_.origins.end(), known);
}

// What is wrong with where a request comes from, whoever sends it.
std::optional<Response> Guard::stranger(const Request& request) const {
  const std::string_view host = request.header("host");
  if (host.empty()) return problem(request.path, 400, "the request has no Host header: send one");
  if (!knows_host(without_port(host)))
    return problem(request.path, 403,
                   "this server does not answer for the host '" + std::string(host) +
                       "': its operator may name it in --allowed-hosts");
  if (const std::string_view origin = request.header("origin"); !origin.empty() && !knows_origin(origin))
    return problem(request.path, 403,
                   "pages of '" + std::string(origin) +
                       "' may not ask this server: its operator may name them in --allowed-origins");
  return std::nullopt;
}

std::optional<Response> Guard::preflight(const Request& request) const {
  if (request.method != "OPTIONS" || request.header("origin").empty() ||
      request.header("access-control-request-method").empty())
    return std::nullopt;
  if (std::optional<Response> refused = stranger(request)) return refused;
  Response response{.status = 204, .type = ""};
  response.headers = {{"Access-Control-Allow-Methods", "GET, HEAD, POST, DELETE, OPTIONS"},
                      {"Access-Control-Max-Age", "600"}};
  // What it asks to send is nothing that a page could harm with: the key is asked for all the same.
  if (const std::string_view asked = request.header("access-control-request-headers"); !asked.empty())
    response.headers.emplace_back("Access-Control-Allow-Headers", asked);
  if (request.header("access-control-request-private-network") == "true")
    response.headers.emplace_back("Access-Control-Allow-Private-Network", "true");
  admit_page(request, response);
  return response;
}

void Guard::admit_page(const Request& request, Response& response) const {
  const std::string_view origin = request.header("origin");
  if (origin.empty() || !may_read(origin)) return;
  response.headers.emplace_back("Access-Control-Allow-Origin", origin);
  response.headers.emplace_back("Access-Control-Expose-Headers",
                                "Location, Retry-After, WWW-Authenticate, X-Request-Id");
  response.headers.emplace_back("Vary", "Origin");
}

namespace {

std::string_view sent_key(const Request& request) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view sent = request.header("authorization");
  return sent.starts_with(kBearer) ? sent.substr(kBearer.size()) : std::string_view();
}

}  // namespace

// All are compared, so that the time tells nothing.
std::string Guard::writer(const Request& request) const {
  const std::string_view key = sent_key(request);
  std::string name;
  for (const GuardOptions::Writer& writer : options_.writers)
    if (same_secret(key, writer.key) && !writer.key.empty()) name = writer.name;
  return name;
}

std::optional<Response> Guard::refusal(const Request& request) const {
  if (std::optional<Response> refused = stranger(request)) return refused;
  const bool open =
      std::find(options_.open.begin(), options_.open.end(), request.path) != options_.open.end();
  if (options_.key.empty() || open) return std::nullopt;
  const bool sends_it = same_secret(sent_key(request), options_.key);
  if (!writer(request).empty() || sends_it) return std::nullopt;
  return problem(request.path, 401, "send the key of this server: Authorization: Bearer KEY");
}

}  // namespace kgwalk::server
