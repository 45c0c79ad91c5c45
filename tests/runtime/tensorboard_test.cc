#include "runtime/tensorboard.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/files.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

TEST(Tensorboard, ChecksumsAreThoseOfTheFormat) {
  // CRC-32C of "123456789" is 0xE3069283 (RFC 3720, B.4); masked as TFRecord masks it.
  const std::uint32_t crc = 0xE3069283;
  EXPECT_EQ(masked_crc32c("123456789"), ((crc >> 15) | (crc << 17)) + 0xA282EAD8U);
}

TEST(Tensorboard, ARecordHoldsItsEvent) {
  const std::string record = event_record(2.0, 300, "dev/score", 0.5F);
  const auto length = number_at<std::uint64_t>(record, 0);
  ASSERT_EQ(record.size(), length + 16);
  EXPECT_EQ(number_at<std::uint32_t>(record, 8), masked_crc32c(record.substr(0, 8)));
  const std::string event = record.substr(12, length);
  EXPECT_EQ(number_at<std::uint32_t>(record, 12 + length), masked_crc32c(event));
  EXPECT_EQ(event.substr(0, 1), "\x09");
  EXPECT_EQ(number_at<double>(event, 1), 2.0);
  EXPECT_EQ(event.substr(9, 3), "\x10\xac\x02") << "step 300";
  EXPECT_EQ(event.substr(12), std::string("\x2a\x12\x0a\x10\x0a\x09", 6) + "dev/score" + "\x15" +
                                  std::string("\x00\x00\x00\x3f", 4));
}

TEST(Tensorboard, RowsOfBeforeAndNewOnesStandInOneFile) {
  const test::TempFolder folder;
  EventWriter writer(folder.path(), {{{"kind", "train"}, {"step", 1}, {"loss", 2.0}}});
  const std::filesystem::path file = folder / "events.out.tfevents.kgwalk";
  const std::string before = read_file(file);
  EXPECT_NE(before.find("brain.Event:2"), std::string::npos);
  EXPECT_NE(before.find("train/loss"), std::string::npos);
  writer.write({{"kind", "dev"}, {"step", 2}, {"score", 1}, {"note", "no number"}});
  const std::string after = read_file(file);
  EXPECT_TRUE(after.starts_with(before));
  EXPECT_NE(after.find("dev/score"), std::string::npos);
  EXPECT_EQ(after.find("note"), std::string::npos);
}

}  // namespace
}  // namespace kgwalk
