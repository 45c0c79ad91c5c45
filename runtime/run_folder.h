// The folder of one training run: its manifest (run.json, config.json), metrics.jsonl,
// checkpoints/{best,last}/, results.json, plots/*.svg. See docs/reference/formats/runtime.md.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/metrics.h"
#include "runtime/run_manifest.h"

namespace kgwalk {

class TemporaryFolder;

class RunFolder {
 public:
  // Makes the folder (or takes an existing one of the same kind) for writing. FormatError when it is of
  // another kind or version or holds something else. Two processes cannot write one run: the second throws
  // StoreError. Of several processes that train together (runtime/launch.h) rank 0 has the folder; the others
  // have one of their own, which is gone with the object.
  [[nodiscard]] static RunFolder create(const std::filesystem::path& path, const RunKind& kind);
  // Opens for reading; FormatError when it is no run folder or of none of `kinds`, naming what was expected.
  [[nodiscard]] static RunFolder open(const std::filesystem::path& path, std::span<const RunKind> kinds);
  [[nodiscard]] static RunFolder open(const std::filesystem::path& path, const RunKind& kind) {
    return open(path, {&kind, 1});
  }
  // Whether a run of any kind lies there.
  [[nodiscard]] static bool is_run(const std::filesystem::path& path);

  RunFolder(RunFolder&&) noexcept;
  RunFolder& operator=(RunFolder&&) noexcept;
  ~RunFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  // As it was read when the folder was opened, or as written since.
  [[nodiscard]] const RunManifest& manifest() const noexcept { return manifest_; }
  [[nodiscard]] std::filesystem::path checkpoint(std::string_view name) const;  // "best" or "last"
  [[nodiscard]] bool has_checkpoint(std::string_view name) const;
  // The folder of a checkpoint that must be there; FormatError otherwise.
  [[nodiscard]] std::filesystem::path need_checkpoint(std::string_view name) const;
  [[nodiscard]] MetricsWriter metrics() const;
  [[nodiscard]] std::vector<Json> read_metrics() const;

  // The manifest is of the same kind as the folder.
  void write_manifest(RunManifest manifest);
  void read_manifest();  // as it is on disk now; of a folder that create() gave
  // Merged into results.json under `key`.
  void write_result(std::string_view key, const Json& value) const;
  void write_plot(std::string_view name, std::string_view svg) const;  // plots/NAME.svg

 private:
  RunFolder(std::filesystem::path path, RunManifest manifest, int lock_fd);
  [[nodiscard]] static RunFolder create_here(const std::filesystem::path& path, const RunKind& kind);
  std::filesystem::path path_;
  RunManifest manifest_;
  int lock_fd_ = -1;
  RunKind kind_ = {};                           // where it is written
  std::shared_ptr<const TemporaryFolder> own_;  // where it is no other's
};

}  // namespace kgwalk
