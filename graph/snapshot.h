// The graph as one block of bytes: what KnowledgeGraph reads from, in memory and mapped from a file alike.
// Little-endian; every section starts at a multiple of 64. See docs/reference/formats/graph.md.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "graph/names.h"
#include "graph/spooled_array.h"
#include "kgwalk/graph_types.h"
#include "runtime/sealed_file.h"

namespace kgwalk::graph {

// Bytes aligned to a cache line, not initialized.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(std::size_t size)
      : data_(static_cast<char*>(::operator new (size, std::align_val_t{64}))), size_(size) {}
  [[nodiscard]] char* data() noexcept { return data_.get(); }
  [[nodiscard]] std::string_view view() const noexcept { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(char* p) const noexcept { ::operator delete (p, std::align_val_t{64}); }
  };
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
};

enum class Section : std::uint32_t {
  kOffsets,              // u64 [entities + 1]
  kEdges,                // Edge [edges]
  kNeighborOffsets,      // u64 [entities + 1]
  kNeighbors,            // u32
  kInverses,             // u32 [relations]
  kAnnotationOnly,       // u64, one bit an edge
  kEntityNameOffsets,    // u64 [entities + 1]
  kEntityNames,          // bytes
  kRelationNameOffsets,  // u64 [relations + 1]
  kRelationNames,        // bytes
  kEntitySlots,          // NameSlot: by key
  kLooseEntitySlots,     // NameSlot: by folded name, for entities whose folded name is not their key
  kRelationSlots,        // NameSlot: by key
  kCount,
};
inline constexpr std::size_t kNumSections = static_cast<std::size_t>(Section::kCount);

struct SnapshotHeader {
  std::array<char, 8> magic;  // "KGWSNAP1"
  std::uint32_t num_entities;
  std::uint32_t num_connected;
  std::uint32_t num_relations;
  std::uint32_t num_sections;
  std::array<std::uint64_t, kNumSections> begin;  // byte position of each section
  std::array<std::uint64_t, kNumSections> bytes;  // its length
};

// Views into the sections. Those of relations are checked when the file is opened, all others when the
// functions below touch them; who reads a span itself calls need() for the part that is read. All of these
// throw StoreError where the file is damaged.
struct SnapshotView {
  const SealedFile* file = nullptr;  // none: the bytes lie in memory and need no check
  const SnapshotHeader* header = nullptr;
  std::span<const std::uint64_t> offsets, neighbor_offsets, entity_name_offsets, relation_name_offsets;
  std::span<const Edge> edges;
  std::span<const EntityId> neighbors;
  std::span<const RelationId> inverses;
  std::span<const std::uint64_t> annotation_only;
  std::string_view entity_names, relation_names;
  std::span<const NameSlot> entity_slots, loose_entity_slots, relation_slots;

  template <class T>
  void need(std::span<const T> part) const {
    if (file != nullptr) file->check(part.data(), part.size_bytes());
  }
  [[nodiscard]] std::uint64_t first_edge(EntityId id) const {
    need(offsets.subspan(id, 1));
    return offsets[id];
  }
  [[nodiscard]] std::span<const Edge> row(EntityId id) const { return row_of(offsets, edges, id); }
  [[nodiscard]] std::span<const EntityId> neighbor_row(EntityId id) const {
    return row_of(neighbor_offsets, neighbors, id);
  }
  [[nodiscard]] std::string_view entity_name(EntityId id) const {
    const std::span<const char> name = row_of(entity_name_offsets, std::span(entity_names), id);
    return {name.data(), name.size()};
  }
  [[nodiscard]] std::string_view relation_name(RelationId id) const noexcept {
    return relation_names.substr(relation_name_offsets[id],
                                 relation_name_offsets[id + 1] - relation_name_offsets[id]);
  }

 private:
  template <class T>
  [[nodiscard]] std::span<const T> row_of(std::span<const std::uint64_t> starts, std::span<const T> values,
                                          EntityId id) const {
    need(starts.subspan(id, 2));
    const std::span<const T> row = values.subspan(starts[id], starts[id + 1] - starts[id]);
    need(row);
    return row;
  }
};

using TakeBytes = std::function<void(std::string_view)>;

// The parts of a snapshot before they are laid out; what they are set from must be there until then.
struct SnapshotParts {
  struct Part {
    std::size_t bytes = 0;
    std::function<void(const TakeBytes&)> give = [](const TakeBytes&) {};
  };
  std::uint32_t num_entities = 0, num_connected = 0, num_relations = 0;
  std::array<Part, kNumSections> sections;

  template <class T>
  void set(Section section, std::span<const T> values) {
    set(section, bytes_of(values));
  }
  template <class T>
  void set(Section section, const SpooledArray<T>& values) {
    sections[static_cast<std::size_t>(section)] = {
        values.size() * sizeof(T), [&values](const TakeBytes& take) {
          values.for_each_chunk([&](std::span<const T> chunk) { take(bytes_of(chunk)); });
        }};
  }
  void set(Section section, std::string_view bytes) {
    sections[static_cast<std::size_t>(section)] = {bytes.size(),
                                                   [bytes](const TakeBytes& take) { take(bytes); }};
  }

 private:
  template <class T>
  static std::string_view bytes_of(std::span<const T> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
  }
};

// Gives the bytes of the snapshot from begin to end.
void lay_out(const SnapshotParts& parts, const TakeBytes& take);
[[nodiscard]] AlignedBytes lay_out(const SnapshotParts& parts);
// Of names and edges, as KnowledgeGraph::checksum() has it.
[[nodiscard]] std::string checksum_of_graph(const SnapshotParts& parts);

// Checks magic, bounds and the agreement of the sections' lengths; StoreError when they do not fit. `file`:
// the one that the bytes are of, or null.
[[nodiscard]] SnapshotView view_snapshot(std::string_view bytes, const SealedFile* file = nullptr);

}  // namespace kgwalk::graph
