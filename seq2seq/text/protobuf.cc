#include "seq2seq/text/protobuf.h"

#include <bit>
#include <utility>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {

ProtobufReader::ProtobufReader(std::string_view bytes, std::string what)
    : bytes_(bytes), what_(std::move(what)) {}

void ProtobufReader::fail(const std::string& why) const {
  throw FormatError(what_ + ", byte " + std::to_string(position_) + ": " + why +
                    "; the file is damaged or no SentencePiece model");
}

std::uint64_t ProtobufReader::read_varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (position_ >= bytes_.size()) fail("a number is cut off");
    const auto byte = static_cast<unsigned char>(bytes_[position_++]);
    if (shift == 63 && byte > 1) break;
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  fail("a number is longer than 64 bits");
}

std::string_view ProtobufReader::take(std::uint64_t count) {
  if (count > bytes_.size() - position_) fail("field " + std::to_string(field_) + " is cut off");
  const std::string_view taken = bytes_.substr(position_, count);
  position_ += count;
  return taken;
}

bool ProtobufReader::next() {
  if (pending_) {
    if (wire_ == Wire::kVarint)
      (void)varint();
    else if (wire_ == Wire::kBytes)
      (void)bytes();
    else
      (void)take(wire_ == Wire::kFixed32 ? 4 : 8);
    pending_ = false;
  }
  if (position_ == bytes_.size()) return false;
  const std::uint64_t key = read_varint();
  const std::uint64_t number = key >> 3;
  if (number == 0 || number > 0x1FFFFFFF) fail("field number " + std::to_string(number) + " is not allowed");
  field_ = static_cast<std::uint32_t>(number);
  const auto wire = static_cast<int>(key & 7);
  if (wire != 0 && wire != 1 && wire != 2 && wire != 5) {
    fail("field " + std::to_string(field_) + " has wire type " + std::to_string(wire));
  }
  wire_ = static_cast<Wire>(wire);
  pending_ = true;
  return true;
}

void ProtobufReader::expect(Wire wire, const char* name) {
  if (!pending_ || wire_ != wire) fail("field " + std::to_string(field_) + " should be " + name);
  pending_ = false;
}

std::uint64_t ProtobufReader::varint() {
  expect(Wire::kVarint, "a number");
  return read_varint();
}

std::int32_t ProtobufReader::int32() { return static_cast<std::int32_t>(varint()); }

bool ProtobufReader::boolean() { return varint() != 0; }

float ProtobufReader::float32() {
  expect(Wire::kFixed32, "a float");
  const std::string_view four = take(4);
  std::uint32_t bits = 0;
  for (int i = 3; i >= 0; --i)
    bits = bits << 8 | static_cast<unsigned char>(four[static_cast<std::size_t>(i)]);
  return std::bit_cast<float>(bits);
}

std::string_view ProtobufReader::bytes() {
  expect(Wire::kBytes, "bytes");
  return take(read_varint());
}

}  // namespace kgwalk::seq2seq
