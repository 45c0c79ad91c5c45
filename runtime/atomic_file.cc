#include "runtime/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

std::filesystem::path parent_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace

// What cannot be replaced by a file of its name.
bool AtomicFile::open_stream() {
  std::error_code ignored;
  if (path_ == "-" || path_ == "/dev/stdout") {
    fd_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  } else if (const auto kind = std::filesystem::status(path_, ignored); std::filesystem::is_other(kind)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    return false;
  }
  if (fd_ < 0) refuse_file("open", path_, errno);
  return true;
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  if (open_stream()) return;
  static std::atomic<unsigned> counter{0};
  temporary_ = parent_of(path_) / ("." + path_.filename().string() + "." + std::to_string(::getpid()) +
                                   "-stream" + std::to_string(counter.fetch_add(1)) + ".partial");
  fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) refuse_file("create", path_, errno);
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::flush() {
  for (std::string_view left = buffer_; !left.empty();) {
    const ssize_t written = ::write(fd_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse_file("write", path_, errno);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void AtomicFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBufferBytes) flush();
}

void AtomicFile::commit() {
  flush();
  if (temporary_.empty()) return;
  if (::fsync(fd_) != 0) refuse_file("write", path_, errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) refuse_file("rename to its final name", path_, errno);
  ::close(std::exchange(fd_, -1));
  const int folder = ::open(parent_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // the file is in place; not every file system opens its folders
  ::fsync(folder);
  ::close(folder);
}

}  // namespace kgwalk
