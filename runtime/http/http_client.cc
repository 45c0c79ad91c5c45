#include "runtime/http/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

constexpr double kConnect = 3;  // seconds at most, where more are given

struct CurlDone {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Curl = std::unique_ptr<CURL, void (*)(CURL*)>;
using Headers = std::unique_ptr<curl_slist, CurlDone>;

std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK || text == nullptr) return "";
  const std::string out = text;
  curl_free(text);
  return out;
}

// What comes of an answer while it comes.
struct Coming {
  std::string& body;
  std::size_t most;
  const StopFlag& stop;
};

std::size_t take(char* data, std::size_t size, std::size_t count, void* into) {
  auto& coming = *static_cast<Coming*>(into);
  if (coming.body.size() + size * count > coming.most) return 0;  // ends the transfer
  coming.body.append(data, size * count);
  return size * count;
}

int go_on(void* into, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<Coming*>(into)->stop.requested() ? 1 : 0;
}

long milliseconds(double seconds) { return std::max(1L, static_cast<long>(1000 * std::min(seconds, 1e6))); }

void prepare(CURL* curl, const HttpAsked& asked, curl_slist* headers, Coming& coming) {
  curl_easy_reset(curl);  // connections stay open
  curl_easy_setopt(curl, CURLOPT_URL, asked.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(asked.body.size()));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, asked.body.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");  // all that libcurl unpacks
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &coming);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &go_on);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &coming);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, milliseconds(asked.timeout_s));
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(std::min(asked.timeout_s, kConnect)));
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "kgwalk");
  if (const char* certificates = std::getenv("SSL_CERT_FILE"))
    curl_easy_setopt(curl, CURLOPT_CAINFO, certificates);
}

std::string text_of(CURL* curl, CURLINFO what) {
  const char* text = nullptr;
  return curl_easy_getinfo(curl, what, &text) == CURLE_OK && text != nullptr ? text : "";
}

}  // namespace

struct HttpClient::Impl {
  std::mutex mutex;
  std::vector<Curl> idle;  // guarded by mutex

  [[nodiscard]] Curl lend() {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return {curl_easy_init(), &curl_easy_cleanup};
    Curl curl = std::move(idle.back());
    idle.pop_back();
    return curl;
  }
  void give_back(Curl curl) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(curl));
  }
};

HttpClient::HttpClient() : impl_(std::make_unique<Impl>()) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (ready != CURLE_OK) throw IoError("libcurl cannot be used: its beginning failed");
}

HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

HttpAnswer HttpClient::post(const HttpAsked& asked, const StopFlag& stop) const {
  Curl curl = impl_->lend();
  if (!curl) return {.failure = "libcurl has no memory for it"};
  Headers headers;
  for (const std::string& header : asked.headers) {
    curl_slist* longer = curl_slist_append(headers.get(), header.c_str());
    if (longer == nullptr) return {.failure = "libcurl has no memory for it"};
    (void)headers.release();
    headers.reset(longer);
  }
  HttpAnswer answer;
  Coming coming{answer.body, asked.max_body, stop};
  prepare(curl.get(), asked, headers.get(), coming);
  const CURLcode done = curl_easy_perform(curl.get());
  if (done == CURLE_WRITE_ERROR) return {.failure = "its answer is too long"};
  if (done != CURLE_OK) return {.failure = curl_easy_strerror(done)};
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  answer.type = text_of(curl.get(), CURLINFO_CONTENT_TYPE);
  answer.location = text_of(curl.get(), CURLINFO_REDIRECT_URL);
  impl_->give_back(std::move(curl));
  return answer;
}

std::optional<HttpAddress> http_address(const std::string& url) {
  const std::unique_ptr<CURLU, CurlDone> parts(curl_url());
  if (!parts || curl_url_set(parts.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return std::nullopt;
  HttpAddress address{part_of(parts.get(), CURLUPART_SCHEME), part_of(parts.get(), CURLUPART_USER),
                      part_of(parts.get(), CURLUPART_HOST)};
  if (address.scheme != "http" && address.scheme != "https") return std::nullopt;
  return address;
}

std::string form_encoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') ||
                       c == '-' || c == '_' || c == '.';
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

}  // namespace kgwalk
