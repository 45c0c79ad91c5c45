// A file without a name for what does not fit into memory: gone with the object, or with the process. All
// errors are IoError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace kgwalk {

// Not thread-safe; read_at() alone may be called by several threads.
class SpoolFile {
 public:
  explicit SpoolFile(const std::filesystem::path& folder);
  ~SpoolFile();
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  void append(std::string_view bytes);
  void write_at(std::uint64_t position, std::string_view bytes);
  void read_at(std::uint64_t position, std::span<char> bytes) const;
  // One past the last byte that was written.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  // All of it, until the next write. Whoever reads much of it releases what was read (release_mapped()).
  [[nodiscard]] std::string_view map();

 private:
  void unmap() noexcept;

  std::filesystem::path folder_;
  int fd_ = -1;
  std::uint64_t size_ = 0, mapped_ = 0;
  void* data_ = nullptr;
};

// Whole pages among `part` of a file that is mapped are given back: they no longer count as this process's
// memory, and come back from the file when they are touched again. `part` must lie in such a mapping.
void release_mapped(std::string_view part) noexcept;

}  // namespace kgwalk
