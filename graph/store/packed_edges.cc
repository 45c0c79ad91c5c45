#include "graph/store/packed_edges.h"

#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

[[noreturn]] void broken_edges() {
  throw StoreError("a stored record is damaged: its numbers do not fit its length",
                   Remedy{Remedy::kReingest, ""});
}

}  // namespace

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    value |= std::uint64_t{byte & 0x7fu} << (7 * i);
    if (byte < 0x80) {
      bytes.remove_prefix(i + 1);
      return value;
    }
  }
  broken_edges();
}

std::string pack_edges(std::span<const Edge> row) {
  std::string groups;
  std::uint64_t num_groups = 0;
  RelationId next_relation = 0;
  for (std::size_t i = 0; i < row.size();) {
    std::size_t end = i;
    while (end < row.size() && row[end].relation == row[i].relation) ++end;
    append_varint(groups, row[i].relation - next_relation);
    append_varint(groups, end - i);
    append_varint(groups, row[i].tail);
    for (std::size_t j = i + 1; j < end; ++j) append_varint(groups, row[j].tail - row[j - 1].tail - 1);
    next_relation = row[i].relation + 1;
    ++num_groups;
    i = end;
  }
  std::string out;
  append_varint(out, num_groups);
  return out + groups;
}

void unpack_edges(std::string_view bytes, std::vector<Edge>& out) {
  const std::uint64_t num_groups = take_varint(bytes);
  std::uint64_t relation = 0;
  for (std::uint64_t g = 0; g < num_groups; ++g) {
    relation += take_varint(bytes);
    const std::uint64_t count = take_varint(bytes);
    std::uint64_t tail = take_varint(bytes);
    if (count == 0 || count > bytes.size() + 1) broken_edges();
    out.push_back({static_cast<RelationId>(relation), static_cast<EntityId>(tail)});
    for (std::uint64_t i = 1; i < count; ++i) {
      tail += take_varint(bytes) + 1;
      out.push_back({static_cast<RelationId>(relation), static_cast<EntityId>(tail)});
    }
    ++relation;
  }
  if (!bytes.empty()) broken_edges();
}

}  // namespace kgwalk::graph
