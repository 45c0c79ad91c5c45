// What went wrong, told to the client: problem json (RFC 9457), or the shape that OpenAI's clients know under
// /v1/.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "kgwalk/error.h"
#include "server/http/message.h"

namespace kgwalk::server {

// The field of a request that is at fault and the kind of fault, as OpenAI's clients are told:
// "messages[0].role",
// "invalid_value". Empty where there is none.
struct Fault {
  std::string param = {}, code = {};
};

// A request that is not answered, with its status.
class Refusal : public Error {
 public:
  Refusal(int status, const std::string& detail, int retry_after_s = 1)
      : Error(detail), status_(status), retry_after_s_(retry_after_s) {}
  Refusal(int status, const std::string& detail, Fault fault)
      : Error(detail), status_(status), fault_(std::move(fault)) {}
  [[nodiscard]] int status() const noexcept { return status_; }
  [[nodiscard]] int retry_after_s() const noexcept { return retry_after_s_; }
  [[nodiscard]] const Fault& fault() const noexcept { return fault_; }

 private:
  int status_, retry_after_s_ = 1;
  Fault fault_;
};

// What an error means to the client.
struct Failure {
  int status = 500;
  std::string detail = {};
  int retry_after_s = 1;
  Fault fault = {};
};

// `path` is that of the request, which decides the shape. 429 and 503 say after how many seconds to ask
// again.
[[nodiscard]] Response problem(std::string_view path, const Failure& failure);
[[nodiscard]] Response problem(std::string_view path, int status, std::string_view detail,
                               int retry_after_s = 1);

// A Refusal its own status, a ConfigError 400, all else 500, without what
// only the operator should see. For handlers of exceptions.
[[nodiscard]] Failure failure_of(const std::exception& error);
[[nodiscard]] Response problem_of(std::string_view path, const std::exception& error);

[[nodiscard]] std::string_view reason_of(int status);  // "Not Found"

}  // namespace kgwalk::server
