// Asks a language model that another program serves, by OpenAI's chat completions over HTTP
// (runtime/http/http_client.h). Torch-free.
#pragma once

#include <memory>
#include <string>

#include "kgwalk/json.h"

namespace kgwalk {

struct ModelEndpoint {
  std::string url = {}, model = {}, key = {};  // as in PhrasingOptions
  double timeout_s = 10;
};

struct ModelAsked {
  std::string system, user;
  int most_tokens = 300;
  Json response_format = nullptr;  // as OpenAI's; null: text
};

class ModelClient {
 public:
  // Asks nobody yet. ConfigError for what is no address of http or https, one with a user in it, a time that
  // is not positive, and a key that would be sent in the clear to another machine.
  explicit ModelClient(ModelEndpoint endpoint);
  ModelClient(ModelClient&&) noexcept;
  ~ModelClient();

  // The content of the answer. IoError, which tells the address and never the key: no connection, too late, a
  // status other than 200, an answer that is too long or none of a chat. Redirections are not followed.
  // Thread-safe; connections are kept and used again.
  [[nodiscard]] std::string answer(const ModelAsked& asked) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk
