// Reads the protocol buffer wire format (protozero), as far as SentencePiece models need it. No schema, no
// allocation: a reader walks the fields of one message; nested messages are read by a reader over their
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <string_view>

namespace kgwalk::seq2seq {

// Strict: a cut field, an over-long varint, a group, a field number that is not allowed or a wire type that
// is not the wanted one, which protozero only asserts, throws FormatError naming `what` and the byte offset
// inside the message.
class ProtobufReader {
 public:
  // `bytes` must outlive the reader; `what` names the message in errors.
  ProtobufReader(std::string_view bytes, std::string what);

  // Moves to the next field; false at the end of the message. The value of the current field is read by
  // exactly one of the functions below, or passed over by the next call.
  [[nodiscard]] bool next();
  [[nodiscard]] std::uint32_t field() const noexcept { return reader_.tag(); }

  [[nodiscard]] std::uint64_t varint();
  [[nodiscard]] std::int32_t int32();
  [[nodiscard]] bool boolean();
  [[nodiscard]] float float32();
  [[nodiscard]] std::string_view bytes();

 private:
  [[noreturn]] void fail(const std::string& why) const;
  void expect(protozero::pbf_wire_type wire, const char* name);
  // What protozero throws becomes fail().
  template <class Read>
  auto checked(Read read);

  protozero::pbf_reader reader_;
  std::size_t size_;
  std::string what_;
  bool pending_ = false;
};

}  // namespace kgwalk::seq2seq
