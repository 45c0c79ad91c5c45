#include "graph/changes/edited_graph.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "graph/changes/edited_details.h"
#include "graph/changes/row_merge.h"
#include "graph/knowledge_graph_impl.h"
#include "graph/names.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

// A bit an edge of the base at its new place; facts of edits have none.
std::vector<std::uint64_t> moved_bits(std::span<const std::uint64_t> old, const MergedRows& rows) {
  std::vector<std::uint64_t> bits((rows.edges.size() + 63) / 64, 0);
  auto run = rows.runs.begin();
  for (std::size_t word = 0; word < old.size(); ++word)
    for (std::uint64_t left = old[word]; left != 0; left &= left - 1) {
      const std::uint64_t place = word * 64 + static_cast<std::uint64_t>(std::countr_zero(left));
      while (run != rows.runs.end() && run->old_begin + run->length <= place) ++run;
      if (run == rows.runs.end()) return bits;
      if (place < run->old_begin) continue;  // hidden
      const std::uint64_t now = place - run->old_begin + run->new_begin;
      bits[now / 64] |= std::uint64_t{1} << (now % 64);
    }
  return bits;
}

// Tables from names to ids. What the base has stays in: a slot whose entity has another name now matches
// nothing.
struct NameSlots {
  std::vector<NameSlot> exact, loose;
};

bool is_loose(std::string_view name) { return !name.empty() && fold_name(name) != name_key(name); }

void insert_key(NameSlots& slots, std::string_view name, EntityId entity) {
  if (!name.empty()) insert_slot(slots.exact, hash_bytes(name_key(name)), entity);
}

// Few, so they are always inserted anew.
std::vector<NameSlot> loose_slots(const SnapshotView& base, const Delta& delta) {
  std::set<EntityId> loose;
  for (const NameSlot& slot : base.loose_entity_slots)
    if (slot.id != kNoName) loose.insert(slot.id);
  for (const auto& [entity, name] : delta.renamed()) loose.insert(entity);
  for (std::size_t i = 0; i < delta.new_names().size(); ++i)
    loose.insert(base.header->num_entities + static_cast<EntityId>(i));
  std::erase_if(loose, [&](EntityId entity) { return !is_loose(delta.entity_name(entity)); });
  std::vector<NameSlot> slots = empty_slots(loose.size());
  for (const EntityId entity : loose)
    insert_slot(slots, hash_bytes(fold_name(delta.entity_name(entity))), entity);
  return slots;
}

NameSlots entity_slots(const SnapshotView& base, const Delta& delta) {
  const std::size_t more = delta.renamed().size() + delta.new_names().size();
  NameSlots slots{{}, loose_slots(base, delta)};
  const auto free =
      static_cast<std::size_t>(std::count_if(base.entity_slots.begin(), base.entity_slots.end(),
                                             [](const NameSlot& slot) { return slot.id == kNoName; }));
  const bool anew = 8 * (free - std::min(free, more)) < base.entity_slots.size();
  if (anew) {
    const bool compacted = GraphAccess::last_edit(delta.base()) > 0;  // nameless ones are no more
    slots.exact = empty_slots(delta.num_entities());
    for (EntityId e = 0; e < base.header->num_entities; ++e)
      if (!delta.renamed().contains(e) && !(compacted && base.entity_name(e).empty()))
        insert_slot(slots.exact, hash_bytes(name_key(base.entity_name(e))), e);
  } else {
    slots.exact.assign(base.entity_slots.begin(), base.entity_slots.end());
  }
  for (const auto& [entity, name] : delta.renamed()) insert_key(slots, name, entity);
  for (std::size_t i = 0; i < delta.new_names().size(); ++i)
    insert_key(slots, delta.new_names()[i], base.header->num_entities + static_cast<EntityId>(i));
  return slots;
}

}  // namespace

KnowledgeGraph edited_graph(const Delta& delta, std::uint64_t last_edit) {
  const SnapshotView& base = GraphAccess::whole_view(delta.base());
  const MergedRows rows = merge_rows(base, delta);
  StringPool names, relations;
  for (EntityId e = 0; e < delta.num_entities(); ++e) names.add(delta.entity_name(e));
  for (RelationId r = 0; r < delta.num_relations(); ++r) relations.add(delta.relation_name(r));
  std::vector<RelationId> inverses;
  std::vector<NameSlot> relation_slots = empty_slots(delta.num_relations());
  for (RelationId r = 0; r < delta.num_relations(); ++r) {
    inverses.push_back(delta.inverse(r));
    insert_slot(relation_slots, hash_bytes(name_key(relations[r])), r);
  }
  const NameSlots slots = entity_slots(base, delta);
  const std::vector<std::uint64_t> bits = moved_bits(base.annotation_only, rows);
  SnapshotParts parts;
  parts.num_entities = delta.num_entities();
  parts.num_connected = delta.num_connected();
  parts.num_relations = delta.num_relations();
  parts.set<std::uint64_t>(Section::kOffsets, rows.offsets);
  parts.set<Edge>(Section::kEdges, rows.edges);
  parts.set<std::uint64_t>(Section::kNeighborOffsets, rows.neighbor_offsets);
  parts.set<EntityId>(Section::kNeighbors, rows.neighbors);
  parts.set<RelationId>(Section::kInverses, inverses);
  parts.set<std::uint64_t>(Section::kAnnotationOnly, bits);
  parts.set(Section::kEntityNameOffsets, names.offsets());
  parts.set(Section::kEntityNames, names.bytes());
  parts.set(Section::kRelationNameOffsets, relations.offsets());
  parts.set(Section::kRelationNames, relations.bytes());
  parts.set<NameSlot>(Section::kEntitySlots, slots.exact);
  parts.set<NameSlot>(Section::kLooseEntitySlots, slots.loose);
  parts.set<NameSlot>(Section::kRelationSlots, relation_slots);
  KnowledgeGraph graph = GraphAccess::make(lay_out(parts), delta.base().checksum());
  GraphAccess::set_details(graph, edited_details(delta, rows));
  const BaseSize ingested = GraphAccess::ingested_size(delta.base());
  std::set<EntityId> renamed(GraphAccess::renamed(delta.base()).begin(),
                             GraphAccess::renamed(delta.base()).end());
  for (const auto& [entity, name] : delta.renamed())
    if (entity < ingested.entities) renamed.insert(entity);
  GraphAccess::set_last_edit(graph, last_edit, ingested, {renamed.begin(), renamed.end()});
  return graph;
}

}  // namespace kgwalk::graph
