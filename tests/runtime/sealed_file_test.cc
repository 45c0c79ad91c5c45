// Sealed files: what was written comes back, and every flipped bit is told before it is read.
#include "runtime/sealed_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <thread>

#include "runtime/files.h"
#include "tests/temp_folder.h"

namespace kgwalk {
namespace {

using test::TempFolder;

std::string noise(std::size_t bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text(bytes, '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

class SealedFiles : public ::testing::Test {
 protected:
  void seal(const std::string& bytes) {
    SealedFileWriter out(file_);
    for (std::size_t at = 0; at < bytes.size(); at += 10007)
      out.append(std::string_view(bytes).substr(at, 10007));
    EXPECT_EQ(out.size(), bytes.size());
    out.finish("tag");
  }
  [[nodiscard]] SealedFile open() const { return {file_, Remedy{Remedy::kReingest, "db"}}; }
  void flip(std::size_t at) {
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char old = static_cast<char>(file.get());
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(old ^ 8));
  }
  TempFolder folder_;
  std::filesystem::path file_ = folder_ / "file";
};

TEST_F(SealedFiles, GiveBackWhatWasWritten) {
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, kSealedBlockBytes, 3 * kSealedBlockBytes + 5}) {
    const std::string text = noise(bytes, bytes);
    seal(text);
    const SealedFile file = open();
    file.check_all();
    EXPECT_EQ(file.bytes(), text);
    EXPECT_EQ(file.tag(), "tag");
  }
}

TEST_F(SealedFiles, TakeTheirFirstBytesLast) {
  for (const std::size_t bytes : {std::size_t{100}, 2 * kSealedBlockBytes}) {
    std::string text = noise(bytes, 1);
    {
      SealedFileWriter out(file_);
      out.append(text);
      out.put_first("header");
      out.finish("");
    }
    text.replace(0, 6, "header");
    const SealedFile file = open();
    file.check_all();
    EXPECT_EQ(file.bytes(), text);
  }
}

TEST_F(SealedFiles, NameTheDamagedBlockWhenItIsTouchedAndNotBefore) {
  seal(noise(3 * kSealedBlockBytes, 2));
  flip(2 * kSealedBlockBytes + 77);
  const SealedFile file = open();
  file.check(file.bytes().data(), 2 * kSealedBlockBytes);
  for (int i = 0; i < 2; ++i) try {  // the second time as well
      file.check(file.bytes().data() + 2 * kSealedBlockBytes - 1, 2);
      ADD_FAILURE() << "the damage was not told";
    } catch (const StoreError& error) {
      EXPECT_EQ(std::string(error.what()),
                file_.string() +
                    ": block 2 (bytes 131072 to 196607) is damaged; make the database again, or "
                    "put a copy of the file back");
      ASSERT_EQ(error.remedies().size(), 1U);
      EXPECT_EQ(error.remedies()[0].subject, "db");
    }
}

TEST_F(SealedFiles, NoticeEveryFlippedOrMissingByte) {
  const std::string text = noise(kSealedBlockBytes + 200, 3);
  seal(text);
  const std::string whole = read_file(file_);
  std::mt19937_64 random(4);
  for (int i = 0; i < 200; ++i) {
    const std::size_t at = i < 120 ? whole.size() - 1 - static_cast<std::size_t>(i) : random() % whole.size();
    if (at >= text.size() && at < text.size() + 7) continue;  // zeros between the bytes and the checksums
    flip(at);
    EXPECT_THROW(open().check_all(), StoreError) << at;
    flip(at);
  }
  for (const std::size_t kept : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(file_, std::ios::binary) << whole.substr(0, kept);
    EXPECT_THROW(open().check_all(), StoreError) << kept;
  }
  std::filesystem::remove(file_);
  EXPECT_THROW((void)open(), IoError);
}

TEST_F(SealedFiles, AreCheckedByManyThreadsAtOnce) {
  const std::string text = noise(40 * kSealedBlockBytes, 5);
  seal(text);
  const SealedFile file = open();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      for (int i = 0; i < 2000; ++i) {
        const std::size_t at = random() % (text.size() - 100);
        file.check(file.bytes().data() + at, 100);
        wrong += file.bytes().substr(at, 100) != std::string_view(text).substr(at, 100);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace kgwalk
