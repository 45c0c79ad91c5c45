// What is wrong with a configuration, collected so that all of it is told at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgwalk {

// Everything found wrong, one sentence each, prefixed by the dotted path of the field.
class Problems {
 public:
  void add(std::string_view where, std::string_view what);
  // Takes over the problems of a nested struct, whose field has this path.
  void add_below(std::string_view path, const Problems& nested);
  [[nodiscard]] bool empty() const noexcept { return list_.empty(); }
  [[nodiscard]] const std::vector<std::string>& list() const noexcept { return list_; }
  // Throws one ConfigError that names all problems; does nothing when there are none.
  void throw_if_any(std::string_view source) const;

 private:
  std::vector<std::string> list_;
};

// "a.b" for a field b of a; b alone at the top.
[[nodiscard]] std::string dotted(std::string_view path, std::string_view name);

}  // namespace kgwalk
