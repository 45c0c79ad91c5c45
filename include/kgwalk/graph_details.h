// What a graph's source gave beside names and edges: ids, aliases, types, and of facts weights, sources
// and qualifiers.
//
// Example:
//   #include "kgwalk/knowledge_graph.h"
//   #include "kgwalk/store.h"
//
//   const auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadOnly);
//   const kgwalk::graph::KnowledgeGraph graph = store.load_graph();
//   const kgwalk::graph::GraphDetails& details = kgwalk::graph::details(graph);
//   if (const auto film = details.find_id("http://example.org/film/Titanic_1997")) {
//     std::cout << graph.entity_name(*film) << '\n';  // Titanic (1997)
//     for (const std::string_view alias : details.aliases(*film)) std::cout << alias << '\n';
//     for (const std::string_view source : details.sources(graph.first_edge(*film)))
//       std::cout << source << '\n';
//   }
//
// Names of a graph (KnowledgeGraph::entity_name) are different from each other: where two entities of the
// source bear one name, ingestion tells them apart in brackets. label() is the name without that.
//
// All of it belongs to the graph: views are valid as long as it. A graph whose source gave none of it has
// empty details, which take no memory. Edges are numbered as in KnowledgeGraph::edges(); a fact and its
// inverse have the same weight, sources and qualifiers. Ids beyond the graph's are undefined behavior.
// Thread-safe: all functions are const.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kgwalk/graph_types.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

// What a statement says beside its fact: when it held, in which role. The value is an entity, or a literal
// that is one.
struct Qualifier {
  RelationId relation;
  EntityId value;
  friend auto operator<=>(const Qualifier&, const Qualifier&) = default;
};

class GraphDetails {
 public:
  [[nodiscard]] bool empty() const noexcept { return num_edges_ == 0 && num_relations_ == 0; }

  // An IRI, the source's own id, "_:" and the label of a blank node, or a literal as N-Triples writes it.
  // Empty where the source gave none: the name is the id then.
  [[nodiscard]] std::string_view id(EntityId entity) const noexcept;
  [[nodiscard]] std::string_view relation_id(RelationId relation) const noexcept;
  [[nodiscard]] bool has_ids() const noexcept { return !id_begins_.empty(); }
  // By its exact spelling. KnowledgeGraph::find_entity() looks here too, where no name fits.
  [[nodiscard]] std::optional<EntityId> find_id(std::string_view id) const noexcept;

  // The name as the source gave it, where ingestion had to put something behind it, and the id of a blank
  // node that is called by what it holds; empty where KnowledgeGraph::entity_name() is it.
  [[nodiscard]] std::string_view label(EntityId entity) const noexcept;
  // Other names, in the order of the source.
  [[nodiscard]] std::vector<std::string_view> aliases(EntityId entity) const;
  [[nodiscard]] bool has_aliases() const noexcept { return !alias_entities_.empty(); }
  // The relation whose tails are types (rdf:type, Neo4j's labels, the column "type").
  [[nodiscard]] std::optional<RelationId> type_relation() const noexcept;

  // Whether what the relation says is about the record and not about the thing: when it was created or
  // changed, its address, its picture, its checksum. Such facts can be asked for, but are nothing to learn
  // from or to tell unasked. An inverse is marked as its relation is.
  [[nodiscard]] bool is_housekeeping(RelationId relation) const noexcept;

  [[nodiscard]] bool has_weights() const noexcept { return !weights_.empty(); }
  // nullopt where none was given.
  [[nodiscard]] std::optional<float> given_weight(std::uint64_t edge) const noexcept;
  // The same for computing: 1 where none was given.
  [[nodiscard]] float weight(std::uint64_t edge) const noexcept;

  [[nodiscard]] bool has_sources() const noexcept { return !source_sets_.empty(); }
  // Ascending; empty where none was given.
  [[nodiscard]] std::vector<std::string_view> sources(std::uint64_t edge) const;
  // Whether the fact stands without a source too (in the default graph, beside named ones); true where it has
  // none.
  [[nodiscard]] bool without_source(std::uint64_t edge) const noexcept;

  [[nodiscard]] bool has_qualifiers() const noexcept { return !qualified_edges_.empty(); }
  // Those of each statement of the fact that has some, ascending: a fact may be stated several times ("mayor
  // from 1990 to 1994", "from 2002 to 2006").
  [[nodiscard]] std::vector<std::span<const Qualifier>> qualifiers(std::uint64_t edge) const;
  // Of all facts and statements, inverses' too.
  [[nodiscard]] std::span<const Qualifier> all_qualifiers() const noexcept { return qualifiers_; }

 private:
  friend struct DetailsAccess;  // reads and checks them
  [[nodiscard]] std::span<const std::uint32_t> set_of(std::uint64_t edge) const noexcept;

  struct Texts {  // text i is bytes[begins[i], begins[i + 1])
    std::span<const std::uint64_t> begins;
    std::string_view bytes;
    [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
      return bytes.substr(begins[i], begins[i + 1] - begins[i]);
    }
  };
  struct Slot {  // of the table from ids to entities
    std::uint32_t tag, id;
  };

  std::uint32_t num_relations_ = 0;
  std::uint64_t num_edges_ = 0;
  std::uint32_t type_relation_ = 0xffffffffu;
  std::span<const std::uint64_t> id_begins_;  // [entities + 1], or none
  std::string_view id_bytes_;
  std::span<const Slot> id_slots_;
  Texts relation_ids_;                             // [relations], or none
  std::span<const std::uint32_t> label_entities_;  // ascending
  Texts labels_;
  std::span<const std::uint32_t> alias_entities_;  // ascending, an entity as often as it has aliases
  Texts aliases_;
  std::span<const std::uint8_t> housekeeping_;  // [relations], or none
  std::span<const float> weights_;              // [edges], or none; NaN: not given
  std::span<const std::uint32_t> source_sets_;  // [edges], or none: number of a set
  std::span<const std::uint64_t> set_begins_;   // [sets + 1] in set_words_
  std::span<const std::uint32_t> set_words_;    // ascending in a set; word 0 is empty: without a source
  Texts words_;
  std::span<const std::uint64_t> qualified_edges_;   // ascending, an edge as often as it has statements
  std::span<const std::uint64_t> qualifier_begins_;  // [qualified edges + 1] in qualifiers_
  std::span<const Qualifier> qualifiers_;
};

// Those of a graph; they live as long as it, also when it is moved.
[[nodiscard]] const GraphDetails& details(const KnowledgeGraph& graph) noexcept;

// The number of a fact's edge in KnowledgeGraph::edges(); nullopt when the graph does not have it.
[[nodiscard]] std::optional<std::uint64_t> edge_number(const KnowledgeGraph& graph, const Triple& fact);

// The types of an entity, ascending; none where the source gave no types.
[[nodiscard]] std::vector<EntityId> types_of(const KnowledgeGraph& graph, EntityId entity);

}  // namespace kgwalk::graph
