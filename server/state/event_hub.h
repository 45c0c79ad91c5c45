// Who listens to a conversation: each event goes to all of them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/http/message.h"

namespace kgwalk::server {

// Thread-safe.
class EventHub {
 public:
  void listen(const std::string& id, std::shared_ptr<Sink> sink);
  // Those that have gone are forgotten.
  void tell(const std::string& id, const std::string& event);
  void forget(const std::string& id);  // their streams end
  void clear();                        // and nobody listens any more: the server stops
  [[nodiscard]] std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  void forget_the_gone();
  std::map<std::string, std::vector<std::shared_ptr<Sink>>> listeners_;
  std::size_t count_ = 0,
              most_ = 64;  // when `count_` of all reaches `most_`, those that have gone are looked for
  bool closed_ = false;
};

}  // namespace kgwalk::server
