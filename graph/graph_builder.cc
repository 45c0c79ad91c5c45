#include "graph/graph_builder.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "graph/knowledge_graph_impl.h"
#include "kgwalk/error.h"
#include "runtime/sealed_file.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::uint32_t kMaxRelations = 0x7fffffffu;

std::string inverse_name(std::string_view name) {
  return name.starts_with('~') ? std::string(name.substr(1)) : "~" + std::string(name);
}

// "~" alone is the mark of inverses, and no relation.
void refuse_bad_name(std::string_view name, bool may_be_empty, bool relation = false) {
  if (const auto at = invalid_utf8_at(name))
    throw ConfigError("a name is not valid UTF-8 at byte " + std::to_string(*at) +
                      "; convert the names to UTF-8");
  if (may_be_empty) return;
  if (name_key(name).empty() || (relation && name_key(name) == "~"))
    throw ConfigError("a name is empty; every name needs a letter");
}

// By their folded name, those of which that is not the key.
std::vector<NameSlot> loose_slots_of(const StringPool& names) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> loose;
  for (std::uint32_t id = 0; id < names.size(); ++id)
    if (const std::string folded = fold_name(names[id]); folded != name_key(names[id]))
      loose.emplace_back(hash_bytes(folded), id);
  std::vector<NameSlot> slots = empty_slots(loose.size());
  for (const auto& [hash, id] : loose) insert_slot(slots, hash, id);
  return slots;
}

}  // namespace

EntityId GraphBuilder::entity(std::string_view name) {
  const EntityId known = entities_.known_spelling(name);
  if (known != kNoName) return known;
  refuse_bad_name(name, empty_entity_allowed_);
  bool is_new = false;
  return entities_.intern(name, is_new);
}

RelationId GraphBuilder::relation(std::string_view name) {
  const RelationId known = relations_.known_spelling(name);
  if (known != kNoName) return known;
  refuse_bad_name(name, false, true);
  bool is_new = false;
  const std::string spelled = relation_spelling(name);
  const RelationId id = relations_.intern(spelled, is_new);
  if (!is_new) return id;
  if (relations_.size() + 1 > kMaxRelations) throw ConfigError("more than 2^31 relations");
  const RelationId other = relations_.intern(inverse_name(spelled), is_new);
  inverse_.resize(relations_.size());
  inverse_[id] = other;
  inverse_[other] = id;
  return id;
}

bool GraphBuilder::knows_entity_spelling(std::string_view name) const noexcept {
  return entities_.known_spelling(name) != kNoName;
}

bool GraphBuilder::knows_relation_spelling(std::string_view name) const noexcept {
  return relations_.known_spelling(name) != kNoName;
}

void GraphBuilder::spool_in(const std::filesystem::path& folder) {
  folder_ = folder;
  triples_ = SpooledArray<Triple>(folder);
}

void GraphBuilder::add(const Triple& triple) { triples_.push_back(triple); }

void GraphBuilder::sort_triples() {
  if (has_rows_) return;
  rows_ = make_rows(triples_, entities_.size(), inverse_, folder_);
  annotation_bits_.assign((rows_.edges.size() + 63) / 64, 0);
  has_rows_ = true;
}

bool GraphBuilder::mark_annotation_only(const Triple& triple) {
  sort_triples();
  if (triple.head + std::size_t{1} >= rows_.offsets.size()) return false;
  const std::uint64_t first = rows_.offsets[triple.head], last = rows_.offsets[triple.head + 1];
  const std::span<const Edge> row = rows_.edges.view().subspan(first, last - first);
  const auto found = std::lower_bound(row.begin(), row.end(), Edge{triple.relation, triple.tail});
  if (found == row.end() || *found != Edge{triple.relation, triple.tail}) return false;
  const std::uint64_t index = first + static_cast<std::uint64_t>(found - row.begin());
  annotation_bits_[index / 64] |= std::uint64_t{1} << (index % 64);
  return true;
}

// Names without edges may have been added after the rows were made.
EntityId GraphBuilder::end_rows() {
  sort_triples();
  rows_.offsets.resize(entities_.size() + 1, rows_.offsets.back());
  rows_.neighbor_offsets.resize(entities_.size() + 1, rows_.neighbor_offsets.back());
  EntityId connected = 0;
  while (connected < entities_.size() && rows_.offsets[connected] < rows_.edges.size()) ++connected;
  for (EntityId v = 0; v < connected; ++v)
    if (rows_.offsets[v] == rows_.offsets[v + 1])
      throw ConfigError("entity '" + std::string(entities_.names()[v]) +
                        "' has no edge but was named before one that has; add all triples first");
  return connected;
}

template <class Take>
auto GraphBuilder::with_parts(Take&& take) {
  SnapshotParts parts;
  parts.num_connected = end_rows();
  parts.num_entities = static_cast<std::uint32_t>(entities_.size());
  parts.num_relations = static_cast<std::uint32_t>(relations_.size());
  const std::vector<NameSlot> loose_slots = loose_slots_of(entities_.names());
  parts.set<std::uint64_t>(Section::kOffsets, rows_.offsets);
  parts.set(Section::kEdges, rows_.edges);
  parts.set<std::uint64_t>(Section::kNeighborOffsets, rows_.neighbor_offsets);
  parts.set(Section::kNeighbors, rows_.neighbors);
  parts.set<RelationId>(Section::kInverses, inverse_);
  parts.set<std::uint64_t>(Section::kAnnotationOnly, annotation_bits_);
  parts.set(Section::kEntityNameOffsets, entities_.names().offsets());
  parts.set(Section::kEntityNames, entities_.names().bytes());
  parts.set(Section::kRelationNameOffsets, relations_.names().offsets());
  parts.set(Section::kRelationNames, relations_.names().bytes());
  parts.set(Section::kEntitySlots, entities_.key_slots());
  parts.set<NameSlot>(Section::kLooseEntitySlots, loose_slots);
  parts.set(Section::kRelationSlots, relations_.key_slots());
  return take(parts);
}

KnowledgeGraph GraphBuilder::build() {
  return with_parts(
      [](const SnapshotParts& parts) { return GraphAccess::make(lay_out(parts), checksum_of_graph(parts)); });
}

KnowledgeGraph GraphBuilder::build_in(const std::filesystem::path& file) {
  with_parts([&](const SnapshotParts& parts) {
    SealedFileWriter out(file);
    lay_out(parts, [&](std::string_view bytes) { out.append(bytes); });
    out.finish(checksum_of_graph(parts));
  });
  entities_ = relations_ = {};
  rows_.offsets = rows_.neighbor_offsets = {};
  return GraphAccess::make(std::make_shared<const SealedFile>(file, Remedy{Remedy::kReingest, ""}));
}

}  // namespace kgwalk::graph
