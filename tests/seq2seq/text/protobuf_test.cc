#include "seq2seq/text/protobuf.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "seq2seq/text/sentencepiece_model.h"

namespace kgwalk::seq2seq {
namespace {

using namespace std::string_literals;

TEST(ProtobufReader, ReadsEachWireType) {
  // 1: 300, 2: "hi", 3: 1.5f, 4: eight bytes passed over, 5: -1 as ten bytes
  const std::string bytes = "\x08\xac\x02\x12\x02hi\x1d\x00\x00\xc0\x3f\x21"s + "12345678"s +
                            "\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s;
  ProtobufReader reader(bytes, "test");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.field(), 1u);
  EXPECT_EQ(reader.varint(), 300u);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.bytes(), "hi");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.float32(), 1.5f);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.field(), 4u);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.int32(), -1);
  EXPECT_FALSE(reader.next());
}

std::string why(const std::string& bytes) {
  try {
    ProtobufReader reader(bytes, "file.model");
    while (reader.next()) {
      if (reader.field() == 1) (void)reader.varint();
      if (reader.field() == 2) (void)reader.bytes();
    }
  } catch (const FormatError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ProtobufReader, SaysWhatIsBroken) {
  EXPECT_NE(why("\x08"s).find("cut off"), std::string::npos);
  EXPECT_NE(why("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"s).find("64 bits"), std::string::npos);
  EXPECT_NE(why("\x12\x05hi"s).find("field 2 is cut off"), std::string::npos);
  EXPECT_NE(why("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s).find("cut off"), std::string::npos);
  EXPECT_NE(why("\x0b"s).find("wire type 3"), std::string::npos);
  EXPECT_NE(why("\x0a\x01x"s).find("should be a number"), std::string::npos);
  EXPECT_NE(why("\x00\x01"s).find("field number 0"), std::string::npos);
  EXPECT_NE(why("\x21\x01"s).find("cut off"), std::string::npos);
  EXPECT_EQ(why("\x08\x01\x12\x02hi"s), "nothing");
  EXPECT_NE(why("\x08"s).find("file.model"), std::string::npos);
}

// A piece: text, score, type (0 = not written).
std::string piece(const std::string& text, int type) {
  std::string inner = "\x0a"s + static_cast<char>(text.size()) + text + "\x15\x00\x00\x80\xbf"s;
  if (type > 0) inner += "\x18"s + static_cast<char>(type);
  return "\x0a"s + static_cast<char>(inner.size()) + inner;
}

std::string model_error(const std::string& bytes) {
  try {
    (void)parse_sentencepiece_model(bytes, "m");
  } catch (const FormatError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(SentencePieceModelFile, RulesOfItsPieces) {
  const std::string unknown = piece("<unk>", 2);
  EXPECT_EQ(model_error(unknown + piece("a", 0)), "nothing");
  EXPECT_NE(model_error(piece("a", 0)).find("unknown"), std::string::npos);
  EXPECT_NE(model_error(unknown + piece("<u>", 2)).find("second unknown"), std::string::npos);
  EXPECT_NE(model_error(unknown + piece("a", 0) + piece("a", 4)).find("twice"), std::string::npos);
  EXPECT_NE(model_error(unknown + piece("", 0)).find("empty"), std::string::npos);
  EXPECT_NE(model_error(unknown + piece("\xff", 0)).find("UTF-8"), std::string::npos);
  EXPECT_NE(model_error(unknown + piece("a", 9)).find("piece type 9"), std::string::npos);
  EXPECT_NE(model_error(unknown + piece("<0x41>", 6)).find("byte fallback"), std::string::npos);
  EXPECT_NE(model_error(unknown + "\x12\x02\x18\x03"s).find("model type 3"), std::string::npos);
  EXPECT_NE(model_error(unknown + "\x12\x03\x98\x02\x01"s + piece("<0x41>", 6)).find("256 byte pieces"),
            std::string::npos);
}

TEST(SentencePieceModelFile, BytePieces) {
  EXPECT_EQ(byte_of_piece("<0x00>"), 0);
  EXPECT_EQ(byte_of_piece("<0xFF>"), 255);
  EXPECT_EQ(byte_of_piece("<0xff>"), -1);
  EXPECT_EQ(byte_of_piece("<0x4>"), -1);
  EXPECT_EQ(byte_of_piece("a"), -1);
}

}  // namespace
}  // namespace kgwalk::seq2seq
