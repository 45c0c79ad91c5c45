// The sections of a graph's details, for those that write and read them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "graph/snapshot.h"

namespace kgwalk::graph {

enum class DetailsSection : std::uint32_t {
  kIdBegins,          // u64 [entities + 1], or none
  kIds,               // bytes
  kIdSlots,           // NameSlot: entities by id
  kRelationIdBegins,  // u64 [relations + 1], or none
  kRelationIds,       // bytes
  kLabelEntities,     // u32, ascending
  kLabelBegins,       // u64
  kLabels,            // bytes
  kAliasEntities,     // u32, ascending, with repeats
  kAliasBegins,       // u64
  kAliases,           // bytes
  kWeights,           // f32 [edges], or none
  kSourceSets,        // u32 [edges], or none
  kSetBegins,         // u64 [sets + 1]
  kSetWords,          // u32
  kWordBegins,        // u64 [words + 1]
  kWords,             // bytes
  kHousekeeping,      // u8 [relations], or none; not in the first version
  kQualifiedEdges,    // u64, ascending, with repeats; the last three are in the third version alone
  kQualifierBegins,   // u64 [qualified edges + 1]
  kQualifiers,        // Qualifier
  kCount,
};
inline constexpr std::size_t kNumDetailsSections = static_cast<std::size_t>(DetailsSection::kCount);
inline constexpr std::size_t kNumSecondSections = kNumDetailsSections - 3;  // without qualifiers
inline constexpr std::size_t kNumFirstSections = kNumSecondSections - 1;

struct DetailsHeader {
  std::array<char, 8> magic;  // "KGWDETL3"; "KGWDETL2" without qualifiers; "KGWDETL1"
  std::uint32_t num_entities, num_relations;
  std::uint64_t num_edges;
  std::uint32_t type_relation;  // kNoName: none
  std::uint32_t num_sections;
  // Behind it: u64 byte position of each section, then u64 length of each.
};

// What is laid out.
struct DetailsParts {
  std::uint32_t num_entities = 0, num_relations = 0;
  std::uint64_t num_edges = 0;
  std::uint32_t type_relation = 0;
  std::array<std::string_view, kNumDetailsSections> sections;
  template <class T>
  void set(DetailsSection section, std::span<const T> values) {
    set(section, std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  void set(DetailsSection section, std::string_view bytes) {
    sections[static_cast<std::size_t>(section)] = bytes;
  }
};

[[nodiscard]] AlignedBytes lay_out(const DetailsParts& parts);

}  // namespace kgwalk::graph
