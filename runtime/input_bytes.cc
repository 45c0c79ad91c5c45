#include "runtime/input_bytes.h"

#include <bzlib.h>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/spool_file.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSpoolBlock = 1 << 20;
constexpr std::size_t kReleasedBytes = 16 << 20;

[[noreturn]] void refuse_input(const std::string& name, std::string_view doing) {
  throw IoError(name + ": cannot " + std::string(doing) + ": " + std::strerror(errno));
}

[[noreturn]] void refuse_packed(const std::string& name, std::string_view kind, std::string_view why) {
  throw DataError(name, 0,
                  "the " + std::string(kind) + " data " + std::string(why) +
                      "; get the file again, or unpack what is left of it first");
}

void stop_if_asked(const StopFlag& stop) {
  if (stop.requested()) throw Stopped("the ingestion was stopped; nothing was written");
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }
// With its first block, or with the end of an empty one.
bool is_bzip2(std::string_view bytes) {
  if (!bytes.starts_with("BZh") || bytes.size() < 4) return false;
  const std::string_view mark = bytes.substr(4, 6);
  return std::string_view("1AY&SY").starts_with(mark) ||
         std::string_view("\x17\x72\x45\x38\x50\x90").starts_with(mark);
}
bool is_zstd(std::string_view bytes) { return bytes.starts_with("\x28\xb5\x2f\xfd"); }

// By its mark or, without one, by the zeros that every other byte of Latin text is then.
bool is_utf16(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return true;
  const std::string_view begin = bytes.substr(0, std::min<std::size_t>(bytes.size(), 512) & ~std::size_t{1});
  std::size_t zeros[2] = {};
  for (std::size_t i = 0; i < begin.size(); ++i) zeros[i & 1] += begin[i] == '\0';
  const std::size_t pairs = begin.size() / 2;
  return pairs >= 2 && std::min(zeros[0], zeros[1]) == 0 && 4 * std::max(zeros[0], zeros[1]) > 3 * pairs;
}

// Of a mapped file, which does not fill memory meanwhile.
std::string checksum_by_parts(std::string_view bytes) {
  Checksum sum;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kReleasedBytes) {
    const std::string_view part = bytes.substr(begin, kReleasedBytes);
    sum.add(part);
    release_mapped(part);
  }
  return sum.hex();
}

// What is known by its first bytes and not read.
void refuse_other_kinds(std::string_view bytes, const std::string& name) {
  struct Kind {
    std::string_view begin, what, instead;
  };
  constexpr Kind kKinds[] = {
      {"$HDT", "HDT", "turn it into N-Triples first, e.g. with hdt2rdf"},
      {"PK\x03\x04", "a zip archive or a workbook of Excel", "unpack it, or save its tables as csv"},
      {"\xfd\x37\x7a\x58\x5a", "packed by xz", "unpack it with unxz, or pack it with gzip or zstd"},
      {"PAR1", "Parquet", "save it as csv"},
      {"SQLite format 3", "a database of SQLite",
       "only ingestion reads one, and from a plain file: unpack it, or save what is piped to a file"}};
  for (const Kind& kind : kKinds)
    if (bytes.starts_with(kind.begin))
      throw DataError(name, 0,
                      "is " + std::string(kind.what) + ", which is not read; " + std::string(kind.instead));
}

// Calls out(view) for every piece of unpacked data. A file may be several gzip members one behind the other.
template <class Out>
void unpack_gzip(std::string_view packed, const std::string& name, Out&& out) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_streamp)> close(&stream, inflateEnd);
  std::vector<char> block(kSpoolBlock);
  std::size_t taken = 0;
  int status = Z_OK;
  while (taken < packed.size() || stream.avail_in > 0) {
    if (stream.avail_in == 0) {
      const std::size_t length = std::min(packed.size() - taken, kSpoolBlock);
      // zlib's interface has no const; it does not write there.
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));
      stream.avail_in = static_cast<uInt>(length);
      taken += length;
    }
    if (status == Z_STREAM_END) {
      // Zeros may fill the last block of a tape or a device.
      const auto* rest = reinterpret_cast<const char*>(stream.next_in);
      const std::string_view left(rest, stream.avail_in + (packed.size() - taken));
      if (left.find_first_not_of('\0') == std::string_view::npos) break;
      inflateReset(&stream);
    }
    do {
      stream.next_out = reinterpret_cast<Bytef*>(block.data());
      stream.avail_out = static_cast<uInt>(block.size());
      status = inflate(&stream, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        refuse_packed(name, "gzip", "is damaged");
      out(std::string_view(block.data(), block.size() - stream.avail_out));
    } while (stream.avail_out == 0 && status != Z_STREAM_END);
  }
  if (status != Z_STREAM_END) refuse_packed(name, "gzip", "ends too early");
}

