#include "runtime/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "kgwalk/error.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

using test::contains;
using test::message_of;
using test::TempFolder;

std::string file_of(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  return bytes + header + data;
}

std::string refused(const std::string& bytes) {
  const TempFolder folder;
  write_file_atomically(folder / "t", bytes);
  return message_of<FormatError>([&] { const SafetensorsFile file(folder / "t"); });
}

TEST(Safetensors, RoundTripKeepsEverything) {
  const TempFolder folder;
  const float a[6] = {1, 2, 3, 4, 5, -0.0f};
  const std::int64_t b[1] = {-7};
  const std::string odd = "abc";
  const auto bytes = [](const auto& array) {
    return std::string_view(reinterpret_cast<const char*>(array), sizeof array);
  };
  write_safetensors(folder / "t",
                    {{"weight", {DType::kF32, {2, 3}, bytes(a)}},
                     {"scalar", {DType::kI64, {}, bytes(b)}},
                     {"flags", {DType::kU8, {3}, odd}},
                     {"empty", {DType::kF64, {0, 5}, ""}}},
                    {{"made", "by test"}});
  const SafetensorsFile file(folder / "t");
  EXPECT_EQ(file.names(), (std::vector<std::string>{"empty", "flags", "scalar", "weight"}));
  EXPECT_EQ(file.find("weight")->bytes, bytes(a));
  EXPECT_EQ(file.find("weight")->shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(file.find("scalar")->shape.size(), 0u);
  EXPECT_EQ(file.find("flags")->bytes, "abc");
  EXPECT_EQ(file.find("empty")->bytes, "");
  EXPECT_EQ(file.metadata().at("made"), "by test");
  EXPECT_FALSE(file.find("absent").has_value());
  for (const std::string& name : file.names())
    EXPECT_EQ(
        reinterpret_cast<std::uintptr_t>(file.find(name)->bytes.data()) % size_of(file.find(name)->dtype),
        0u);
}

TEST(Safetensors, TheGoldenFixtureIsReadAndWrittenToTheByte) {
  const std::filesystem::path golden =
      std::filesystem::path(KGWALK_SOURCE_DIR) / "tests/runtime/fixtures/golden.safetensors";
  const SafetensorsFile file(golden);
  ASSERT_EQ(file.names(), (std::vector<std::string>{"bias", "ids", "mask"}));
  float bias[2];
  std::memcpy(bias, file.find("bias")->bytes.data(), sizeof bias);
  EXPECT_EQ(bias[0], 1.5f);
  EXPECT_EQ(bias[1], -2.0f);
  const TempFolder folder;
  std::map<std::string, TensorView> tensors;
  for (const std::string& name : file.names()) tensors[name] = *file.find(name);
  write_safetensors(folder / "again", tensors, file.metadata());
  EXPECT_EQ(read_file(folder / "again"), read_file(golden));
}

constexpr const char* kGood = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";

TEST(Safetensors, EveryTruncationIsRefused) {
  const std::string whole = file_of(kGood, "12345678");
  const TempFolder folder;
  write_file_atomically(folder / "t", whole);
  EXPECT_NO_THROW(const SafetensorsFile file(folder / "t"));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(refused(whole.substr(0, size)), "") << size;
  EXPECT_TRUE(contains(refused(whole + "x"), "1 bytes at the end belong to no tensor"));
}

TEST(Safetensors, HeaderLengthsAreBounded) {
  std::string bytes = file_of(kGood, "12345678");
  for (const std::uint64_t length :
       {std::uint64_t{1000}, std::uint64_t{1} << 40, ~std::uint64_t{0}, std::uint64_t{0}}) {
    std::memcpy(bytes.data(), &length, sizeof length);
    EXPECT_TRUE(contains(refused(bytes), "header")) << length;
  }
}

TEST(Safetensors, EveryHeaderFaultIsNamed) {
  const std::pair<const char*, const char*> faults[] = {
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
       "'b': overlaps"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[2],"data_offsets":[6,8]}})",
       "'b': is preceded by a hole of 2 bytes"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", "hole of 4 bytes"},
      {R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", "ends at byte 16 of 8"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", "end before they begin"},
      {R"({"a":{"dtype":"F31","shape":[2],"data_offsets":[0,8]}})", "\"F31\" is not supported"},
      {R"({"a":{"dtype":32,"shape":[2],"data_offsets":[0,8]}})", "dtype 32 is not supported"},
      {R"({"a":{"dtype":"F64","shape":[2],"data_offsets":[0,8]}})", "needs 16 bytes, its offsets hold 8"},
      {R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", "needs 12 bytes"},
      {R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", "no list of counts"},
      {R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,8]}})", "no list of counts"},
      {R"({"a":{"dtype":"F32","shape":2,"data_offsets":[0,8]}})", "no list of counts"},
      {R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}})", "too many bytes"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0]}})", "two counts"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}})", "two counts"},
      {R"({"a":{"dtype":"F32","shape":[2]}})", "exactly dtype, shape and data_offsets"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"more":1}})",
       "exactly dtype, shape and data_offsets"},
      {R"({"a":[]})", "exactly dtype, shape and data_offsets"},
      {R"({"__metadata__":3,"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
       "__metadata__: is no object"},
      {R"({"__metadata__":{"k":3},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "'k' is no text"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
       "'a' is given twice"},
      {"[]", "does not begin with '{'"},
      {"{\"a\":", "broken json"},
      {" {}", "does not begin with '{'"},
  };
  for (const auto& [header, what] : faults) {
    const std::string text = refused(file_of(header, "12345678"));
    EXPECT_TRUE(contains(text, what)) << header << "\n" << text;
  }
}

TEST(Safetensors, AllFaultsAreToldAtOnce) {
  const std::string text = refused(file_of(
      R"({"a":{"dtype":"F99","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[8,99]}})",
      "12345678"));
  EXPECT_TRUE(contains(text, "tensor 'a'") && contains(text, "tensor 'b'")) << text;
}

TEST(Safetensors, WritingRefusesShapesThatDoNotFit) {
  const TempFolder folder;
  EXPECT_THROW(write_safetensors(folder / "t", {{"a", {DType::kF32, {3}, "12345678"}}}), ShapeError);
  EXPECT_FALSE(std::filesystem::exists(folder / "t"));
}

}  // namespace
}  // namespace kgwalk
