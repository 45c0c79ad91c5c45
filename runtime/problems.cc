#include "runtime/problems.h"

#include "kgwalk/error.h"

namespace kgwalk {

void Problems::add(std::string_view where, std::string_view what) {
  list_.push_back(where.empty() ? std::string(what) : std::string(where) + ": " + std::string(what));
}

void Problems::add_below(std::string_view path, const Problems& nested) {
  for (const std::string& problem : nested.list_) list_.push_back(dotted(path, problem));
}

void Problems::throw_if_any(std::string_view source) const {
  if (list_.empty()) return;
  std::string text(source);
  for (const std::string& problem : list_) text += (&problem == &list_.front() ? ": " : "; ") + problem;
  throw ConfigError(text);
}

std::string dotted(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : std::string(path) + "." + std::string(name);
}

}  // namespace kgwalk
