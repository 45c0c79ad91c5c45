// A large file written piece by piece: under a temporary name beside its own until commit(), which syncs and
// renames.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace kgwalk {

// Destroyed before commit(), it leaves nothing. All errors are IoError with path and errno's text.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  void write(std::string_view bytes);
  void commit();

 private:
  void flush();
  std::filesystem::path path_, temporary_;
  std::string buffer_;
  int fd_ = -1;
};

}  // namespace kgwalk
