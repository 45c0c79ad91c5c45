#include "kgwalk/knowledge_graph.h"

#include <algorithm>
#include <utility>

#include "graph/details.h"
#include "graph/graph_builder.h"
#include "graph/knowledge_graph_impl.h"
#include "kgwalk/error.h"
#include "runtime/spool_file.h"
#include "runtime/text.h"

namespace kgwalk::graph {
KnowledgeGraph GraphAccess::make(AlignedBytes bytes, std::string checksum) {
  auto impl = std::make_unique<KnowledgeGraph::Impl>();
  impl->bytes = std::move(bytes);
  impl->view = view_snapshot(impl->bytes.view());
  impl->checksum = std::move(checksum);
  return KnowledgeGraph(std::move(impl));
}

KnowledgeGraph GraphAccess::make(std::shared_ptr<const SealedFile> file) {
  auto impl = std::make_unique<KnowledgeGraph::Impl>();
  impl->view = view_snapshot(file->bytes(), file.get());
  impl->checksum = file->tag();
  impl->file = std::move(file);
  return KnowledgeGraph(std::move(impl));
}

const SnapshotView& GraphAccess::whole_view(const KnowledgeGraph& graph) {
  if (graph.impl_->file) graph.impl_->file->check_all();
  return graph.impl_->view;
}

std::string_view GraphAccess::whole_bytes(const KnowledgeGraph& graph) {
  if (!graph.impl_->file) return graph.impl_->bytes.view();
  graph.impl_->file->check_all();
  return graph.impl_->file->bytes();
}

void GraphAccess::release(const KnowledgeGraph& graph, std::string_view part) noexcept {
  if (graph.impl_->file) release_mapped(part);
}

void GraphAccess::set_details(KnowledgeGraph& graph, AlignedBytes bytes) {
  KnowledgeGraph::Impl& impl = *graph.impl_;
  impl.details = {};
  impl.details_bytes = std::move(bytes);
  if (!impl.details_bytes.view().empty())
    impl.details = DetailsAccess::view(impl.details_bytes.view(), impl.view);
}

KnowledgeGraph::KnowledgeGraph(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
KnowledgeGraph::KnowledgeGraph(KnowledgeGraph&&) noexcept = default;
KnowledgeGraph& KnowledgeGraph::operator=(KnowledgeGraph&&) noexcept = default;
KnowledgeGraph::~KnowledgeGraph() = default;

KnowledgeGraph KnowledgeGraph::from_triples(std::span<const NamedTriple> triples,
                                            std::span<const std::string> extra_entities) {
  GraphBuilder builder;
  builder.reserve(triples.size());
  for (const NamedTriple& t : triples) {
    const EntityId head = builder.entity(t.head);
    const RelationId relation = builder.relation(t.relation);
    builder.add({head, relation, builder.entity(t.tail)});
  }
  for (const std::string& name : extra_entities) builder.entity(name);
  return builder.build();
}

std::uint32_t KnowledgeGraph::num_entities() const noexcept { return impl_->view.header->num_entities; }
std::uint32_t KnowledgeGraph::num_connected() const noexcept { return impl_->view.header->num_connected; }
std::uint32_t KnowledgeGraph::num_relations() const noexcept { return impl_->view.header->num_relations; }
std::uint64_t KnowledgeGraph::num_edges() const noexcept { return impl_->view.edges.size(); }

std::span<const Edge> KnowledgeGraph::out_edges(EntityId entity) const { return impl_->view.row(entity); }

std::span<const EntityId> KnowledgeGraph::neighbors(EntityId entity) const {
  return impl_->view.neighbor_row(entity);
}

std::uint64_t KnowledgeGraph::first_edge(EntityId entity) const { return impl_->view.first_edge(entity); }

const Edge& KnowledgeGraph::edge(std::uint64_t number) const {
  impl_->view.need(impl_->view.edges.subspan(number, 1));
  return impl_->view.edges[number];
}

std::uint64_t KnowledgeGraph::number_of(const Edge& edge) const noexcept {
  return static_cast<std::uint64_t>(&edge - impl_->view.edges.data());
}

std::span<const std::uint64_t> KnowledgeGraph::offsets() const {
  return impl_->whole(Section::kOffsets, impl_->view.offsets);
}
std::span<const Edge> KnowledgeGraph::edges() const {
  return impl_->whole(Section::kEdges, impl_->view.edges);
}
std::span<const std::uint64_t> KnowledgeGraph::neighbor_offsets() const {
  return impl_->whole(Section::kNeighborOffsets, impl_->view.neighbor_offsets);
}
std::span<const EntityId> KnowledgeGraph::all_neighbors() const {
  return impl_->whole(Section::kNeighbors, impl_->view.neighbors);
}
std::uint64_t KnowledgeGraph::num_neighbors() const noexcept { return impl_->view.neighbors.size(); }

bool KnowledgeGraph::has_edge(const Triple& triple) const {
  const std::span<const Edge> row = out_edges(triple.head);
  return std::binary_search(row.begin(), row.end(), Edge{triple.relation, triple.tail});
}

RelationId KnowledgeGraph::inverse(RelationId relation) const noexcept {
  return impl_->view.inverses[relation];
}

bool KnowledgeGraph::annotation_only(const Triple& triple) const {
  const std::span<const Edge> row = out_edges(triple.head);
  const auto found = std::lower_bound(row.begin(), row.end(), Edge{triple.relation, triple.tail});
  if (found == row.end() || *found != Edge{triple.relation, triple.tail}) return false;
  const std::uint64_t index = number_of(*found);
  impl_->view.need(impl_->view.annotation_only.subspan(index / 64, 1));
  return impl_->view.annotation_only[index / 64] >> (index % 64) & 1;
}

std::string_view KnowledgeGraph::entity_name(EntityId entity) const {
  return impl_->view.entity_name(entity);
}

std::string_view KnowledgeGraph::relation_name(RelationId relation) const noexcept {
  return impl_->view.relation_name(relation);
}

std::optional<EntityId> KnowledgeGraph::find_entity(std::string_view name) const {
  const SnapshotView& v = impl_->view;
  if (invalid_utf8_at(name)) return std::nullopt;
  const auto touch = [&](std::span<const NameSlot> slots) { v.need(slots); };
  const auto by_key = [&](const std::string& key) {
    return find_slot(
        v.entity_slots, hash_bytes(key), [&](EntityId id) { return name_key(v.entity_name(id)) == key; },
        touch);
  };
  EntityId id = by_key(name_key(name));
  const std::string folded = fold_name(name);
  if (id == kNoName) id = by_key(folded);
  if (id == kNoName)
    id = find_slot(
        v.loose_entity_slots, hash_bytes(folded),
        [&](EntityId other) { return fold_name(v.entity_name(other)) == folded; }, touch);
  return id == kNoName ? impl_->details.find_id(name) : std::optional<EntityId>(id);
}

std::optional<RelationId> KnowledgeGraph::find_relation(std::string_view name) const {
  const SnapshotView& v = impl_->view;
  if (invalid_utf8_at(name)) return std::nullopt;
  const std::string key = name_key(relation_spelling(name));
  const RelationId id = find_slot(v.relation_slots, hash_bytes(key),
                                  [&](RelationId other) { return name_key(v.relation_name(other)) == key; });
  return id == kNoName ? std::nullopt : std::optional<RelationId>(id);
}

std::vector<std::string> KnowledgeGraph::suggest_entities(std::string_view name, std::size_t count) const {
  return nearest_of(
      name, num_entities(), [&](std::size_t i) { return entity_name(static_cast<EntityId>(i)); }, count);
}

std::vector<std::string> KnowledgeGraph::suggest_relations(std::string_view name, std::size_t count) const {
  return nearest_of(
      name, num_relations(), [&](std::size_t i) { return relation_name(static_cast<RelationId>(i)); }, count);
}

const std::string& KnowledgeGraph::checksum() const noexcept { return impl_->checksum; }

}  // namespace kgwalk::graph
