#include "graph/snapshot.h"

#include <bit>

#include "kgwalk/error.h"
#include "runtime/checksum.h"

namespace kgwalk::graph {
namespace {

static_assert(std::endian::native == std::endian::little, "snapshots are little-endian and read in place");
static_assert(sizeof(Edge) == 8 && sizeof(NameSlot) == 8);

constexpr std::array<char, 8> kMagic = {'K', 'G', 'W', 'S', 'N', 'A', 'P', '1'};

constexpr std::size_t aligned(std::size_t position) { return (position + 63) / 64 * 64; }

[[noreturn]] void broken_snapshot(std::string_view why) {
  throw StoreError("the stored graph is damaged (" + std::string(why) + ")", Remedy{Remedy::kReingest, ""});
}

template <class T>
std::span<const T> section(std::string_view bytes, const SnapshotHeader& header, Section which) {
  const auto i = static_cast<std::size_t>(which);
  const std::uint64_t begin = header.begin[i], length = header.bytes[i];
  if (begin > bytes.size() || length > bytes.size() - begin || begin % 64 != 0 || length % sizeof(T) != 0)
    broken_snapshot("section " + std::to_string(i) + " lies outside");
  return {reinterpret_cast<const T*>(bytes.data() + begin), length / sizeof(T)};
}

std::string_view text_section(std::string_view bytes, const SnapshotHeader& header, Section which) {
  const std::span<const char> text = section<char>(bytes, header, which);
  return {text.data(), text.size()};
}

// What look-ups of relations read, and the last of each row of starts.
void need_at_once(const SnapshotView& v) {
  for (const std::span<const std::uint64_t> starts : {v.offsets, v.neighbor_offsets, v.entity_name_offsets})
    if (!starts.empty()) v.need(starts.last(1));
  v.need(v.inverses);
  v.need(v.relation_name_offsets);
  v.need(std::span(v.relation_names));
  v.need(v.relation_slots);
}

void check_lengths(const SnapshotView& v) {
  const std::size_t entities = v.header->num_entities, relations = v.header->num_relations;
  if (v.offsets.size() != entities + 1 || v.neighbor_offsets.size() != entities + 1 ||
      v.entity_name_offsets.size() != entities + 1 || v.relation_name_offsets.size() != relations + 1 ||
      v.inverses.size() != relations || v.header->num_connected > entities)
    broken_snapshot("sections have other lengths than the counts say");
  if (v.offsets.back() != v.edges.size() || v.neighbor_offsets.back() != v.neighbors.size() ||
      v.entity_name_offsets.back() != v.entity_names.size() ||
      v.relation_name_offsets.back() != v.relation_names.size() ||
      v.annotation_only.size() != (v.edges.size() + 63) / 64)
    broken_snapshot("offsets do not end where their section ends");
  for (const std::span<const NameSlot> slots : {v.entity_slots, v.loose_entity_slots, v.relation_slots})
    if (!std::has_single_bit(slots.size())) broken_snapshot("a name table's size is no power of two");
}

}  // namespace

void lay_out(const SnapshotParts& parts, const TakeBytes& take) {
  constexpr std::array<char, 64> kZeros{};
  SnapshotHeader header{};
  header.magic = kMagic;
  header.num_entities = parts.num_entities;
  header.num_connected = parts.num_connected;
  header.num_relations = parts.num_relations;
  header.num_sections = kNumSections;
  std::size_t end = aligned(sizeof(header));
  for (std::size_t i = 0; i < kNumSections; ++i) {
    header.begin[i] = end;
    header.bytes[i] = parts.sections[i].bytes;
    end = aligned(end + parts.sections[i].bytes);
  }
  const auto fill_up = [&](std::size_t bytes) { take({kZeros.data(), aligned(bytes) - bytes}); };
  take({reinterpret_cast<const char*>(&header), sizeof(header)});
  fill_up(sizeof(header));
  for (const SnapshotParts::Part& part : parts.sections) {
    part.give(take);
    fill_up(part.bytes);
  }
}

AlignedBytes lay_out(const SnapshotParts& parts) {
  std::size_t size = aligned(sizeof(SnapshotHeader));
  for (const SnapshotParts::Part& part : parts.sections) size += aligned(part.bytes);
  AlignedBytes bytes(size);
  char* end = bytes.data();
  lay_out(parts, [&](std::string_view part) {
    if (!part.empty()) std::memcpy(end, part.data(), part.size());
    end += part.size();
  });
  return bytes;
}

std::string checksum_of_graph(const SnapshotParts& parts) {
  constexpr Section kSummed[] = {Section::kEntityNameOffsets,
                                 Section::kEntityNames,
                                 Section::kRelationNameOffsets,
                                 Section::kRelationNames,
                                 Section::kInverses,
                                 Section::kOffsets,
                                 Section::kEdges};
  Checksum sum;
  for (const Section section : kSummed)
    parts.sections[static_cast<std::size_t>(section)].give([&](std::string_view part) { sum.add(part); });
  return sum.hex();
}

SnapshotView view_snapshot(std::string_view bytes, const SealedFile* file) {
  if (bytes.size() < sizeof(SnapshotHeader)) broken_snapshot("it is too short");
  if (file != nullptr) file->check(bytes.data(), sizeof(SnapshotHeader));
  const auto* header = reinterpret_cast<const SnapshotHeader*>(bytes.data());
  if (header->magic != kMagic || header->num_sections != kNumSections)
    broken_snapshot("its magic number is another");
  SnapshotView v;
  v.file = file;
  v.header = header;
  v.offsets = section<std::uint64_t>(bytes, *header, Section::kOffsets);
  v.edges = section<Edge>(bytes, *header, Section::kEdges);
  v.neighbor_offsets = section<std::uint64_t>(bytes, *header, Section::kNeighborOffsets);
  v.neighbors = section<EntityId>(bytes, *header, Section::kNeighbors);
  v.inverses = section<RelationId>(bytes, *header, Section::kInverses);
  v.annotation_only = section<std::uint64_t>(bytes, *header, Section::kAnnotationOnly);
  v.entity_name_offsets = section<std::uint64_t>(bytes, *header, Section::kEntityNameOffsets);
  v.entity_names = text_section(bytes, *header, Section::kEntityNames);
  v.relation_name_offsets = section<std::uint64_t>(bytes, *header, Section::kRelationNameOffsets);
  v.relation_names = text_section(bytes, *header, Section::kRelationNames);
  v.entity_slots = section<NameSlot>(bytes, *header, Section::kEntitySlots);
  v.loose_entity_slots = section<NameSlot>(bytes, *header, Section::kLooseEntitySlots);
  v.relation_slots = section<NameSlot>(bytes, *header, Section::kRelationSlots);
  need_at_once(v);
  check_lengths(v);
  return v;
}

}  // namespace kgwalk::graph
