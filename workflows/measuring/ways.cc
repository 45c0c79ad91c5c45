#include "workflows/measuring/ways.h"

#include <utility>

#include "rl/training/run.h"
#include "workflows/configured.h"

namespace kgwalk {
namespace {

// What the settings of an evaluation may hold.
struct RouteSettings {
  rl::RouteConfig route;
  template <class F>
  void fields(F& f) {
    f("route", route, "What a route may enter, and how far is looked ahead.");
  }
};

std::optional<Choice<rl::SearchWay>> search_named(const std::string& name) {
  Choice<rl::SearchWay> way = rl::SearchWay::kShortest;
  if (!way.assign(name)) return std::nullopt;
  return way;
}

}  // namespace

NamedWays::NamedWays(std::vector<std::string> names, const Settings& settings) : names_(std::move(names)) {
  refuse_preset(settings, "a measure");
  const bool set = !settings.assignments.empty() || !settings.files.empty() || !settings.values.empty();
  for (const std::string& name : names_) {
    const bool search = search_named(name).has_value();
    runs_.push_back(search ? std::nullopt : std::optional(rl::open_walker_run(name)));
    routes_.emplace_back();
    if (!set || search) continue;
    routes_.back() = with_values(settings, RouteSettings{rl::route_of(*runs_.back())}).route;
  }
}

rl::Way NamedWays::way(std::size_t i) const {
  rl::Way way;
  if (runs_[i]) way.run = &*runs_[i];
  if (const auto search = search_named(names_[i])) way.search = *search;
  way.route = routes_[i];
  return way;
}

std::filesystem::path NamedWays::database(const std::filesystem::path& given) const {
  if (!given.empty()) return given;
  for (const auto& run : runs_)
    if (run) return run->folder.manifest().database;
  throw ConfigError(names_.front() + ": is a search, which needs a database");
}

}  // namespace kgwalk
