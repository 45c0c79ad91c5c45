#include "runtime/spool_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/files.h"

namespace kgwalk {
SpoolFile::SpoolFile(const std::filesystem::path& folder) : folder_(folder) {
  std::string name = (folder / "spool.XXXXXX").string();
  fd_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd_ < 0) refuse_file("make a temporary file", folder_, errno);
  ::unlink(name.c_str());
}

SpoolFile::~SpoolFile() {
  unmap();
  ::close(fd_);
}

void SpoolFile::unmap() noexcept {
  if (data_ != nullptr) ::munmap(data_, mapped_);
  data_ = nullptr;
}

void SpoolFile::append(std::string_view bytes) { write_at(size_, bytes); }

void SpoolFile::write_at(std::uint64_t position, std::string_view bytes) {
  unmap();
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(position));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse_file("write a temporary file", folder_, errno);
    position += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ = std::max(size_, position);
}

void SpoolFile::read_at(std::uint64_t position, std::span<char> bytes) const {
  while (!bytes.empty()) {
    const ssize_t length = ::pread(fd_, bytes.data(), bytes.size(), static_cast<off_t>(position));
    if (length < 0 && errno == EINTR) continue;
    if (length == 0) errno = EIO;
    if (length <= 0) refuse_file("read a temporary file", folder_, errno);
    position += static_cast<std::uint64_t>(length);
    bytes = bytes.subspan(static_cast<std::size_t>(length));
  }
}

std::string_view SpoolFile::map() {
  if (size_ == 0) return {};
  if (data_ == nullptr) {
    void* const at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd_, 0);
    if (at == MAP_FAILED) refuse_file("map a temporary file", folder_, errno);
    data_ = at;
    mapped_ = size_;
  }
  return {static_cast<const char*>(data_), size_};
}

void release_mapped(std::string_view part) noexcept {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(part.data()) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(part.data()) + part.size()) / page * page;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace kgwalk
