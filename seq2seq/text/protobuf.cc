#include "seq2seq/text/protobuf.h"

#include <utility>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {

ProtobufReader::ProtobufReader(std::string_view bytes, std::string what)
    : reader_(bytes.data(), bytes.size()), size_(bytes.size()), what_(std::move(what)) {}

void ProtobufReader::fail(const std::string& why) const {
  throw FormatError(what_ + ", byte " + std::to_string(size_ - reader_.length()) + ": " + why +
                    "; the file is damaged or no SentencePiece model");
}

template <class Read>
auto ProtobufReader::checked(Read read) {
  try {
    return read();
  } catch (const protozero::end_of_buffer_exception&) {
    fail("field " + std::to_string(field()) + " is cut off");
  } catch (const protozero::varint_too_long_exception&) {
    fail("a number is longer than 64 bits");
  } catch (const protozero::invalid_tag_exception&) {
    fail("field number " + std::to_string(field()) + " is not allowed");
  } catch (const protozero::unknown_pbf_wire_type_exception&) {
    fail("field " + std::to_string(field()) + " has wire type " +
         std::to_string(static_cast<int>(reader_.wire_type())));
  }
}

bool ProtobufReader::next() {
  if (std::exchange(pending_, false)) checked([&] { reader_.skip(); });
  pending_ = checked([&] { return reader_.next(); });
  return pending_;
}

void ProtobufReader::expect(protozero::pbf_wire_type wire, const char* name) {
  if (!std::exchange(pending_, false) || reader_.wire_type() != wire)
    fail("field " + std::to_string(field()) + " should be " + name);
}

std::uint64_t ProtobufReader::varint() {
  expect(protozero::pbf_wire_type::varint, "a number");
  return checked([&] { return reader_.get_uint64(); });
}

std::int32_t ProtobufReader::int32() { return static_cast<std::int32_t>(varint()); }

bool ProtobufReader::boolean() { return varint() != 0; }

float ProtobufReader::float32() {
  expect(protozero::pbf_wire_type::fixed32, "a float");
  return checked([&] { return reader_.get_float(); });
}

std::string_view ProtobufReader::bytes() {
  expect(protozero::pbf_wire_type::length_delimited, "bytes");
  const protozero::data_view view = checked([&] { return reader_.get_view(); });
  return {view.data(), view.size()};
}

}  // namespace kgwalk::seq2seq
