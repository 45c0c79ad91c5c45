// A folder of its own in TMPDIR (else /tmp), gone with the object.
#pragma once

#include <filesystem>

namespace kgwalk {

class TemporaryFolder {
 public:
  TemporaryFolder();  // IoError where none can be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace kgwalk
