#include "runtime/checksum.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

TEST(Checksum, IsXxh3OfTheBytes) {
  // Published value of XXH3-128 for no input.
  EXPECT_EQ(checksum_of(std::string_view("")), "99aa06d3014798d86001c324468d497f");
}

TEST(Checksum, PiecesEqualTheWhole) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>(i * 7);
  Checksum pieces;
  for (std::size_t i = 0; i < text.size(); i += 37) pieces.add(std::string_view(text).substr(i, 37));
  EXPECT_EQ(pieces.hex(), checksum_of(std::string_view(text)));
  text[1234] ^= 1;
  EXPECT_NE(pieces.hex(), checksum_of(std::string_view(text)));
}

TEST(Checksum, OfAFileIsThatOfItsBytes) {
  const test::TempFolder folder;
  write_file_atomically(folder / "a", "some bytes");
  EXPECT_EQ(checksum_of_file(folder / "a"), checksum_of(std::string_view("some bytes")));
  EXPECT_THROW((void)checksum_of_file(folder / "absent"), IoError);
}

}  // namespace
}  // namespace kgwalk
