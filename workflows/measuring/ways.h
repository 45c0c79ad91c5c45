// What is walked where walks are measured: runs of either stage, or searches, which are none.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/settings.h"
#include "rl/training/measure.h"

namespace kgwalk {

// Runs opened once. What the settings say of routes holds for all of them in place of what each was trained
// with.
class NamedWays {
 public:
  NamedWays(std::vector<std::string> names, const Settings& settings);

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return names_[i]; }
  [[nodiscard]] rl::Way way(std::size_t i) const;
  // nullptr for a search.
  [[nodiscard]] walker::WalkerRun* run(std::size_t i) { return runs_[i] ? &*runs_[i] : nullptr; }
  // `given`, or the first run's; ConfigError when there is neither.
  [[nodiscard]] std::filesystem::path database(const std::filesystem::path& given) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::optional<walker::WalkerRun>> runs_;  // nothing for what is a search
  std::vector<std::optional<rl::RouteConfig>> routes_;
};

}  // namespace kgwalk
