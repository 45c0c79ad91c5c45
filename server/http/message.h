// A request and its response as the routes see them: values, no socket. Header names are in lower case.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kgwalk/json.h"

namespace kgwalk::server {

struct Request {
  std::string method;                          // "GET"
  std::string path;                            // as sent, without the query; parts are percent-encoded
  std::map<std::string, std::string> query;    // decoded; of a name given twice the last
  std::map<std::string, std::string> headers;  // "content-type"; of a name given twice all, by ", "
  std::map<std::string, std::string> parts;    // what the route's {names} stand for, decoded
  std::string body;
  std::string writer;  // who asks, where a key was sent that may change what is served; else empty
  std::string id;      // of this request, in its log line and in the header x-request-id

  // Empty when it was not sent.
  [[nodiscard]] std::string_view header(std::string_view name) const;
  // Whether the client asks for this kind of answer, "text/event-stream".
  [[nodiscard]] bool accepts(std::string_view type) const;
  // The body; Refusal (400) when it is no json. An empty body is an empty object.
  [[nodiscard]] Json json() const;
};

// Where a response that goes on for a while is written to. Thread-safe.
class Sink {
 public:
  virtual ~Sink() = default;
  // False when the client has gone: stop writing.
  virtual bool send(std::string bytes) = 0;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  // Set: the body is what this writes, piece by piece. It ends when the last holder of the sink lets go of
  // it.
  std::function<void(const std::shared_ptr<Sink>&)> stream = {};

  [[nodiscard]] static Response of(const Json& json, int status = 200);
};

// "/a%20b?x=1" taken apart into path and query; false when a percent code is broken.
[[nodiscard]] bool set_target(Request& request, std::string_view target);
// Percent codes (and in queries '+') read; nullopt when one is broken or the bytes are no UTF-8.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space = false);

// One server-sent event: "event: NAME", "data: ..." line by line.
[[nodiscard]] std::string event_text(std::string_view name, const Json& data);

// Json read from a client: Refusal (400) when it is none, or nested deeper than any request of ours.
[[nodiscard]] Json parsed(std::string_view text, std::string_view what);
// Json as text; bytes that are no UTF-8 are replaced, since a graph's names may hold anything.
[[nodiscard]] std::string dumped(const Json& json);

}  // namespace kgwalk::server
