#include "server/doors/chat_memory.h"

namespace kgwalk::server {

std::optional<Json> ChatMemory::find(const std::string& key) {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    text = found->second->second;
  }
  return Json::parse(text);
}

void ChatMemory::drop(const std::string& key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return;
  bytes_ -= found->second->second.size();
  entries_.erase(found->second);
  places_.erase(found);
}

void ChatMemory::forget(const std::string& key) {
  const std::lock_guard lock(mutex_);
  drop(key);
}

void ChatMemory::keep(const std::string& key, const Json& state) {
  std::string text = state.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::lock_guard lock(mutex_);
  drop(key);
  bytes_ += text.size();
  entries_.emplace_front(key, std::move(text));
  places_[key] = entries_.begin();
  while (bytes_ > most_bytes_ && entries_.size() > 1) {
    bytes_ -= entries_.back().second.size();
    places_.erase(entries_.back().first);
    entries_.pop_back();
  }
}

}  // namespace kgwalk::server
