// Files packed with gzip, bzip2 and zstd, standard input, other encodings.
#include <bzlib.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <fstream>
#include <thread>

#include "runtime/files.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::advice_of;
using testing::contains;
using testing::message_of;

std::string gzip(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);  // as the program zstd does
  packed.resize(ZSTD_compress2(context, packed.data(), packed.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return packed;
}

std::string bzip2(std::string_view text) {
  auto size = static_cast<unsigned>(text.size() + text.size() / 100 + 600);
  std::string packed(size, '\0');
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(text.data()),
                                     static_cast<unsigned>(text.size()), 1, 0, 0),
            BZ_OK);
  packed.resize(size);
  return packed;
}

// While alive, standard input is this file.
class StandardInput {
 public:
  explicit StandardInput(const std::filesystem::path& file) : before_(::dup(STDIN_FILENO)) {
    const int fd = ::open(file.c_str(), O_RDONLY);
    ::dup2(fd, STDIN_FILENO);
    ::close(fd);
  }
  ~StandardInput() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int before_;
};

class PackedTest : public testing::FormatTest {
 protected:
  static std::string many_triples() {  // several blocks of the unpackers
    std::string text;
    for (int i = 0; i < 200000; ++i) text += "head " + std::to_string(i) + "\tr\ttail\n";
    return text;
  }
};

TEST_F(PackedTest, FilesAreUnpacked) {
  const std::string text = many_triples();
  ASSERT_GT(text.size(), std::size_t{3} << 20);
  (void)read("plain.txt", text);
  const std::string checksum = graph().checksum();
  for (const auto& [name, packed] :
       {std::pair{"g.txt.gz", gzip(text)}, {"g.txt.bz2", bzip2(text)}, {"g.txt.zst", zstd(text)}}) {
    const IngestReport report = store(name, packed);
    EXPECT_EQ(graph().checksum(), checksum) << name;
    EXPECT_EQ(report.files[0].second.bytes, text.size());
    EXPECT_EQ(report.skipped, 0u);
  }
  // Several packed pieces one behind the other are one file, as all three have it.
  EXPECT_EQ(read("two.gz", gzip("a\tr\tb\n") + gzip("a\tr\tc\n")).triple_lines, 2u);
  EXPECT_EQ(read("two.bz2", bzip2("a\tr\tb\n") + bzip2("a\tr\tc\n")).triple_lines, 2u);
  EXPECT_EQ(read("two.zst", zstd("a\tr\tb\n") + zstd("a\tr\tc\n")).triple_lines, 2u);
  EXPECT_EQ(read("empty.gz", gzip("")).triple_lines, 0u);
  EXPECT_EQ(read("empty.bz2", bzip2("")).triple_lines, 0u);
  EXPECT_EQ(read("empty.zst", zstd("")).triple_lines, 0u);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kg.ingesting"));
}

TEST_F(PackedTest, ListsAndDialoguesMayBePackedToo) {
  options_.entities = folder_.write("e.gz", gzip("a\n\nlonely\n"));
  options_.dialogues = {{"train", folder_.write("d.csv.zst", zstd("Messages\n\"[]\"\n"))}};
  const IngestReport report = store("t.txt", "a\tr\t\n");
  EXPECT_EQ(report.entities, 3u);
  EXPECT_EQ(report.splits.at("train").dialogues, 1u);
}

TEST_F(PackedTest, APackedFileThatLostItsEndIsRefused) {
  const std::string text = many_triples();
  for (const auto& [name, packed] :
       {std::pair{"g.gz", gzip(text)}, {"g.bz2", bzip2(text)}, {"g.zst", zstd(text)}}) {
    const std::string whole = packed;
    for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{9}})
      EXPECT_TRUE(contains(message_of<DataError>([&] { (void)store(name, whole.substr(0, size)); }),
                           "ends too early"))
          << name << " " << size;
    std::string damaged = whole;
    for (std::size_t i = 0; i < 40; ++i) damaged[whole.size() / 2 + i] ^= static_cast<char>(0x5a + i);
    EXPECT_TRUE(contains(message_of<DataError>([&] { (void)store(name, damaged); }), "is damaged")) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kg"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kg.ingesting"));
}

