// A large file written piece by piece: under a temporary name beside its own until commit(), which syncs and
// renames. Standard output ("-", /dev/stdout), a pipe or a device is written straight.
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
  // Hands on what was written so far: what is at the other end of a pipe can read it now.
  void flush();
  void commit();

 private:
  [[nodiscard]] bool open_stream();
  std::filesystem::path path_, temporary_;  // the latter empty: written straight
  std::string buffer_;
  int fd_ = -1;
};

}  // namespace kgwalk
