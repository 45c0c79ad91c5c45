#include "server/http/router.h"

#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::size_t end = std::min(path.find('/'), path.size());
    parts.emplace_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return parts;
}

bool is_name(std::string_view part) { return part.starts_with('{') && part.ends_with('}'); }

bool fits(const std::vector<std::string>& pattern, const std::vector<std::string>& parts) {
  if (pattern.size() != parts.size()) return false;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (is_name(pattern[i]) ? parts[i].empty() : pattern[i] != parts[i]) return false;
  return true;
}

}  // namespace

void Router::add(Route route) {
  places_.push_back({parts_of(route.path)});
  routes_.push_back(std::move(route));
}

Response Router::answer(const Request& request) const {
  const std::vector<std::string> parts = parts_of(request.path);
  const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
  std::string allowed;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    if (!fits(places_[i].parts, parts)) continue;
    if (routes_[i].method != method) {
      allowed += (allowed.empty() ? "" : ", ") + routes_[i].method;
      continue;
    }
    Request filled = request;
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (const std::string& name = places_[i].parts[p]; is_name(name))
        filled.parts[name.substr(1, name.size() - 2)] = percent_decoded(parts[p]).value_or("");
    try {
      return routes_[i].handler(filled);
    } catch (const std::exception& error) {
      return problem_of(request.path, error);
    }
  }
  if (allowed.empty()) return problem(request.path, 404, "there is nothing at " + request.path);
  if (method == "OPTIONS") {
    Response told{.status = 204, .type = ""};
    told.headers.emplace_back("Allow", allowed + ", OPTIONS");
    return told;
  }
  Response refused =
      problem(request.path, 405, request.method + " is not answered at " + request.path + "; use " + allowed);
  refused.headers.emplace_back("Allow", allowed);
  return refused;
}

std::string Router::pattern_of(const Request& request) const {
  const std::vector<std::string> parts = parts_of(request.path);
  for (std::size_t i = 0; i < routes_.size(); ++i)
    if (fits(places_[i].parts, parts)) return routes_[i].path;
  return "other";
}

}  // namespace kgwalk::server
