// The bytes of an input file as one view: a plain file is mapped; standard input, pipes and packed files
// (gzip, bzip2, zstd, known by their first bytes) are spooled into a file without a name, which is mapped. So
// readers may go back, and what is larger than memory can still be read.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "kgwalk/progress.h"
#include "runtime/files.h"

namespace kgwalk {

class SpoolFile;

class InputBytes {
 public:
  // `file` may be "-", standard input, or a pipe. `spool` is the folder that spooled bytes go to.
  // IoError when the file cannot be read or the folder not be written; DataError when a packed file is
  // damaged or lost its end, when the text is UTF-16, or when the file is of a kind that is known and not
  // read so (HDT, zip, xz, Parquet, SQLite); Stopped when `stop` is set.
  InputBytes(const std::filesystem::path& file, const std::filesystem::path& spool, const StopFlag& stop);
  ~InputBytes();
  InputBytes(const InputBytes&) = delete;
  InputBytes& operator=(const InputBytes&) = delete;

  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
  // Those in front of `position` are not needed for now: a large file does not fill memory while it is read.
  void release_before(std::size_t position) const noexcept;
  // XXH3 of the file as it was given, packed or not.
  [[nodiscard]] const std::string& checksum() const noexcept { return checksum_; }

 private:
  void read_stream(const std::filesystem::path& file, const std::filesystem::path& spool,
                   const StopFlag& stop);
  void unpack(std::string_view packed, const std::filesystem::path& folder, const StopFlag& stop);

  std::string name_;
  std::unique_ptr<MappedFile> mapped_;
  std::unique_ptr<SpoolFile> given_, unpacked_;
  std::string_view bytes_;
  std::string checksum_;
  mutable std::size_t released_ = 0;
};

// All of such a file, without the mark (BOM) of UTF-8 that may begin it.
[[nodiscard]] std::string read_input(const std::filesystem::path& file, const StopFlag& stop = never_stop());

}  // namespace kgwalk
