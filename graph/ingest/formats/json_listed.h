// The objects that a text of JSON lists, by what they are known by and called: whether one that lies within
// another is one of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>

namespace kgwalk::graph {

class ListedObjects {
 public:
  // Goes through the whole text.
  explicit ListedObjects(std::string_view bytes);
  [[nodiscard]] bool has(std::string_view id, std::string_view name) const;

 private:
  std::unordered_set<std::uint64_t> known_;  // hashes of ids and names
};

}  // namespace kgwalk::graph
