// Reads the protocol buffer wire format, as far as SentencePiece models need it. No schema, no allocation: a
// reader walks the fields of one message; nested messages are read by a reader over their bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kgwalk::seq2seq {

// Strict: a cut field, an over-long varint, a group, field number 0 or a wire type that is not the wanted one
// throws FormatError naming `what` and the byte offset inside the message.
class ProtobufReader {
 public:
  enum class Wire { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

  // `bytes` must outlive the reader; `what` names the message in errors.
  ProtobufReader(std::string_view bytes, std::string what);

  // Moves to the next field; false at the end of the message. The value of the current field is read by
  // exactly one of the functions below, or passed over by the next call.
  [[nodiscard]] bool next();
  [[nodiscard]] std::uint32_t field() const noexcept { return field_; }

  [[nodiscard]] std::uint64_t varint();
  [[nodiscard]] std::int32_t int32();
  [[nodiscard]] bool boolean();
  [[nodiscard]] float float32();
  [[nodiscard]] std::string_view bytes();

 private:
  [[noreturn]] void fail(const std::string& why) const;
  void expect(Wire wire, const char* name);
  [[nodiscard]] std::uint64_t read_varint();
  [[nodiscard]] std::string_view take(std::uint64_t count);

  std::string_view bytes_;
  std::string what_;
  std::size_t position_ = 0;
  std::uint32_t field_ = 0;
  Wire wire_ = Wire::kVarint;
  bool pending_ = false;
};

}  // namespace kgwalk::seq2seq
