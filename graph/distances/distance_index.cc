#include "kgwalk/distances.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "graph/distances/landmark_labels.h"
#include "graph/knowledge_graph_impl.h"
#include "graph/snapshot.h"
#include "graph/store/store_impl.h"
#include "kgwalk/error.h"
#include "kgwalk/store.h"

namespace kgwalk::graph {
namespace {

constexpr std::string_view kIndexBlob = "graph/distance_index";
constexpr std::array<char, 8> kMagic = {'K', 'G', 'W', 'D', 'I', 'S', 'T', '1'};
constexpr std::size_t kLabelsABlock = 16;
constexpr std::uint32_t kPad = 0xffffffffu;  // hub 2^24 - 1 is no vertex

struct IndexHeader {
  std::array<char, 8> magic;
  std::uint32_t num_vertices;
  std::uint32_t num_roots;
  std::uint64_t lines;  // of records, 64 bytes each
};
static_assert(sizeof(IndexHeader) == 24);

// One vertex's record, whole cache lines: this, then blocks of labels, then the sets of the roots.
struct alignas(64) RecordHead {
  std::array<std::uint8_t, kNumRoots> root_distance;
  std::uint32_t num_blocks;
};
static_assert(sizeof(RecordHead) == 64);
constexpr std::size_t kSetLines = kNumRoots * 16 / 64;

// Least sum of distances over hubs that two blocks share. A label is h = hub << 8 | d; with c = hub << 8 - d
// on the other side, h - c is the sum when the hubs agree and at least 256 (or wrapped) when they do not.
unsigned meet(const std::uint32_t* a, const std::uint32_t* b, unsigned best) noexcept {
  std::array<std::uint32_t, kLabelsABlock> least;
  least.fill(best);
  for (std::size_t i = 0; i < kLabelsABlock; ++i) {
    const std::uint32_t other = (b[i] & ~0xffu) - (b[i] & 0xff);
    for (std::size_t j = 0; j < kLabelsABlock; ++j) least[j] = std::min(least[j], a[j] - other);
  }
  return *std::min_element(least.begin(), least.end());
}

}  // namespace

struct DistanceIndex::Impl {
  AlignedBytes bytes;  // header, padding to 64, u32 line of each vertex's record (padded to 64), records
  std::uint32_t num_vertices = 0;
  const std::uint32_t* lines = nullptr;
  const char* records = nullptr;
  std::string graph_checksum;
  std::uint64_t last_edit = 0;  // that the graph held

