#include "server/state/event_hub.h"

#include <algorithm>
#include <iterator>

namespace kgwalk::server {

void EventHub::listen(const std::string& id, std::shared_ptr<Sink> sink) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  // Those that went without an event since would pile up otherwise.
  if (count_ >= most_) forget_the_gone();
  listeners_[id].push_back(std::move(sink));
  ++count_;
}

void EventHub::forget_the_gone() {
  for (auto it = listeners_.begin(); it != listeners_.end();) {
    count_ -= std::erase_if(it->second, [](const std::shared_ptr<Sink>& sink) { return !sink->send(""); });
    it = it->second.empty() ? listeners_.erase(it) : std::next(it);
  }
  most_ = std::max<std::size_t>(64, 2 * count_);
}

void EventHub::tell(const std::string& id, const std::string& event) {
  const std::lock_guard lock(mutex_);
  const auto found = listeners_.find(id);
  if (found == listeners_.end()) return;
  count_ -=
      std::erase_if(found->second, [&](const std::shared_ptr<Sink>& sink) { return !sink->send(event); });
  if (found->second.empty()) listeners_.erase(found);
}

void EventHub::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = listeners_.find(id);
  if (found == listeners_.end()) return;
  count_ -= found->second.size();
  listeners_.erase(found);
}

void EventHub::clear() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  listeners_.clear();
  count_ = 0;
}

std::size_t EventHub::size() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

}  // namespace kgwalk::server
