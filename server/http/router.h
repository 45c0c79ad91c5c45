// Which function answers a request: by method and path. A path has parts in braces, "/api/v1/sessions/{id}",
// which stand for one part each.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message.h"

namespace kgwalk::server {

using Handler = std::function<Response(const Request&)>;

struct Route {
  std::string method;
  std::string path;
  Handler handler;
  std::string summary;                    // for the description of the routes
  Json input = Json();                    // schema of the body; of a GET, of the query; null: none
  Json output = Json();                   // schema of the answer; null: any
  std::string type = "application/json";  // of the answer
  std::string input_type = "application/json";
};

class Router {
 public:
  void add(Route route);
  // Answers, errors included: 404 when nothing has the path, 405 with the methods that it has, and problem
  // json for what a handler throws. OPTIONS is answered with the methods. HEAD is answered as GET; who sends
  // leaves the body out. Thread-safe.
  [[nodiscard]] Response answer(const Request& request) const;
  // "/api/v1/sessions/{id}", for metrics: few, whatever clients ask. "other" where there is none.
  [[nodiscard]] std::string pattern_of(const Request& request) const;
  [[nodiscard]] const std::vector<Route>& routes() const { return routes_; }

 private:
  struct Place {
    std::vector<std::string> parts;  // of the path
  };
  std::vector<Route> routes_;
  std::vector<Place> places_;  // of each route
};

}  // namespace kgwalk::server
