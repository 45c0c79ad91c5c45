#include "server/http/problem.h"

#include <algorithm>
#include <new>
#include <string>

namespace kgwalk::server {

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Payload Too Large";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

Response problem(std::string_view path, int status, std::string_view detail, int retry_after_s) {
  const bool openai = path.starts_with("/v1/");
  const std::string_view kind = status == 401   ? "authentication_error"
                                : status == 403 ? "permission_error"
                                : status == 429 ? "rate_limit_error"
                                : status < 500  ? "invalid_request_error"
                                                : "server_error";
  Response response = Response::of(
      openai ? Json{{"error", {{"message", detail}, {"type", kind}, {"param", nullptr}, {"code", nullptr}}}}
             : Json{{"type", "about:blank"},
                    {"title", reason_of(status)},
                    {"status", status},
                    {"detail", detail}},
      status);
  if (!openai) response.type = "application/problem+json";
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (status == 429 || status == 503)
    response.headers.emplace_back("Retry-After", std::to_string(std::max(1, retry_after_s)));
  return response;
}

Failure failure_of(const std::exception& error) {
  if (const auto* refusal = dynamic_cast<const Refusal*>(&error))
    return {refusal->status(), refusal->what(), refusal->retry_after_s()};
  if (dynamic_cast<const ConfigError*>(&error) != nullptr) return {400, error.what()};
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return {503, "out of memory"};
  if (dynamic_cast<const Error*>(&error) != nullptr) return {500, error.what()};
  return {500, "internal error"};
}

Response problem_of(std::string_view path, const std::exception& error) {
  const Failure failure = failure_of(error);
  return problem(path, failure.status, failure.detail, failure.retry_after_s);
}

}  // namespace kgwalk::server
