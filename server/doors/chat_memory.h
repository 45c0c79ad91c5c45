// What conversations over a stateless API have come to: the state after messages that a client will send
// again. Bounded; what is forgotten is only slower, since the messages can be followed anew.
#pragma once

#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "kgwalk/json.h"

namespace kgwalk::server {

// Thread-safe.
class ChatMemory {
 public:
  explicit ChatMemory(std::size_t most_bytes) : most_bytes_(most_bytes) {}
  [[nodiscard]] std::optional<Json> find(const std::string& key);
  void keep(const std::string& key, const Json& state);
  void forget(const std::string& key);

 private:
  using Entry = std::pair<std::string, std::string>;  // key, state as text
  void drop(const std::string& key);                  // with mutex_ held
  std::size_t most_bytes_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // used last first
  std::map<std::string, std::list<Entry>::iterator> places_;
  std::size_t bytes_ = 0;
};

}  // namespace kgwalk::server
