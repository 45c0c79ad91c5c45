#include "graph/graph_builder.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "graph/knowledge_graph_impl.h"
#include "kgwalk/error.h"
#include "runtime/parallel.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

// A sort key of one edge of a row: relation, tail, then whether it is only the inverse of a given triple.
constexpr std::uint64_t packed(RelationId relation, EntityId tail, bool inverse) {
  return std::uint64_t{relation} << 33 | std::uint64_t{tail} << 1 | std::uint64_t{inverse};
}
constexpr std::uint32_t kMaxRelations = 0x7fffffffu;

std::vector<std::uint64_t> starts_of(const std::vector<std::uint64_t>& lengths) {
  std::vector<std::uint64_t> starts(lengths.size() + 1, 0);
  for (std::size_t i = 0; i < lengths.size(); ++i) starts[i + 1] = starts[i] + lengths[i];
  return starts;
}

// Sorts one row and drops repeats in place; gives the edges that stay and counts what went.
std::size_t tidy_row(std::span<std::uint64_t> row, std::uint64_t& duplicates, std::uint64_t& added_inverses) {
  std::sort(row.begin(), row.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.size();) {
    std::size_t end = i, given = 0;
    for (; end < row.size() && row[end] >> 1 == row[i] >> 1; ++end) given += (row[end] & 1) == 0;
    if (given == 0) ++added_inverses;
    if (given > 1) duplicates += given - 1;
    row[kept++] = row[i];
    i = end;
  }
  return kept;
}

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

// Slots of names under `form(name)`; names for which it gives nothing are left out.
template <class Form>
std::vector<NameSlot> slots_of(const StringPool& names, Form&& form) {
  std::vector<NameSlot> slots = empty_slots(names.size());
  for (std::uint32_t id = 0; id < names.size(); ++id)
    if (const std::optional<std::string> key = form(names[id])) insert_slot(slots, hash_bytes(*key), id);
  return slots;
}

std::optional<std::string> loose_key(std::string_view name) {
  std::string folded = fold_name(name);
  if (folded == name_key(name)) return std::nullopt;
  return folded;
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

void GraphBuilder::add(const Triple& triple) { triples_.push_back(triple); }

void GraphBuilder::make_rows() {
  const std::size_t n = entities_.size();
  std::vector<std::uint64_t> lengths(n, 0);
  for (const Triple& t : triples_) ++lengths[t.head], ++lengths[t.tail];
  const std::vector<std::uint64_t> raw_starts = starts_of(lengths);
  std::vector<std::uint64_t> raw(raw_starts.back());
  std::vector<std::uint64_t> next(raw_starts.begin(), raw_starts.end() - 1);
  for (const Triple& t : triples_) {
    raw[next[t.head]++] = packed(t.relation, t.tail, false);
    raw[next[t.tail]++] = packed(inverse_[t.relation], t.head, true);
  }
  std::atomic<std::uint64_t> duplicates{0}, added{0};
  parallel_for(static_cast<std::int64_t>(n), 1024, [&](std::int64_t begin, std::int64_t end) {
    std::uint64_t my_duplicates = 0, my_added = 0;
    for (std::int64_t v = begin; v < end; ++v)
      lengths[v] = tidy_row(std::span(raw).subspan(raw_starts[v], lengths[v]), my_duplicates, my_added);
    duplicates += my_duplicates;
    added += my_added;
  });
  counts_.duplicates = duplicates;
  counts_.added_inverses = added;
  offsets_ = starts_of(lengths);
  edges_.resize(offsets_.back());
  for (std::size_t v = 0; v < n; ++v)
    for (std::uint64_t i = 0; i < lengths[v]; ++i) {
      const std::uint64_t key = raw[raw_starts[v] + i];
      edges_[offsets_[v] + i] = {static_cast<RelationId>(key >> 33), static_cast<EntityId>(key >> 1)};
    }
  annotation_bits_.assign((edges_.size() + 63) / 64, 0);
  has_rows_ = true;
}

void GraphBuilder::make_neighbors() {
  const std::size_t n = entities_.size();
  neighbor_offsets_.assign(n + 1, 0);
  neighbors_.reserve(edges_.size());
  for (std::size_t v = 0; v < n; ++v) {
    const std::size_t begin = neighbors_.size();
    for (std::uint64_t i = offsets_[v]; i < offsets_[v + 1]; ++i) {
      if (edges_[i].tail == v) {
        ++counts_.self_loops;
      } else {
        neighbors_.push_back(edges_[i].tail);
      }
    }
    const auto first = neighbors_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, neighbors_.end());
    neighbors_.erase(std::unique(first, neighbors_.end()), neighbors_.end());
    neighbor_offsets_[v + 1] = neighbors_.size();
  }
}

bool GraphBuilder::mark_annotation_only(const Triple& triple) {
  if (!has_rows_) make_rows();
  if (triple.head + std::size_t{1} >= offsets_.size()) return false;
  const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(offsets_[triple.head]);
  const auto end = edges_.begin() + static_cast<std::ptrdiff_t>(offsets_[triple.head + 1]);
  const auto found = std::lower_bound(begin, end, Edge{triple.relation, triple.tail});
  if (found == end || *found != Edge{triple.relation, triple.tail}) return false;
  const auto index = static_cast<std::size_t>(found - edges_.begin());
  annotation_bits_[index / 64] |= std::uint64_t{1} << (index % 64);
  return true;
}

KnowledgeGraph GraphBuilder::build() {
  if (!has_rows_) make_rows();
  // Names without edges may have been added after the rows were made.
  offsets_.resize(entities_.size() + 1, offsets_.back());
  counts_.self_loops = 0;
  make_neighbors();
  SnapshotParts parts;
  parts.num_entities = static_cast<std::uint32_t>(entities_.size());
  parts.num_relations = static_cast<std::uint32_t>(relations_.size());
  while (parts.num_connected < parts.num_entities && offsets_[parts.num_connected] < edges_.size())
    ++parts.num_connected;
  for (EntityId v = 0; v < parts.num_connected; ++v)
    if (offsets_[v] == offsets_[v + 1])
      throw ConfigError("entity '" + std::string(entities_.names()[v]) +
                        "' has no edge but was named before one that has; add all triples first");
  const std::vector<NameSlot> entity_slots = slots_of(entities_.names(), name_key);
  const std::vector<NameSlot> loose_slots = slots_of(entities_.names(), loose_key);
  const std::vector<NameSlot> relation_slots = slots_of(relations_.names(), name_key);
  parts.set<std::uint64_t>(Section::kOffsets, offsets_);
  parts.set<Edge>(Section::kEdges, edges_);
  parts.set<std::uint64_t>(Section::kNeighborOffsets, neighbor_offsets_);
  parts.set<EntityId>(Section::kNeighbors, neighbors_);
  parts.set<RelationId>(Section::kInverses, inverse_);
  parts.set<std::uint64_t>(Section::kAnnotationOnly, annotation_bits_);
  parts.set(Section::kEntityNameOffsets, entities_.names().offsets());
  parts.set(Section::kEntityNames, entities_.names().bytes());
  parts.set(Section::kRelationNameOffsets, relations_.names().offsets());
  parts.set(Section::kRelationNames, relations_.names().bytes());
  parts.set<NameSlot>(Section::kEntitySlots, entity_slots);
  parts.set<NameSlot>(Section::kLooseEntitySlots, loose_slots);
  parts.set<NameSlot>(Section::kRelationSlots, relation_slots);
  return GraphAccess::make(lay_out(parts));
}

}  // namespace kgwalk::graph