  [[nodiscard]] static std::size_t records_begin(std::size_t num_vertices) {
    return 64 + (num_vertices * sizeof(std::uint32_t) + 63) / 64 * 64;
  }
  void attach();
  [[nodiscard]] const char* record(EntityId v) const noexcept { return records + std::size_t{lines[v]} * 64; }
};

void DistanceIndex::Impl::attach() {
  IndexHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  num_vertices = header.num_vertices;
  lines = reinterpret_cast<const std::uint32_t*>(bytes.data() + 64);
  records = bytes.data() + records_begin(num_vertices);
}

DistanceIndex::DistanceIndex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DistanceIndex::DistanceIndex(DistanceIndex&&) noexcept = default;
DistanceIndex& DistanceIndex::operator=(DistanceIndex&&) noexcept = default;
DistanceIndex::~DistanceIndex() = default;

DistanceIndex DistanceIndex::build(const KnowledgeGraph& graph, Reporter& reporter, const StopFlag& stop) {
  const IndexLimits kNone{
      std::numeric_limits<double>::infinity(), std::numeric_limits<std::size_t>::max(), {}};
  IndexEstimate estimate;
  return std::move(*build_within(graph, kNone, estimate, reporter, stop));
}

std::optional<DistanceIndex> DistanceIndex::build_within(const KnowledgeGraph& graph,
                                                         const IndexLimits& limits, IndexEstimate& estimate,
                                                         Reporter& reporter, const StopFlag& stop) {
  const SearchGraph searched(graph, SearchGraph::Order::kByDegree);
  // Edits change a graph and not the checksum of what it was read from.
  const KeptLabels kept{limits.kept, graph.checksum() + ' ' + std::to_string(GraphAccess::last_edit(graph))};
  const std::optional<LandmarkLabels> labeled =
      build_landmark_labels(searched, limits, estimate, kept, reporter, stop);
  if (!labeled) return std::nullopt;
  const LandmarkLabels& found = *labeled;
  const std::size_t n = searched.size();
  const auto blocks = [&](std::uint32_t v) {
    return (found.labels[v].size() + kLabelsABlock - 1) / kLabelsABlock;
  };
  std::uint64_t num_lines = 0;
  for (std::uint32_t v = 0; v < n; ++v) num_lines += 1 + blocks(v) + kSetLines;
  auto impl = std::make_unique<Impl>();
  impl->bytes = AlignedBytes(Impl::records_begin(n) + num_lines * 64);
  std::memset(impl->bytes.data(), 0, impl->bytes.view().size());
  const IndexHeader header{kMagic, static_cast<std::uint32_t>(n), kNumRoots, num_lines};
  std::memcpy(impl->bytes.data(), &header, sizeof(header));
  auto* const lines = reinterpret_cast<std::uint32_t*>(impl->bytes.data() + 64);
  char* out = impl->bytes.data() + Impl::records_begin(n);
  std::uint32_t line = 0;
  for (EntityId entity = 0; entity < n; ++entity) {
    const std::uint32_t v = searched.position(entity);
    lines[entity] = line;
    RecordHead head{found.roots[v].distance, static_cast<std::uint32_t>(blocks(v))};
    std::memcpy(out, &head, sizeof(head));
    std::vector<std::uint32_t> labels = found.labels[v];
    labels.resize(blocks(v) * kLabelsABlock, kPad);
    if (!labels.empty()) std::memcpy(out + 64, labels.data(), labels.size() * 4);
    std::memcpy(out + 64 + labels.size() * 4, found.roots[v].sets.data(), kSetLines * 64);
    const std::size_t used = 1 + blocks(v) + kSetLines;
    out += used * 64;
    line += static_cast<std::uint32_t>(used);
  }
  impl->attach();
  impl->graph_checksum = graph.checksum();
  impl->last_edit = GraphAccess::last_edit(graph);
  return DistanceIndex(std::move(impl));
}

std::optional<DistanceIndex> DistanceIndex::load(const Store& store) {
  const std::optional<Json> meta = store.blob_meta(kIndexBlob);
  if (!meta) return std::nullopt;
  const Remedy again{Remedy::kIndexDistances, store.path().string()};
  if (meta->value("graph_checksum", "") != store.graph_checksum())
    throw StoreError(store.path().string() + ": the distance index belongs to another graph", again);
  // Distances of before an edit are not those of now: they are searched for until the index is made anew.
  if (meta->value("edit", std::uint64_t{0}) != StoreAccess::impl(store).last_edit()) return std::nullopt;
  const std::optional<std::string> blob = store.get_blob(kIndexBlob);
  IndexHeader header{};
  if (blob && blob->size() >= sizeof(header)) std::memcpy(&header, blob->data(), sizeof(header));
  if (header.magic != kMagic || header.num_roots != kNumRoots ||
      blob->size() != Impl::records_begin(header.num_vertices) + header.lines * 64)
    throw StoreError(store.path().string() + ": the distance index is damaged or of another version", again);
  auto impl = std::make_unique<Impl>();
  impl->bytes = AlignedBytes(blob->size());
  std::memcpy(impl->bytes.data(), blob->data(), blob->size());
  impl->attach();
  impl->graph_checksum = store.graph_checksum();
  impl->last_edit = StoreAccess::impl(store).last_edit();
  return DistanceIndex(std::move(impl));
}

void DistanceIndex::save(Store& store) const {
  if (store.graph_checksum() != impl_->graph_checksum)
    throw StoreError(store.path().string() + ": this distance index belongs to another graph");
  store.put_blob(kIndexBlob, impl_->bytes.view(),
                 {{"graph_checksum", impl_->graph_checksum}, {"edit", impl_->last_edit}});
}

Distance DistanceIndex::distance(EntityId a, EntityId b) const noexcept {
  if (a == b) return 0;
  if (a >= impl_->num_vertices || b >= impl_->num_vertices) return kUnreachable;
  const char* const record_a = impl_->record(a);
  const char* const record_b = impl_->record(b);
  const auto& head_a = *reinterpret_cast<const RecordHead*>(record_a);
  const auto& head_b = *reinterpret_cast<const RecordHead*>(record_b);
  const auto* const labels_a = reinterpret_cast<const std::uint32_t*>(record_a + 64);
  const auto* const labels_b = reinterpret_cast<const std::uint32_t*>(record_b + 64);
  unsigned best = kUnreachable;
  for (std::size_t i = 0, j = 0; i < head_a.num_blocks && j < head_b.num_blocks;) {
    const std::uint32_t* const x = labels_a + i * kLabelsABlock;
    const std::uint32_t* const y = labels_b + j * kLabelsABlock;
    best = meet(x, y, best);
    const std::uint32_t last_x = x[kLabelsABlock - 1] >> 8, last_y = y[kLabelsABlock - 1] >> 8;
    i += last_x <= last_y;
    j += last_y <= last_x;
  }
  best = bound_by_roots(
      head_a.root_distance, head_b.root_distance,
      reinterpret_cast<const std::array<std::uint64_t, 2>*>(labels_a + head_a.num_blocks * kLabelsABlock),
      reinterpret_cast<const std::array<std::uint64_t, 2>*>(labels_b + head_b.num_blocks * kLabelsABlock),
      best);
  return static_cast<Distance>(best);
}

std::size_t DistanceIndex::size_bytes() const noexcept { return impl_->bytes.view().size(); }

}  // namespace kgwalk::graph
