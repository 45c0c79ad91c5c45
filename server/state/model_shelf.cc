#include "server/state/model_shelf.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/text.h"
#include "server/http/problem.h"

namespace kgwalk::server {

ModelShelf::ModelShelf(std::vector<ModelSource> sources, std::size_t most, Open open)
    : places_(places_of(std::move(sources))), most_(most), open_(std::move(open)) {}

ModelShelf::Places ModelShelf::places_of(std::vector<ModelSource> sources) {
  if (sources.empty()) throw ConfigError("no model is given to serve");
  Places out;
  for (ModelSource& source : sources) {
    for (const auto& other : out)
      if (other->source.name == source.name)
        throw ConfigError(fmt::format("two models are called '{}'; give one another name", source.name));
    out.push_back(std::make_shared<Place>());
    out.back()->source = std::move(source);
  }
  return out;
}

ModelShelf::Places ModelShelf::places() const {
  const std::lock_guard lock(mutex_);
  return places_;
}

std::vector<ModelSource> ModelShelf::sources() const {
  std::vector<ModelSource> out;
  for (const auto& place : places()) out.push_back(place->source);
  return out;
}

std::vector<std::string> ModelShelf::names() const {
  std::vector<std::string> out;
  for (const auto& place : places()) out.push_back(place->source.name);
  return out;
}

std::shared_ptr<ModelShelf::Place> ModelShelf::place(std::string_view name) const {
  const Places all = places();
  if (name.empty()) return all.front();
  for (const auto& place : all)
    if (place->source.name == name) return place;
  std::string list;
  for (const std::string& known : names()) list += (list.empty() ? "" : ", ") + known;
  throw Refusal(
      404, fmt::format("there is no model '{}'{}; there are: {}", name, did_you_mean(name, names()), list),
      {.param = "model", .code = "model_not_found"});
}

std::string ModelShelf::full_name(std::string_view name) const { return place(name)->source.name; }

std::int64_t ModelShelf::made_at(std::string_view name) const {
  const std::string& run = place(name)->source.run;
  struct stat told {};
  if (run.empty() || ::stat((std::filesystem::path(run) / "run.json").c_str(), &told) != 0) return 0;
  return told.st_mtime;
}

std::shared_ptr<const Model> ModelShelf::get(std::string_view name) {
  const std::shared_ptr<Place> wanted = place(name);
  const auto take = [&] {
    const std::lock_guard lock(mutex_);
    wanted->used = ++clock_;
    return wanted->model;
  };
  if (auto model = take()) return model;
  const std::lock_guard opening(wanted->opening);
  if (auto model = take()) return model;  // somebody else has opened it meanwhile
  for (const std::string& left : make_room(*wanted)) told_(left);
  auto model = open_(wanted->source);
  const std::lock_guard lock(mutex_);
  wanted->model = model;
  return model;
}

// Before the new one is read, so that both need not fit. Returns who left.
std::vector<std::string> ModelShelf::make_room(const Place& keep) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> left;
  for (;;) {
    std::size_t loaded = 0;
    Place* oldest = nullptr;
    for (const auto& place : places_) {
      if (!place->model || place.get() == &keep) continue;
      ++loaded;
      if (oldest == nullptr || place->used < oldest->used) oldest = place.get();
    }
    if (loaded < most_) return left;
    oldest->model.reset();
    left.push_back(oldest->source.name);
  }
}

std::size_t ModelShelf::num_loaded() const {
  std::size_t count = 0;
  const std::lock_guard lock(mutex_);
  for (const auto& place : places_) count += place->model ? 1 : 0;
  return count;
}

std::vector<std::string> ModelShelf::reload(std::vector<ModelSource> sources) {
  Places fresh = places_of(std::move(sources));
  const Places before = places();
  std::vector<std::string> problems;
  for (auto& place : fresh) {
    const auto same = [&](const auto& other) { return other->source.name == place->source.name; };
    const auto old = std::find_if(before.begin(), before.end(), same);
    if (old == before.end() || !is_loaded(**old)) continue;  // is opened when it is asked for
    try {
      place->model = open_(place->source);
      place->used = (*old)->used;
    } catch (const std::exception& error) {
      problems.push_back(place->source.name + ": " + error.what());
      place = *old;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    places_ = fresh;
  }
  for (const auto& place : before)
    if (std::find(fresh.begin(), fresh.end(), place) == fresh.end()) told_(place->source.name);
  return problems;
}

std::vector<std::string> ModelShelf::renew(const std::function<bool(const Model&)>& is_behind) {
  std::vector<std::string> problems;
  for (const auto& place : places()) {
    if (!is_loaded(*place)) continue;
    const std::lock_guard opening(place->opening);
    const std::shared_ptr<const Model> before = loaded(*place);
    if (!before || !is_behind(*before)) continue;
    try {
      auto fresh = open_(place->source);
      {
        const std::lock_guard lock(mutex_);
        if (place->model == before) place->model = std::move(fresh);
      }
      told_(place->source.name);
    } catch (const std::exception& error) {
      problems.push_back(place->source.name + ": " + error.what());
    }
  }
  return problems;
}

std::shared_ptr<const Model> ModelShelf::loaded(const Place& place) const {
  const std::lock_guard lock(mutex_);
  return place.model;
}

bool ModelShelf::is_loaded(const Place& place) const { return loaded(place) != nullptr; }

}  // namespace kgwalk::server
