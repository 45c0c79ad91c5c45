// The folder of one training run: config.json (effective), metrics.jsonl, checkpoints/{best,last}/,
// results.json, plots/*.svg. See docs/formats.md.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/config.h"
#include "runtime/metrics.h"

namespace kgwalk {

class RunFolder {
 public:
  // Makes the folder (or takes an existing one of the same kind). `kind` ("walker", "text", "simulator", ...)
  // is written to run.json; a folder of another kind or version throws FormatError that says which command
  // made it. Two processes cannot write one run: the second throws StoreError.
  [[nodiscard]] static RunFolder create(const std::filesystem::path& path, std::string_view kind);
  // Opens for reading; throws FormatError when it is no run folder or of another kind, naming
  // what was expected.
  [[nodiscard]] static RunFolder open(const std::filesystem::path& path, std::string_view kind);

  // What kind of run lives there; empty when it is no run folder.
  [[nodiscard]] static std::string kind_of(const std::filesystem::path& path);

  RunFolder(RunFolder&&) noexcept;
  RunFolder& operator=(RunFolder&&) noexcept;
  ~RunFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path checkpoint(std::string_view name) const;  // "best" or "last"
  [[nodiscard]] bool has_checkpoint(std::string_view name) const;
  [[nodiscard]] MetricsWriter metrics() const;
  [[nodiscard]] std::vector<Json> read_metrics() const;

  void write_config(const Json& config) const;
  [[nodiscard]] Json read_config() const;
  // Merged into results.json under `key`.
  void write_result(std::string_view key, const Json& value) const;
  void write_plot(std::string_view name, std::string_view svg) const;  // plots/NAME.svg

 private:
  RunFolder(std::filesystem::path path, int lock_fd);
  std::filesystem::path path_;
  int lock_fd_ = -1;
};

}  // namespace kgwalk
