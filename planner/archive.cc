#include "planner/archive.h"

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = 512;  // of tar
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
constexpr int kLevel = 9;  // weights hardly shrink, names and edges do

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw FormatError(file.string() + ": " + why + "; copy or download it again, or pack the model again");
}

void stop_if_asked(const StopFlag& stop) {
  if (stop.requested()) throw Stopped("the work on the packed model was stopped; nothing is left of it");
}

// The header of a file in a ustar archive. A name of up to 255 bytes goes into two fields, cut at a slash.
struct TarHeader {
  std::array<char, kBlock> bytes{};

  void text(std::size_t at, std::string_view value) { std::copy(value.begin(), value.end(), &bytes[at]); }
  // Octal digits, the last place a NUL.
  void number(std::size_t at, std::size_t width, std::uint64_t value) {
    for (std::size_t i = width - 1; i-- > 0; value >>= 3)
      bytes[at + i] = static_cast<char>('0' + (value & 7));
  }
  [[nodiscard]] std::uint64_t checksum() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kBlock; ++i)
      sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(bytes[i]);
    return sum;
  }
};

TarHeader header_of(const std::string& name, std::uint64_t size) {
  TarHeader header;
  std::size_t cut = 0;
  if (name.size() > 100) {
    cut = name.find('/', name.size() - 101);
    if (cut == std::string::npos || cut > 155)
      throw IoError(name + ": the name is too long for an archive; rename the file");
    header.text(345, std::string_view(name).substr(0, cut));
    ++cut;
  }
  header.text(0, std::string_view(name).substr(cut));
  header.number(100, 8, 0644);
  header.number(108, 8, 0);
  header.number(116, 8, 0);
  header.number(124, 12, size);
  header.number(136, 12, 0);
  header.bytes[156] = '0';
  header.text(257, std::string_view("ustar\00000", 8));
  header.number(148, 7, header.checksum());
  header.bytes[155] = ' ';
  return header;
}

// Compresses what it is given into a file that appears whole at finish().
class ZstdFile {
 public:
  explicit ZstdFile(fs::path file)
      : file_(std::move(file)),
        partial_(file_.string() + ".partial"),
        stream_(ZSTD_createCCtx(), ZSTD_freeCCtx),
        out_(ZSTD_CStreamOutSize()) {
    if (!stream_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
    fd_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd_ < 0) refuse_file("write", partial_, errno);
  }
  ~ZstdFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!finished_) ::unlink(partial_.c_str());
  }
  ZstdFile(const ZstdFile&) = delete;
  ZstdFile& operator=(const ZstdFile&) = delete;

  void write(std::string_view bytes) { compress(bytes, ZSTD_e_continue); }
  void finish() {
    compress({}, ZSTD_e_end);
    if (::fsync(fd_) != 0 || ::rename(partial_.c_str(), file_.c_str()) != 0)
      refuse_file("write", file_, errno);
    finished_ = true;
  }

 private:
  void compress(std::string_view bytes, ZSTD_EndDirective how) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool done = false; !done;) {
      ZSTD_outBuffer to{out_.data(), out_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(stream_.get(), &to, &in, how);
      if (ZSTD_isError(left)) throw IoError(file_.string() + ": cannot compress: " + ZSTD_getErrorName(left));
      for (std::size_t at = 0; at < to.pos;) {
        const ssize_t n = ::write(fd_, out_.data() + at, to.pos - at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) refuse_file("write", file_, errno);
        at += static_cast<std::size_t>(n);
      }
      done = how == ZSTD_e_end ? left == 0 : in.pos == in.size;
    }
  }

  fs::path file_, partial_;
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> stream_;
  std::vector<char> out_;
  int fd_ = -1;
  bool finished_ = false;
};

// Gives the bytes inside a zstd file, as many as are asked for.
class ZstdReader {
 public:
  explicit ZstdReader(const fs::path& file)
      : file_(file), mapped_(file), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (!stream_) throw std::bad_alloc();
    in_ = {mapped_.bytes().data(), mapped_.bytes().size(), 0};
  }
  void read(char* out, std::size_t size) {
    ZSTD_outBuffer to{out, size, 0};
    while (to.pos < to.size) {
      const std::size_t before = to.pos;
      left_ = ZSTD_decompressStream(stream_.get(), &to, &in_);
      if (ZSTD_isError(left_)) refuse(file_, std::string("is damaged (") + ZSTD_getErrorName(left_) + ")");
      if (to.pos == before && in_.pos == in_.size)
        refuse(file_, "has lost its end (" + std::to_string(in_.size) + " bytes are not all of it)");
    }
  }
  // The frame ends with a checksum over all of it.
  void expect_end() {
    std::array<char, kBlock> rest{};
    while (left_ != 0) {
      ZSTD_outBuffer to{rest.data(), rest.size(), 0};
      left_ = ZSTD_decompressStream(stream_.get(), &to, &in_);
      if (ZSTD_isError(left_)) refuse(file_, std::string("is damaged (") + ZSTD_getErrorName(left_) + ")");
      if (left_ != 0 && to.pos == 0 && in_.pos == in_.size) refuse(file_, "has lost its end");
    }
  }

 private:
  fs::path file_;
  MappedFile mapped_;
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  ZSTD_inBuffer in_{};
  std::size_t left_ = 1;
};

