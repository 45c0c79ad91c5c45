#include "runtime/tensorboard.h"

#include <array>
#include <chrono>
#include <cstring>
#include <fstream>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk {
namespace {

constexpr std::uint32_t kCastagnoli = 0x82F63B78;  // reflected

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kCastagnoli : 0);
    table[i] = crc;
  }
  return table;
}

template <class T>
std::string raw(T value) {  // little-endian, as the processors we build for are
  std::string bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));
  return bytes;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>(value | 128);
  return bytes + static_cast<char>(value);
}

// A field of a protocol buffer that holds bytes.
std::string block(int field, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string record(const std::string& event) {
  const std::string length = raw(static_cast<std::uint64_t>(event.size()));
  return length + raw(masked_crc32c(length)) + event + raw(masked_crc32c(event));
}

double now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string records_of(const Json& row, double wall_time) {
  std::string records;
  if (!row.is_object() || !row.contains("step") || !row["step"].is_number()) return records;
  const auto step = row["step"].get<std::int64_t>();
  const std::string kind =
      row.contains("kind") && row["kind"].is_string() ? row["kind"].get<std::string>() : "run";
  for (const auto& [name, value] : row.items())
    if (value.is_number() && name != "step")
      records += event_record(wall_time, step, kind + "/" + name, static_cast<float>(value.get<double>()));
  return records;
}

}  // namespace

std::uint32_t masked_crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = crc_table();
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ (crc >> 8);
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8;
}

// Event {double wall_time = 1; int64 step = 2; Summary summary = 5 {Value value = 1 {string tag = 1; float
// simple_value = 2}}}.
std::string event_record(double wall_time, std::int64_t step, const std::string& tag, float value) {
  const std::string scalar = block(1, tag) + varint(2 << 3 | 5) + raw(value);
  return record(varint(1 << 3 | 1) + raw(wall_time) + varint(2 << 3) +
                varint(static_cast<std::uint64_t>(step)) + block(5, block(1, scalar)));
}

EventWriter::EventWriter(const std::filesystem::path& folder, const std::vector<Json>& rows)
    : file_(folder / "events.out.tfevents.kgwalk") {
  const double time = now_s();
  std::string records = record(varint(1 << 3 | 1) + raw(time) + block(3, "brain.Event:2"));
  for (const Json& row : rows) records += records_of(row, time);
  replace_file(file_, records);
}

void EventWriter::write(const Json& row) { append(records_of(row, now_s())); }

void EventWriter::append(const std::string& records) const {
  if (records.empty()) return;
  std::ofstream out(file_, std::ios::binary | std::ios::app);
  out.write(records.data(), static_cast<std::streamsize>(records.size()));
  out.flush();
  if (!out) throw IoError(file_.string() + ": cannot append; is the disk full?");
}

}  // namespace kgwalk
