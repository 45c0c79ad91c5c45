#include "server/state/event_hub.h"

#include <algorithm>

namespace kgwalk::server {

void EventHub::listen(const std::string& id, std::shared_ptr<Sink> sink) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  std::vector<std::shared_ptr<Sink>>& sinks = listeners_[id];
  // Those that went without an event since would pile up otherwise.
  std::erase_if(sinks, [](const std::shared_ptr<Sink>& other) { return !other->send(""); });
  sinks.push_back(std::move(sink));
}

void EventHub::tell(const std::string& id, const std::string& event) {
  const std::lock_guard lock(mutex_);
  const auto found = listeners_.find(id);
  if (found == listeners_.end()) return;
  std::erase_if(found->second, [&](const std::shared_ptr<Sink>& sink) { return !sink->send(event); });
  if (found->second.empty()) listeners_.erase(found);
}

void EventHub::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  listeners_.erase(id);
}

void EventHub::clear() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  listeners_.clear();
}

std::size_t EventHub::size() const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const auto& [id, sinks] : listeners_) count += sinks.size();
  return count;
}

}  // namespace kgwalk::server
