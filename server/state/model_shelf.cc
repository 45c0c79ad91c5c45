#include "server/state/model_shelf.h"

#include <fmt/format.h>

#include <utility>

#include "kgwalk/error.h"
#include "runtime/text.h"
#include "server/http/problem.h"

namespace kgwalk::server {

ModelShelf::ModelShelf(std::vector<ModelSource> sources, std::size_t most, Open open)
    : most_(most), open_(std::move(open)) {
  if (sources.empty()) throw ConfigError("no model is given to serve");
  for (ModelSource& source : sources) {
    for (const auto& other : places_)
      if (other->source.name == source.name)
        throw ConfigError(fmt::format("two models are called '{}'; give one another name", source.name));
    places_.push_back(std::make_unique<Place>());
    places_.back()->source = std::move(source);
  }
}

std::vector<std::string> ModelShelf::names() const {
  std::vector<std::string> out;
  for (const auto& place : places_) out.push_back(place->source.name);
  return out;
}

ModelShelf::Place& ModelShelf::place(std::string_view name) const {
  if (name.empty()) return *places_.front();
  for (const auto& place : places_)
    if (place->source.name == name) return *place;
  std::string list;
  for (const std::string& known : names()) list += (list.empty() ? "" : ", ") + known;
  throw Refusal(
      404, fmt::format("there is no model '{}'{}; there are: {}", name, did_you_mean(name, names()), list));
}

std::string ModelShelf::full_name(std::string_view name) const { return place(name).source.name; }

std::shared_ptr<const Model> ModelShelf::get(std::string_view name) {
  Place& wanted = place(name);
  const auto take = [&] {
    const std::lock_guard lock(mutex_);
    wanted.used = ++clock_;
    return wanted.model;
  };
  if (auto model = take()) return model;
  const std::lock_guard opening(wanted.opening);
  if (auto model = take()) return model;  // somebody else has opened it meanwhile
  for (const std::string& left : make_room(wanted)) told_(left);
  auto model = open_(wanted.source);
  const std::lock_guard lock(mutex_);
  wanted.model = model;
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
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const auto& place : places_) count += place->model ? 1 : 0;
  return count;
}

void ModelShelf::reload() {
  for (const auto& place : places_) {
    {
      const std::lock_guard lock(mutex_);
      place->model.reset();
    }
    told_(place->source.name);
  }
}

}  // namespace kgwalk::server