std::string text_at(const TarHeader& header, std::size_t at, std::size_t width) {
  const char* begin = &header.bytes[at];
  return {begin, std::find(begin, begin + width, '\0')};
}

std::uint64_t number_at(const fs::path& file, const TarHeader& header, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = at; i < at + width; ++i) {
    const char c = header.bytes[i];
    if (c == '\0' || c == ' ') continue;
    if (c < '0' || c > '7') refuse(file, "is no archive of a model (a number in it is none)");
    value = value << 3 | static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

std::string name_of(const fs::path& file, const TarHeader& header) {
  if (text_at(header, 257, 5) != "ustar") refuse(file, "is no archive of a model");
  if (number_at(file, header, 148, 8) != header.checksum())
    refuse(file, "is damaged (a header of the archive)");
  const std::string prefix = text_at(header, 345, 155), name = text_at(header, 0, 100);
  const fs::path path = fs::path(prefix) / name;
  const bool below = !name.empty() && path.is_relative() &&
                     std::none_of(path.begin(), path.end(), [](const fs::path& p) { return p == ".."; });
  if (!below) refuse(file, "names a file outside of its folder, '" + path.string() + "'");
  return path.string();
}

void write_entry(ZstdReader& in, const fs::path& to, std::uint64_t size, const StopFlag& stop) {
  fs::create_directories(to.parent_path());
  const int fd = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) refuse_file("write", to, errno);
  const std::unique_ptr<const int, void (*)(const int*)> closer(&fd, [](const int* f) { ::close(*f); });
  std::vector<char> block(1 << 20);
  for (std::uint64_t left = size; left > 0;) {
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()));
    in.read(block.data(), length);
    for (std::size_t at = 0; at < length;) {
      const ssize_t n = ::write(fd, block.data() + at, length - at);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) refuse_file("write", to, errno);
      at += static_cast<std::size_t>(n);
    }
    left -= length;
    stop_if_asked(stop);
  }
}

}  // namespace

bool is_zstd_file(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && MappedFile(file).bytes().starts_with(kZstdMagic);
}

void pack_folder(const fs::path& folder, const std::string& first, const fs::path& file, Reporter& reporter,
                 const StopFlag& stop) {
  std::vector<std::string> names;
  std::uint64_t bytes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    names.push_back(entry.path().lexically_relative(folder).generic_string());
    bytes += entry.file_size();
  }
  std::sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return (a == first) != (b == first) ? a == first : a < b;
  });
  ZstdFile out(file);
  const auto progress = reporter.start("packing", static_cast<std::int64_t>(bytes), "bytes");
  const std::string zeros(2 * kBlock, '\0');
  for (const std::string& name : names) {
    const MappedFile mapped(folder / name);
    std::string_view rest = mapped.bytes();
    const TarHeader header = header_of(name, rest.size());
    out.write({header.bytes.data(), kBlock});
    const std::size_t padding = (kBlock - rest.size() % kBlock) % kBlock;
    while (!rest.empty()) {
      const std::string_view piece = rest.substr(0, 1 << 20);
      out.write(piece);
      rest.remove_prefix(piece.size());
      progress->add(static_cast<std::int64_t>(piece.size()));
      stop_if_asked(stop);
    }
    out.write(std::string_view(zeros).substr(0, padding));
  }
  out.write(zeros);
  out.finish();
}

void unpack_folder(const fs::path& file, const fs::path& folder, Reporter& reporter, const StopFlag& stop) {
  ZstdReader in(file);
  const auto progress = reporter.start("unpacking", 0, "files");
  for (;;) {
    TarHeader header;
    in.read(header.bytes.data(), kBlock);
    if (std::all_of(header.bytes.begin(), header.bytes.end(), [](char c) { return c == '\0'; })) break;
    const std::string name = name_of(file, header);
    const std::uint64_t size = number_at(file, header, 124, 12);
    const char kind = header.bytes[156];
    if (kind == '5') continue;  // a folder; files make theirs
    if (kind != '0' && kind != '\0') refuse(file, "holds other than files, '" + name + "'");
    write_entry(in, folder / name, size, stop);
    std::array<char, kBlock> padding{};
    in.read(padding.data(), (kBlock - size % kBlock) % kBlock);
    progress->add(1);
  }
  in.expect_end();
}

}  // namespace kgwalk
