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

namespace {

std::string_view type_of(int status) {
  if (status == 401) return "authentication_error";
  if (status == 403) return "permission_error";
  if (status == 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

// What OpenAI's clients tell faults apart by, where the refusal itself names none.
std::string code_of(const Failure& failure) {
  if (!failure.fault.code.empty()) return failure.fault.code;
  switch (failure.status) {
    case 401:
      return "invalid_api_key";
    case 403:
      return "permission_denied";
    case 404:
      return "not_found";
    case 405:
      return "method_not_allowed";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_exceeded";
    default:
      return failure.status < 500 ? "invalid_request" : "server_error";
  }
}

Json openai_error(const Failure& failure) {
  const std::string& param = failure.fault.param;
  return {{"error",
           {{"message", failure.detail},
            {"type", type_of(failure.status)},
            {"param", param.empty() ? Json(nullptr) : Json(param)},
            {"code", code_of(failure)}}}};
}

}  // namespace

Response problem(std::string_view path, const Failure& failure) {
  const bool openai = path.starts_with("/v1/");
  const int status = failure.status;
  Response response = Response::of(openai ? openai_error(failure)
                                          : Json{{"type", "about:blank"},
                                                 {"title", reason_of(status)},
                                                 {"status", status},
                                                 {"detail", failure.detail}},
                                   status);
  if (!openai) response.type = "application/problem+json";
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (status == 429 || status == 503)
    response.headers.emplace_back("Retry-After", std::to_string(std::max(1, failure.retry_after_s)));
  return response;
}

Response problem(std::string_view path, int status, std::string_view detail, int retry_after_s) {
  return problem(path, {.status = status, .detail = std::string(detail), .retry_after_s = retry_after_s});
}

Failure failure_of(const std::exception& error) {
  if (const auto* refusal = dynamic_cast<const Refusal*>(&error))
    return {refusal->status(), refusal->what(), refusal->retry_after_s(), refusal->fault()};
  if (dynamic_cast<const ConfigError*>(&error) != nullptr) return {.status = 400, .detail = error.what()};
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return {.status = 503, .detail = "out of memory"};
  if (dynamic_cast<const Error*>(&error) != nullptr) return {.status = 500, .detail = error.what()};
  return {.status = 500, .detail = "internal error"};
}

Response problem_of(std::string_view path, const std::exception& error) {
  return problem(path, failure_of(error));
}

}  // namespace kgwalk::server
