#include "runtime/files.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <fstream>

#include "kgwalk/error.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::message_of;
using test::TempFolder;

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Files, ReadGivesBackWhatWasWritten) {
  const TempFolder folder;
  std::string bytes(100'000, 'x');
  bytes[17] = '\0';
  write_file_atomically(folder / "f", bytes);
  EXPECT_EQ(read_file(folder / "f"), bytes);
  write_file_atomically(folder / "f", "");
  EXPECT_EQ(read_file(folder / "f"), "");
  EXPECT_EQ(entries_in(folder.path()), 1u);
}

TEST(Files, FilesWithoutASizeAreReadToTheirEnd) {
  EXPECT_TRUE(contains(read_file("/proc/self/status"), "Name:"));
}

TEST(Files, ErrorsNamePathAndReason) {
  const TempFolder folder;
  EXPECT_TRUE(contains(message_of<IoError>([&] { (void)read_file(folder / "absent"); }),
                       "absent: cannot open: No such file"));
  EXPECT_TRUE(contains(message_of<IoError>([&] { (void)read_file(folder.path()); }), "Is a directory"));
  EXPECT_THROW(write_file_atomically(folder / "no" / "folder", "x"), IoError);
  EXPECT_THROW(const MappedFile map(folder / "absent"), IoError);
}

TEST(Files, AFullDiskLeavesTheOldFileAndNoRest) {
  const TempFolder folder;
  write_file_atomically(folder / "f", "old");
  {
    const test::FileSizeLimit limit(1000);
    EXPECT_THROW(write_file_atomically(folder / "f", std::string(5000, 'n')), IoError);
  }
  EXPECT_EQ(read_file(folder / "f"), "old");
  EXPECT_EQ(entries_in(folder.path()), 1u);
}

TEST(Files, AFolderIsReplacedAsAWhole) {
  const TempFolder folder;
  const fs::path target = folder / "c";
  for (const char* round : {"one", "two", "three"}) {
    write_folder_atomically(target, [&](const fs::path& temporary) {
      write_file_atomically(temporary / round, round);
      fs::create_directories(temporary / "inner");
      write_file_atomically(temporary / "inner" / "x", round);
    });
    EXPECT_EQ(read_file(target / round), round);
    EXPECT_EQ(read_file(target / "inner" / "x"), round);
    EXPECT_EQ(entries_in(target), 2u) << "files of an earlier round are left";
  }
  EXPECT_EQ(entries_in(folder.path()), 1u);
}

TEST(Files, AFillThatFailsLeavesTheOldFolderAndNoRest) {
  const TempFolder folder;
  const fs::path target = folder / "c";
  write_folder_atomically(target, [](const fs::path& t) { write_file_atomically(t / "f", "old"); });
  const test::FileSizeLimit limit(1000);
  EXPECT_THROW(write_folder_atomically(target,
                                       [](const fs::path& t) {
                                         write_file_atomically(t / "small", "fits");
                                         write_file_atomically(t / "f", std::string(5000, 'n'));
                                       }),
               IoError);
  EXPECT_EQ(read_file(target / "f"), "old");
  EXPECT_EQ(entries_in(folder.path()), 1u);
}

TEST(Files, AFolderMovedAsideByAKilledProcessComesBack) {
  const TempFolder folder;
  fs::create_directories(folder / ".c.old");
  write_file_atomically(folder / ".c.old" / "f", "old");
  recover_folder(folder / "c");
  EXPECT_EQ(read_file(folder / "c" / "f"), "old");
  // Nothing happens when the folder is there.
  fs::create_directories(folder / ".c.old");
  recover_folder(folder / "c");
  EXPECT_EQ(read_file(folder / "c" / "f"), "old");
}

// A child replaces a folder of two files that must agree, again and again, and is killed at a random moment.
TEST(Files, AKillNeverLeavesAMixedFolder) {
  const TempFolder folder;
  const fs::path target = folder / "c";
  const auto write = [&](int i) {
    write_folder_atomically(target, [&](const fs::path& t) {
      write_file_atomically(t / "a", std::to_string(i));
      write_file_atomically(t / "b", std::to_string(i));
    });
  };
  write(-1);
  for (int round = 0; round < 12; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int i = 0;; ++i) write(i);
    }
    ::usleep(static_cast<useconds_t>(2000 + 3700 * round % 11000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    recover_folder(target);
    ASSERT_EQ(read_file(target / "a"), read_file(target / "b")) << "round " << round;
  }
  write(1000);  // what a killed process left does not disturb
  EXPECT_EQ(read_file(target / "b"), "1000");
  EXPECT_EQ(entries_in(folder.path()), 1u);
}

TEST(Files, AMapShowsTheBytes) {
  const TempFolder folder;
  write_file_atomically(folder / "f", "bytes");
  write_file_atomically(folder / "empty", "");
  EXPECT_EQ(MappedFile(folder / "f").bytes(), "bytes");
  EXPECT_EQ(MappedFile(folder / "empty").bytes(), "");
}

}  // namespace
}  // namespace kgwalk
