// A service over the talk world, asked without a socket.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/service/service.h"
#include "tests/server/served_world.h"

namespace kgwalk::testing {

class Asking : public ::testing::Test {
 protected:
  server::Response ask(const std::string& method, const std::string& target, const Json& body = nullptr) {
    server::Request r = request(method, target, body);
    if (auto at_once = service_.at_once(r)) return *at_once;
    return service_.answer(r);
  }
  Json json(const std::string& method, const std::string& target, const Json& body = nullptr) {
    return Json::parse(ask(method, target, body).body);
  }
  // What a fault in a request is called: "param code".
  std::string fault(const std::string& target, const Json& body) {
    const server::Response answer = ask("POST", target, body);
    const Json error = Json::parse(answer.body).value("error", Json::object());
    EXPECT_FALSE(error.value("message", "").empty()) << answer.body;
    const Json param = error.value("param", Json());
    return std::to_string(answer.status) + " " + (param.is_string() ? param.get<std::string>() : "-") + " " +
           error.value("code", "");
  }
  // Json of each "data: " line of a stream but the last "[DONE]".
  static std::vector<Json> events(const server::Response& response) {
    const std::string text = streamed(response);
    std::vector<Json> out;
    for (std::size_t at = 0; (at = text.find("data: {", at)) != std::string::npos; ++at)
      out.push_back(Json::parse(text.substr(at + 6, text.find('\n', at) - at - 6)));
    return out;
  }
  server::Service service_{sources({"films", "books"}), {.version = KGWALK_VERSION}, talk_model};
};

}  // namespace kgwalk::testing
