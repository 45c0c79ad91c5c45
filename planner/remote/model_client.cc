#include "planner/remote/model_client.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/http/http_client.h"

namespace kgwalk {
namespace {

bool is_this_machine(const std::string& host) {
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

void check(const ModelEndpoint& endpoint) {
  const std::optional<HttpAddress> address = http_address(endpoint.url);
  if (!address)
    throw ConfigError(
        "the address of the language model must be one of http or https, as "
        "http://127.0.0.1:8081/v1");
  if (!address->user.empty())
    throw ConfigError("the address of the language model holds a user: give the key by itself");
  if (!(endpoint.timeout_s > 0))
    throw ConfigError("the time for the language model must be more than 0 seconds");
  if (!endpoint.key.empty() && address->scheme == "http" && !is_this_machine(address->host))
    throw ConfigError("the key of the language model would be sent in the clear: use https, or no key");
  if (endpoint.key.find_first_of("\r\n") != std::string::npos)
    throw ConfigError("the key of the language model must be one line");
}

// The content of {"choices": [{"message": {"content": TEXT}}]}; nullopt where it is none such.
std::optional<std::string> content_in(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  const Json::json_pointer place("/choices/0/message/content");
  if (!json.is_object() || !json.contains(place) || !json.at(place).is_string()) return std::nullopt;
  return json.at(place).get<std::string>();
}

}  // namespace

struct ModelClient::Impl {
  ModelEndpoint endpoint;
  std::string url;
  HttpClient client;

  [[nodiscard]] std::string message(const ModelAsked& asked) const;
};

std::string ModelClient::Impl::message(const ModelAsked& asked) const {
  Json body = Json::object();
  if (!endpoint.model.empty()) body["model"] = endpoint.model;
  body["messages"] = Json::array(
      {{{"role", "system"}, {"content", asked.system}}, {{"role", "user"}, {"content", asked.user}}});
  body["temperature"] = 0;
  body["max_tokens"] = asked.most_tokens;
  if (!asked.response_format.is_null()) body["response_format"] = asked.response_format;
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ModelClient::ModelClient(ModelEndpoint endpoint) : impl_(std::make_unique<Impl>()) {
  check(endpoint);
  impl_->endpoint = std::move(endpoint);
  impl_->url = impl_->endpoint.url;
  while (impl_->url.ends_with('/')) impl_->url.pop_back();
  impl_->url += "/chat/completions";
}

ModelClient::ModelClient(ModelClient&&) noexcept = default;
ModelClient::~ModelClient() = default;

std::string ModelClient::answer(const ModelAsked& asked) const {
  const auto fail = [&](const std::string& why) {
    return IoError(fmt::format("the language model at {}: {}", impl_->endpoint.url, why));
  };
  HttpAsked request{.url = impl_->url, .body = impl_->message(asked)};
  request.headers = {"Content-Type: application/json"};
  if (!impl_->endpoint.key.empty()) request.headers.push_back("Authorization: Bearer " + impl_->endpoint.key);
  request.timeout_s = impl_->endpoint.timeout_s;
  const HttpAnswer answer = impl_->client.post(request);
  if (!answer.failure.empty()) throw fail(answer.failure);
  if (answer.status != 200) throw fail(fmt::format("it answered with the status {}", answer.status));
  if (auto content = content_in(answer.body)) return std::move(*content);
  throw fail("its answer is none of a chat");
}

}  // namespace kgwalk
