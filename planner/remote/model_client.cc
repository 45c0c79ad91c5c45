#include "planner/remote/model_client.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

constexpr std::size_t kLongest = 1 << 20;  // bytes of an answer
constexpr double kConnect = 3;             // seconds at most, where more are given

struct CurlDone {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Curl = std::unique_ptr<CURL, void (*)(CURL*)>;

std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK || text == nullptr) return "";
  const std::string out = text;
  curl_free(text);
  return out;
}

bool is_this_machine(const std::string& host) {
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

void check(const ModelEndpoint& endpoint) {
  const std::unique_ptr<CURLU, CurlDone> url(curl_url());
  const bool read = curl_url_set(url.get(), CURLUPART_URL, endpoint.url.c_str(), 0) == CURLUE_OK;
  const std::string scheme = read ? part_of(url.get(), CURLUPART_SCHEME) : "";
  if (scheme != "http" && scheme != "https")
    throw ConfigError(
        "the address of the language model must be one of http or https, as "
        "http://127.0.0.1:8081/v1");
  if (!part_of(url.get(), CURLUPART_USER).empty())
    throw ConfigError("the address of the language model holds a user: give the key by itself");
  if (!(endpoint.timeout_s > 0))
    throw ConfigError("the time for the language model must be more than 0 seconds");
  if (!endpoint.key.empty() && scheme == "http" && !is_this_machine(part_of(url.get(), CURLUPART_HOST)))
    throw ConfigError("the key of the language model would be sent in the clear: use https, or no key");
  if (endpoint.key.find_first_of("\r\n") != std::string::npos)
    throw ConfigError("the key of the language model must be one line");
}

std::size_t take(char* data, std::size_t size, std::size_t count, void* into) {
  auto& body = *static_cast<std::string*>(into);
  if (body.size() + size * count > kLongest) return 0;  // ends the transfer
  body.append(data, size * count);
  return size * count;
}

long milliseconds(double seconds) { return std::max(1L, static_cast<long>(1000 * std::min(seconds, 1e6))); }

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
  std::mutex mutex;
  std::vector<Curl> idle;  // guarded by mutex

  [[nodiscard]] Curl lend();
  void give_back(Curl curl);
  void prepare(CURL* curl, const std::string& body, curl_slist* headers, std::string& into) const;
  [[nodiscard]] std::string message(const ModelAsked& asked) const;
};

Curl ModelClient::Impl::lend() {
  const std::lock_guard lock(mutex);
  if (idle.empty()) return {curl_easy_init(), &curl_easy_cleanup};
  Curl curl = std::move(idle.back());
  idle.pop_back();
  return curl;
}

void ModelClient::Impl::give_back(Curl curl) {
  const std::lock_guard lock(mutex);
  idle.push_back(std::move(curl));
}

void ModelClient::Impl::prepare(CURL* curl, const std::string& body, curl_slist* headers,
                                std::string& into) const {
  curl_easy_reset(curl);  // connections stay open
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &into);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, milliseconds(endpoint.timeout_s));
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(std::min(endpoint.timeout_s, kConnect)));
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "kgwalk");
  if (const char* certificates = std::getenv("SSL_CERT_FILE"))
    curl_easy_setopt(curl, CURLOPT_CAINFO, certificates);
}

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
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (ready != CURLE_OK) throw IoError("libcurl cannot be used: its beginning failed");
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
  Curl curl = impl_->lend();
  if (!curl) throw fail("libcurl has no memory for it");
  std::unique_ptr<curl_slist, CurlDone> headers(curl_slist_append(nullptr, "Content-Type: application/json"));
  if (!impl_->endpoint.key.empty())
    curl_slist_append(headers.get(), ("Authorization: Bearer " + impl_->endpoint.key).c_str());
  const std::string body = impl_->message(asked);
  std::string into;
  impl_->prepare(curl.get(), body, headers.get(), into);
  const CURLcode done = curl_easy_perform(curl.get());
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  if (done == CURLE_OK) impl_->give_back(std::move(curl));
  if (done == CURLE_WRITE_ERROR) throw fail("its answer is too long");
  if (done != CURLE_OK) throw fail(curl_easy_strerror(done));
  if (status != 200) throw fail(fmt::format("it answered with the status {}", status));
  if (auto content = content_in(into)) return std::move(*content);
  throw fail("its answer is none of a chat");
}

}  // namespace kgwalk
