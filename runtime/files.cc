#include "runtime/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "kgwalk/error.h"

namespace kgwalk {
namespace fs = std::filesystem;

void refuse_file(std::string_view doing, const fs::path& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw IoError(path.string() + ": cannot " + std::string(doing) + ": " +
                (full ? "the disk is full or a size limit is reached (" : "") + std::strerror(error) +
                (full ? "); free some space and run the command again" : ""));
}

namespace {

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags, const char* what)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (fd_ < 0) refuse_file(what, path, errno);
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const noexcept { return fd_; }
  // Reports what close says: some file systems tell of a full disk only then.
  void close(const fs::path& path) {
    const int fd = std::exchange(fd_, -1);
    if (::close(fd) != 0 && errno != EINTR) refuse_file("write", path, errno);
  }

 private:
  int fd_;
};

void write_all(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse_file("write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Some file systems cannot sync a folder (EINVAL); there is nothing better to do then.
void sync_path(const fs::path& path, int flags) {
  const Descriptor file(path, flags, "open");
  if (::fsync(file.get()) != 0 && errno != EINVAL && errno != EROFS) refuse_file("sync", path, errno);
}

void sync_tree(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory())
      sync_tree(entry.path());
    else if (entry.is_regular_file())
      sync_path(entry.path(), O_RDONLY);
  }
  sync_path(folder, O_RDONLY | O_DIRECTORY);
}

fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

fs::path sibling(const fs::path& path, const std::string& ending) {
  const fs::path plain = without_slash(path);
  return folder_of(plain) / ("." + plain.filename().string() + ending);
}

void rename_or_fail(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) refuse_file("rename to its final name", from, errno);
}

// Swaps two names in one step; false where the file system cannot.
bool exchange_names(const fs::path& a, const fs::path& b) {
  if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno == EINVAL || errno == ENOSYS || errno == ENOTSUP) return false;
  refuse_file("put in place", b, errno);
}

constexpr std::string_view kUnfinished = ".partial";

bool is_in_unfinished_folder(const fs::path& path) {
  for (const fs::path& part : path.parent_path())
    if (part.native().starts_with('.') && part.native().ends_with(kUnfinished)) return true;
  return false;
}

void write_and_rename(const fs::path& path, std::string_view bytes, bool sync) {
  static std::atomic<unsigned> counter{0};
  const fs::path temporary = sibling(
      path, "." + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1)) + ".partial");
  try {
    Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC, "create");
    write_all(file.get(), bytes, path);
    if (sync && ::fsync(file.get()) != 0) refuse_file("write", path, errno);
    file.close(path);
    rename_or_fail(temporary, path);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  if (sync) sync_path(folder_of(path), O_RDONLY | O_DIRECTORY);
}

template <class Fn>
void translate(Fn&& fn) {
  try {
    fn();
  } catch (const fs::filesystem_error& error) {
    refuse_file("change", error.path1(), error.code().value());
  }
}

}  // namespace

std::string read_file(const fs::path& path) {
  const Descriptor file(path, O_RDONLY, "open");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) refuse_file("read", path, errno);
  if (S_ISDIR(status.st_mode)) refuse_file("read", path, EISDIR);
  std::string bytes;
  // One byte more than the size, so that the end is seen without growing the buffer.
  bytes.resize(static_cast<std::size_t>(status.st_size) + 1);
  std::size_t size = 0;
  while (true) {
    if (size == bytes.size()) bytes.resize(2 * size);
    const ssize_t n = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse_file("read", path, errno);
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  bytes.resize(size);
  return bytes;
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  write_and_rename(path, bytes, /*sync=*/!is_in_unfinished_folder(path));
}

void replace_file(const fs::path& path, std::string_view bytes) {
  write_and_rename(path, bytes, /*sync=*/false);
}

void recover_folder(const fs::path& path) {
  std::error_code ignored;
  const fs::path old = sibling(path, ".old");
  if (fs::exists(old, ignored) && !fs::exists(path, ignored))
    ::rename(old.c_str(), without_slash(path).c_str());
}

fs::path begin_folder(const fs::path& path) {
  recover_folder(path);
  const fs::path temporary = sibling(path, ".partial");
  translate([&] {
    fs::remove_all(temporary);
    fs::create_directories(temporary);
  });
  return temporary;
}

void commit_folder(const fs::path& temporary, const fs::path& path) {
  const fs::path target = without_slash(path);
  translate([&] {
    sync_tree(temporary);
    if (!fs::exists(target)) {
      rename_or_fail(temporary, target);
    } else if (!exchange_names(temporary, target)) {
      const fs::path old = sibling(path, ".old");
      fs::remove_all(old);
      rename_or_fail(target, old);
      rename_or_fail(temporary, target);
      fs::remove_all(old);
    }
    sync_path(folder_of(target), O_RDONLY | O_DIRECTORY);
    fs::remove_all(temporary);  // holds the earlier folder after an exchange
  });
}

MappedFile::MappedFile(const fs::path& path) {
  const Descriptor file(path, O_RDONLY, "open");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) refuse_file("read", path, errno);
  if (S_ISDIR(status.st_mode)) refuse_file("read", path, EISDIR);
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) refuse_file("map", path, errno);
  data_ = static_cast<const char*>(address);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace kgwalk