// A file may be several streams one behind the other, as pbzip2 and the dumps of Wikidata have them.
template <class Out>
void unpack_bzip2(std::string_view packed, const std::string& name, Out&& out) {
  std::vector<char> block(kSpoolBlock);
  while (!packed.empty()) {
    bz_stream stream{};
    if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) throw std::bad_alloc();
    const std::unique_ptr<bz_stream, int (*)(bz_stream*)> close(&stream, BZ2_bzDecompressEnd);
    for (int status = BZ_OK; status != BZ_STREAM_END;) {
      const std::size_t length = std::min(packed.size(), kSpoolBlock);
      // libbz2's interface has no const; it does not write there.
      stream.next_in = const_cast<char*>(packed.data());
      stream.avail_in = static_cast<unsigned>(length);
      stream.next_out = block.data();
      stream.avail_out = static_cast<unsigned>(block.size());
      status = BZ2_bzDecompress(&stream);
      if (status != BZ_OK && status != BZ_STREAM_END) refuse_packed(name, "bzip2", "is damaged");
      const std::size_t given = block.size() - stream.avail_out;
      if (length == 0 && given == 0) refuse_packed(name, "bzip2", "ends too early");
      packed.remove_prefix(length - stream.avail_in);
      out(std::string_view(block.data(), given));
    }
  }
}

template <class Out>
void unpack_zstd(std::string_view packed, const std::string& name, Out&& out) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                             ZSTD_freeDStream);
  if (!stream) throw std::bad_alloc();
  std::vector<char> block(kSpoolBlock);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t left = 0;
  for (bool full = false; in.pos < in.size || full;) {
    ZSTD_outBuffer to{block.data(), block.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &to, &in);
    if (ZSTD_isError(left))
      refuse_packed(name, "zstd", std::string("is damaged (") + ZSTD_getErrorName(left) + ")");
    out(std::string_view(block.data(), to.pos));
    full = to.pos == to.size;
  }
  if (left != 0) refuse_packed(name, "zstd", "ends too early");
}

}  // namespace

InputBytes::InputBytes(const fs::path& file, const fs::path& spool, const StopFlag& stop)
    : name_(file == "-" ? "standard input" : file.string()) {
  std::error_code ignored;
  const bool is_stream = file == "-" || fs::is_fifo(file, ignored) || fs::is_character_file(file, ignored) ||
                         fs::is_socket(file, ignored);
  if (is_stream) {
    read_stream(file, spool, stop);
  } else {
    mapped_ = std::make_unique<MappedFile>(file);
    bytes_ = mapped_->bytes();
  }
  checksum_ = checksum_by_parts(bytes_);
  if (is_gzip(bytes_) || is_bzip2(bytes_) || is_zstd(bytes_)) unpack(bytes_, spool, stop);
  refuse_other_kinds(bytes_, name_);
  if (is_utf16(bytes_))
    throw DataError(name_, 1, "the text is UTF-16; convert it to UTF-8, e.g. with iconv -f UTF-16 -t UTF-8");
}

InputBytes::~InputBytes() = default;

void InputBytes::release_before(std::size_t position) const noexcept {
  if (position < released_ + kReleasedBytes) return;
  release_mapped(bytes_.substr(released_, position - released_));
  released_ = position;
}

void InputBytes::read_stream(const fs::path& file, const fs::path& spool, const StopFlag& stop) {
  const int fd = file == "-" ? ::dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) refuse_input(name_, "open");
  const auto close = [fd](void*) { ::close(fd); };
  const std::unique_ptr<void, decltype(close)> closer(&name_, close);
  given_ = std::make_unique<SpoolFile>(spool);
  std::vector<char> block(kSpoolBlock);
  for (ssize_t length = 1; length != 0;) {
    length = ::read(fd, block.data(), block.size());
    if (length < 0 && errno != EINTR) refuse_input(name_, "read");
    if (length > 0) given_->append({block.data(), static_cast<std::size_t>(length)});
    stop_if_asked(stop);
  }
  bytes_ = given_->map();
}

void InputBytes::unpack(std::string_view packed, const fs::path& folder, const StopFlag& stop) {
  unpacked_ = std::make_unique<SpoolFile>(folder);
  const auto out = [&](std::string_view bytes) {
    unpacked_->append(bytes);
    stop_if_asked(stop);
  };
  if (is_gzip(packed))
    unpack_gzip(packed, name_, out);
  else if (is_bzip2(packed))
    unpack_bzip2(packed, name_, out);
  else
    unpack_zstd(packed, name_, out);
  bytes_ = unpacked_->map();
}

std::string read_input(const fs::path& file, const StopFlag& stop) {
  const InputBytes input(file, fs::temp_directory_path(), stop);
  std::string_view bytes = input.bytes();
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  return std::string(bytes);
}

}  // namespace kgwalk
