// Files: whole-file reads, atomic writes, temporary names. All errors are IoError with path and errno's text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace kgwalk {

// Throws the IoError of an operation that failed with errno `error`: "PATH: cannot write: ...", and where the
// disk is full or a size limit is reached, that room must be made.
[[noreturn]] void refuse_file(std::string_view doing, const std::filesystem::path& path, int error);

[[nodiscard]] std::string read_file(const std::filesystem::path& path);

// Writes to a temporary name beside `path`, syncs file and folder, renames. A crash or full disk leaves the
// old file. Inside a folder that write_folder_atomically is filling nothing is synced: the whole folder is,
// once, at its end.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);
// The same without syncing, for what can be made again (plots): whole after a kill, not after
// a power failure.
void replace_file(const std::filesystem::path& path, std::string_view bytes);

// Makes the folder `path` hold exactly what `fill(temporary)` wrote: fills a sibling folder, syncs it, swaps
// names. An earlier folder stays until the new one is complete.
template <class Fill>
void write_folder_atomically(const std::filesystem::path& path, Fill&& fill);

// Pieces of the template above.
[[nodiscard]] std::filesystem::path begin_folder(const std::filesystem::path& path);
void commit_folder(const std::filesystem::path& temporary, const std::filesystem::path& path);
// Where names cannot be exchanged in one step, a kill can leave the earlier folder under a hidden name:
// puts it back.
void recover_folder(const std::filesystem::path& path);

template <class Fill>
void write_folder_atomically(const std::filesystem::path& path, Fill&& fill) {
  const std::filesystem::path temporary = begin_folder(path);
  try {
    fill(temporary);
    commit_folder(temporary, path);
  } catch (...) {
    std::error_code ignored;  // the first error is the one to tell
    std::filesystem::remove_all(temporary, ignored);
    throw;
  }
}

// A read-only memory map of a file; empty files map to an empty view.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  [[nodiscard]] std::string_view bytes() const noexcept { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace kgwalk
