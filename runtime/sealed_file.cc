#include "runtime/sealed_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/files.h"

namespace kgwalk {
namespace {

constexpr std::array<char, 8> kSealMagic = {'K', 'G', 'W', 'S', 'E', 'A', 'L', '1'};

struct SealFooter {
  std::uint64_t bytes, block_bytes, num_blocks;
  std::uint64_t sums_hash;  // XXH3-64 of the blocks' checksums
  std::array<char, 64> tag;
  std::uint64_t hash;  // XXH3-64 of what stands before
  std::array<char, 8> magic;
};
static_assert(sizeof(SealFooter) == 112);

constexpr std::uint64_t kOnItsWayBytes = 8 << 20;

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

std::uint64_t hash_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

template <class T>
std::string_view bytes_of_values(const T* values, std::size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

}  // namespace

SealedFile::SealedFile(std::filesystem::path path, Remedy remedy)
    : path_(std::move(path)), remedy_(std::move(remedy)) {
  const int fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) refuse_file("open", path_, errno);
  struct stat found {};
  const bool told = ::fstat(fd, &found) == 0;
  mapped_ = told ? static_cast<std::size_t>(found.st_size) : 0;
  void* at = mapped_ == 0 ? nullptr : ::mmap(nullptr, mapped_, PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  if (!told || at == MAP_FAILED) refuse_file("map", path_, errno);
  data_ = static_cast<const char*>(at);
  try {
    read_footer();
  } catch (...) {
    if (data_ != nullptr) ::munmap(at, mapped_);
    throw;
  }
}

SealedFile::~SealedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), mapped_);
}

void SealedFile::refuse(const std::string& why) const {
  throw StoreError(path_.string() + ": " + why + "; make the database again, or put a copy of the file back",
                   remedy_);
}

void SealedFile::read_footer() {
  SealFooter footer{};
  if (mapped_ < sizeof(footer)) refuse("is too short: its end is missing");
  std::memcpy(&footer, data_ + mapped_ - sizeof(footer), sizeof(footer));
  if (footer.magic != kSealMagic ||
      hash_of({data_ + mapped_ - sizeof(footer), offsetof(SealFooter, hash)}) != footer.hash)
    refuse("its end is damaged or missing");
  const std::size_t sums_at = padded(footer.bytes);
  if (footer.block_bytes != kSealedBlockBytes ||
      footer.num_blocks != (footer.bytes + kSealedBlockBytes - 1) / kSealedBlockBytes ||
      mapped_ != sums_at + footer.num_blocks * sizeof(std::uint64_t) + sizeof(footer))
    refuse("has another length than its end says");
  size_ = footer.bytes;
  sums_ = {reinterpret_cast<const std::uint64_t*>(data_ + sums_at), footer.num_blocks};
  if (hash_of(bytes_of_values(sums_.data(), sums_.size())) != footer.sums_hash)
    refuse("the checksums of its blocks are damaged");
  tag_.assign(footer.tag.data(), ::strnlen(footer.tag.data(), footer.tag.size()));
  checked_ = std::vector<std::atomic<std::uint64_t>>((sums_.size() + 63) / 64);
}

void SealedFile::check_block(std::size_t block) const {
  const std::size_t begin = block * kSealedBlockBytes, end = std::min(begin + kSealedBlockBytes, size_);
  if (hash_of({data_ + begin, end - begin}) != sums_[block])
    refuse("block " + std::to_string(block) + " (bytes " + std::to_string(begin) + " to " +
           std::to_string(end - 1) + ") is damaged");
  checked_[block / 64].fetch_or(std::uint64_t{1} << (block % 64), std::memory_order_relaxed);
}

SealedFileWriter::SealedFileWriter(std::filesystem::path path) : path_(std::move(path)) {
  // What lies under the name may be mapped by others, so it is not written through.
  if (::unlink(path_.c_str()) != 0 && errno != ENOENT) refuse_file("replace", path_, errno);
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) refuse_file("create", path_, errno);
  block_.reserve(kSealedBlockBytes);
}

SealedFileWriter::~SealedFileWriter() {
  if (fd_ >= 0) ::close(fd_);
}

void SealedFileWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse_file("write", path_, errno);
    written_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  // The disk works meanwhile, and the sync at the end is short.
  if (written_ - on_its_way_ < kOnItsWayBytes) return;
  ::sync_file_range(fd_, static_cast<off_t>(on_its_way_), static_cast<off_t>(written_ - on_its_way_),
                    SYNC_FILE_RANGE_WRITE);
  on_its_way_ = written_;
}

void SealedFileWriter::end_block() {
  if (block_.empty()) return;
  sums_.push_back(hash_of(block_));
  write(block_);
  if (sums_.size() == 1) first_ = block_;
  block_.clear();
}

void SealedFileWriter::append(std::string_view bytes) {
  size_ += bytes.size();
  while (!bytes.empty()) {
    const std::size_t taken = std::min(bytes.size(), kSealedBlockBytes - block_.size());
    block_ += bytes.substr(0, taken);
    bytes.remove_prefix(taken);
    if (block_.size() == kSealedBlockBytes) end_block();
  }
}

void SealedFileWriter::put_first(std::string_view bytes) {
  std::string& block = sums_.empty() ? block_ : first_;
  block.replace(0, bytes.size(), bytes);
  if (sums_.empty()) return;
  sums_[0] = hash_of(block);
  if (::pwrite(fd_, block.data(), block.size(), 0) != static_cast<ssize_t>(block.size()))
    refuse_file("write", path_, errno);
}

void SealedFileWriter::finish(std::string_view tag) {
  end_block();
  write(std::string(padded(size_) - size_, '\0'));
  const std::string_view sums = bytes_of_values(sums_.data(), sums_.size());
  SealFooter footer{size_, kSealedBlockBytes, sums_.size(), hash_of(sums), {}, 0, kSealMagic};
  tag.copy(footer.tag.data(), footer.tag.size());
  footer.hash = hash_of({reinterpret_cast<const char*>(&footer), offsetof(SealFooter, hash)});
  write(sums);
  write({reinterpret_cast<const char*>(&footer), sizeof(footer)});
  if (::fsync(fd_) != 0) refuse_file("sync", path_, errno);
  if (::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) refuse_file("write", path_, errno);
  const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;  // the file is in place; not every file system opens its folders
  ::fsync(fd);
  ::close(fd);
}

}  // namespace kgwalk
