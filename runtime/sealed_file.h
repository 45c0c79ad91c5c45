// A large file that is mapped into memory, with a checksum a block that is compared when the block is first
// touched. Opening takes as long for a large file as for a small one, processes share its pages, and damage
// is an error before it is a wrong number.
//
// The bytes come first, as they were written; zeros to a multiple of 8; the XXH3-64 of each block of 64 KiB,
// the last one shorter; then the footer (docs/reference/formats/graph.md).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/error.h"

namespace kgwalk {

inline constexpr std::size_t kSealedBlockBytes = 1 << 16;

// Thread-safe. The mapping outlives the file's name: a reader keeps what it has opened.
class SealedFile {
 public:
  // `remedy` is told with every damage that is found, here and later. StoreError when the file's end is not
  // as it was written; IoError when it cannot be opened, of which missing() tells the commonest case.
  SealedFile(std::filesystem::path path, Remedy remedy);
  ~SealedFile();
  SealedFile(const SealedFile&) = delete;
  SealedFile& operator=(const SealedFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  // Not compared with any checksum yet: check() what is read of it first.
  [[nodiscard]] std::string_view bytes() const noexcept { return {data_, size_}; }
  // What finish() was given.
  [[nodiscard]] const std::string& tag() const noexcept { return tag_; }

  // StoreError when a block that holds some of these bytes, which are part of bytes(), is damaged.
  void check(const void* begin, std::size_t length) const {
    if (length == 0) return;
    const auto first = static_cast<std::size_t>(static_cast<const char*>(begin) - data_);
    const std::size_t last = (first + length - 1) / kSealedBlockBytes;
    for (std::size_t block = first / kSealedBlockBytes; block <= last; ++block)
      if ((checked_[block / 64].load(std::memory_order_relaxed) >> (block % 64) & 1) == 0) check_block(block);
  }
  void check_all() const { check(data_, size_); }

 private:
  void check_block(std::size_t block) const;
  [[noreturn]] void refuse(const std::string& why) const;
  void read_footer();

  std::filesystem::path path_;
  Remedy remedy_;
  const char* data_ = nullptr;
  std::size_t size_ = 0, mapped_ = 0;
  std::span<const std::uint64_t> sums_;
  std::string tag_;
  mutable std::vector<std::atomic<std::uint64_t>> checked_;  // one bit a block
};

// Writes such a file from its begin to its end. All errors are IoError with path and errno's text.
class SealedFileWriter {
 public:
  // Replaces a file of that name.
  explicit SealedFileWriter(std::filesystem::path path);
  ~SealedFileWriter();
  SealedFileWriter(const SealedFileWriter&) = delete;
  SealedFileWriter& operator=(const SealedFileWriter&) = delete;

  void append(std::string_view bytes);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  // Puts `bytes` in place of the file's first ones, which were appended before and lie in the first block.
  void put_first(std::string_view bytes);
  // Seals and syncs the file. `tag` has at most 64 bytes.
  void finish(std::string_view tag);

 private:
  void end_block();
  void write(std::string_view bytes);

  std::filesystem::path path_;
  int fd_ = -1;
  std::uint64_t size_ = 0, written_ = 0, on_its_way_ = 0;
  std::string block_, first_;  // the first block waits for put_first()
  std::vector<std::uint64_t> sums_;
};

}  // namespace kgwalk
