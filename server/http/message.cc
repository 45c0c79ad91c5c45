#include "server/http/message.h"

#include "runtime/text.h"
#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool set_query(Request& request, std::string_view query) {
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const auto name = percent_decoded(pair.substr(0, equals), true);
    const auto value = equals == std::string_view::npos ? std::optional<std::string>("")
                                                        : percent_decoded(pair.substr(equals + 1), true);
    if (!name || !value) return false;
    request.query[*name] = *value;
  }
  return true;
}

}  // namespace

std::string_view Request::header(std::string_view name) const {
  const auto it = headers.find(std::string(name));
  return it == headers.end() ? std::string_view() : std::string_view(it->second);
}

bool Request::accepts(std::string_view type) const {
  return header("accept").find(type) != std::string_view::npos;
}

Json Request::json() const { return body.empty() ? Json::object() : parsed(body, "the body"); }

Response Response::of(const Json& json, int status) {
  Response response;
  response.status = status;
  response.body = dumped(json) + "\n";
  return response;
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(16 * high + low);
      i += 2;
    } else {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  if (invalid_utf8_at(out)) return std::nullopt;
  return out;
}

bool set_target(Request& request, std::string_view target) {
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (request.path.empty() || request.path.front() != '/' || !percent_decoded(request.path)) return false;
  return mark == std::string_view::npos || set_query(request, target.substr(mark + 1));
}

std::string event_text(std::string_view name, const Json& data) {
  std::string out;
  if (!name.empty()) out = "event: " + std::string(name) + "\n";
  return out + "data: " + dumped(data) + "\n\n";  // json text holds no line breaks
}

Json parsed(std::string_view text, std::string_view what) {
  constexpr int kDeepest = 64;  // copying json recurses: what is too deep would end the program
  const Json::parser_callback_t check = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) throw Refusal(400, std::string(what) + " is nested too deeply");
    return true;
  };
  Json json = Json::parse(text, check, false);
  if (json.is_discarded()) throw Refusal(400, std::string(what) + " is no json");
  return json;
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace kgwalk::server