TEST_F(PackedTest, StandardInputIsReadUnderANamedFormat) {
  const auto file = folder_.write("in", gzip("<x:a> <x:r> <x:b> .\n<x:bad>\n"));
  options_.triples = {"-"};
  EXPECT_TRUE(contains(advice_of<ConfigError>([&] { (void)ingest(options_); }), "{give format}"));
  options_.input.format = InputFormat::kNTriples;
  const StandardInput input(file);
  const IngestReport report = store();
  EXPECT_EQ(facts(), Lines{"a | r | b"});
  EXPECT_EQ(report.files[0].first, "standard input");
  ASSERT_EQ(report.problems.size(), 1u);
  EXPECT_TRUE(report.problems[0].starts_with("standard input:2: ")) << report.problems[0];
  options_.triples = {"-", "-"};
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)ingest(options_); }), "only once"));
}

TEST_F(PackedTest, PipesAreRead) {
  const auto pipe = folder_ / "pipe.nt";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "<x:a> <x:r> <x:b> .\n"; });
  options_.triples = {pipe};
  (void)read();
  writer.join();
  EXPECT_EQ(facts(), Lines{"a | r | b"});
}

TEST_F(PackedTest, KindsThatAreNotReadAreNamed) {
  const std::pair<std::string, const char*> kinds[] = {
      {"$HDT\x01<http://purl.org/HDT/hdt#HDTv1>", "is HDT, which is not read; turn it into N-Triples first"},
      {std::string("PK\x03\x04\0\0", 6), "is a zip archive or a workbook of Excel"},
      {std::string("\xfd"
                   "7zXZ\0",
                   6),
       "is packed by xz"},
      {"PAR1", "is Parquet"}};
  for (const auto& [bytes, why] : kinds) {
    for (const char* name : {"g.hdt", "g.nt", "g.csv"})
      EXPECT_TRUE(contains(message_of<DataError>([&] { (void)store(name, bytes); }), why)) << name << why;
    EXPECT_TRUE(contains(message_of<DataError>([&] { (void)store("g.gz", gzip(bytes)); }), why)) << why;
  }
  for (const char* name : {"g.sqlite.gz", "g.csv.gz"})
    EXPECT_TRUE(contains(
        message_of<DataError>([&] { (void)store(name, gzip("SQLite format 3 of a kind")); }),
        "is a database of SQLite, which is not read; only ingestion reads one, and from a plain file"))
        << name;
  EXPECT_EQ(read("g.txt", "$HD\tr\tPAR1\nBZh9\tr\tb\n").triple_lines, 2u)
      << "text that only resembles one is text";
}

TEST_F(PackedTest, OtherEncodingsAreRefusedOrSkippedByLine) {
  EXPECT_TRUE(contains(message_of<DataError>([&] { (void)read("t.ttl", std::string("\xff\xfe<\0", 4)); }),
                       "t.ttl:1: the text is UTF-16; convert it to UTF-8"));
  const IngestReport report = read("latin1.nt", "<x:a> <x:r> \"caf\xe9\" .\n<x:a> <x:r> <x:b> .\n");
  EXPECT_EQ(facts(), Lines{"a | r | b"});
  EXPECT_EQ(report.skipped, 1u);
  EXPECT_EQ(read("bom.ttl", "\xef\xbb\xbf<x:a> <x:r> <x:b> .\n").triple_lines, 1u);
  EXPECT_EQ(read("bom.csv", "\xef\xbb\xbfhead,relation,tail\r\na,r,b\r\n").triple_lines, 1u);
  EXPECT_EQ(read("crlf.nt", "<x:a> <x:r> <x:b> .\r\n<x:a> <x:r> <x:c> .\r\n").triple_lines, 2u);
}

}  // namespace
}  // namespace kgwalk::graph
