// Details of a graph (kgwalk/graph_details.h) as one block of bytes, in memory and on disk alike, and how
// they are made. Little-endian; every section starts at a multiple of 64. See
// docs/reference/formats/graph.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/names.h"
#include "graph/snapshot.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::graph {

// Name of the blob that holds them; databases without have none.
inline constexpr std::string_view kDetailsBlob = "graph/details";

struct DetailsAccess {
  // Views into `bytes`, which must outlive them. StoreError when they do not hold together or belong to a
  // graph of other sizes.
  [[nodiscard]] static GraphDetails view(std::string_view bytes, const SnapshotView& graph);

  // What they look into, for those that make other details of them.
  struct Inside {
    std::span<const std::uint64_t> relation_id_begins;
    std::span<const std::uint8_t> housekeeping;
    std::span<const std::uint32_t> label_entities, alias_entities;
    std::span<const float> weights;
    std::span<const std::uint32_t> source_sets, set_words;
    std::span<const std::uint64_t> set_begins;
    std::span<const std::uint64_t> qualified_edges, qualifier_begins;
    std::span<const Qualifier> qualifiers;
    std::size_t num_words = 0;
  };
  [[nodiscard]] static Inside inside(const GraphDetails& details);
  [[nodiscard]] static std::string_view alias(const GraphDetails& details, std::size_t i) {
    return details.aliases_[i];
  }
  [[nodiscard]] static std::string_view word(const GraphDetails& details, std::size_t i) {
    return details.words_[i];
  }
};

// Gathers details of a graph that is already built, in its ids. Not thread-safe.
class DetailsMaker {
 public:
  explicit DetailsMaker(const KnowledgeGraph& graph) : graph_(graph) {}

  // The first one stays. An id that another entity has is an error of the caller: the first entity is found
  // by it.
  void set_id(EntityId entity, std::string_view id);
  void set_relation_id(RelationId relation, std::string_view id);
  void set_label(EntityId entity, std::string label) { labels_[entity] = std::move(label); }
  // In the order of the calls; repeats and what is the entity's own name are dropped.
  void add_alias(EntityId entity, std::string alias) { aliases_.emplace_back(entity, std::move(alias)); }
  void set_type_relation(RelationId relation) noexcept { type_relation_ = relation; }
  // And of its inverse.
  void set_housekeeping(RelationId relation);
  // What one statement of a fact gave. Of several weights the greatest counts, sources are gathered; ""
  // stands for a statement without one.
  void add_fact(const Triple& fact, std::optional<float> weight, std::string_view source);
  // What one statement of a fact says beside it; the same said twice counts once.
  void add_qualifiers(const Triple& fact, std::vector<Qualifier> of_statement);

  // Empty when nothing was gathered.
  [[nodiscard]] AlignedBytes bytes();

 private:
  void tidy_aliases();
  void tidy_qualifiers();

  const KnowledgeGraph& graph_;
  std::vector<std::string> ids_, relation_ids_;
  std::map<EntityId, std::string> labels_;
  std::vector<std::pair<EntityId, std::string>> aliases_;
  std::uint32_t type_relation_ = kNoName;
  std::vector<std::uint8_t> housekeeping_;
  std::vector<float> weights_;
  std::vector<std::uint32_t> sets_;                           // of each edge
  std::vector<std::vector<std::uint32_t>> set_words_ = {{}};  // by set
  std::map<std::vector<std::uint32_t>, std::uint32_t> set_ids_ = {{{}, 0}};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> joined_;  // set and word -> set
  StringSet words_;
  std::vector<std::pair<std::uint64_t, std::vector<Qualifier>>> qualifiers_;  // of an edge, by statement
  bool has_source_ = false;
};

}  // namespace kgwalk::graph
