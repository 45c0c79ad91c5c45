#include "graph/distances/lane_search.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>

#include "kgwalk/error.h"
#include "runtime/parallel.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kVerticesAGrain = 2048;
constexpr unsigned kLongestDistance = kUnreachable - 1;
constexpr std::size_t kTileVertices = 512;

void zero_lanes(Lanes* lanes, std::size_t count) {
  std::memset(static_cast<void*>(lanes), 0, count * sizeof(Lanes));
}

}  // namespace

SearchGraph::SearchGraph(const KnowledgeGraph& graph, Order order) : size_(graph.num_connected()) {
  offsets_ = graph.neighbor_offsets().data();
  targets_ = graph.all_neighbors().data();
  if (order == Order::kByDegree) renumber(graph);
  find_components();
}

void SearchGraph::renumber(const KnowledgeGraph& graph) {
  std::vector<std::uint32_t> by_degree(size_);
  std::iota(by_degree.begin(), by_degree.end(), 0u);
  std::stable_sort(by_degree.begin(), by_degree.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return degree(a) > degree(b); });
  positions_.resize(size_);
  for (std::uint32_t i = 0; i < size_; ++i) positions_[by_degree[i]] = i;
  own_offsets_.assign(size_ + 1, 0);
  own_targets_.resize(graph.all_neighbors().size());
  for (std::uint32_t i = 0; i < size_; ++i) own_offsets_[i + 1] = own_offsets_[i] + degree(by_degree[i]);
  parallel_for(static_cast<std::int64_t>(size_), kVerticesAGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto row = own_targets_.begin() + static_cast<std::ptrdiff_t>(own_offsets_[i]);
      const std::span<const EntityId> neighbors = graph.neighbors(by_degree[i]);
      std::transform(neighbors.begin(), neighbors.end(), row, [&](EntityId w) { return positions_[w]; });
      std::sort(row, row + static_cast<std::ptrdiff_t>(neighbors.size()));
    }
  });
  offsets_ = own_offsets_.data();
  targets_ = own_targets_.data();
}

void SearchGraph::find_components() {
  // Union by smaller number with path halving.
  std::vector<std::uint32_t> parent(size_);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (std::uint32_t v = 0; v < size_; ++v) {
    std::uint32_t mine = root(v);
    for (const std::uint32_t w : row(v)) {
      if (w > v) break;  // rows are sorted; the other side sees the rest
      const std::uint32_t other = root(w);
      if (other == mine) continue;
      parent[std::max(mine, other)] = std::min(mine, other);
      mine = std::min(mine, other);
    }
  }
  components_.resize(size_);
  for (std::uint32_t v = 0; v < size_; ++v)
    components_[v] = parent[v] == v ? static_cast<std::uint32_t>(num_components_++) : components_[root(v)];
}

LaneSearch::LaneSearch(const SearchGraph& graph, bool parallel_levels)
    : graph_(graph),
      parallel_levels_(parallel_levels),
      full_(graph.num_components()),
      is_touched_(graph.size()) {
  for (LaneArray& ball : balls_) ball = LaneArray(graph.size());
}

void LaneSearch::start(std::span<const EntityId> sources) {
  num_sources_ = sources.size();
  current_ = 0;
  planes_used_ = 0;
  zero_lanes(ball(), graph_.size());
  zero_lanes(next(), graph_.size());
  std::fill(full_.begin(), full_.end(), Lanes());
  changed_.clear();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] >= graph_.size()) continue;  // no edges: its lane stays empty and reads as unreachable
    const std::uint32_t v = graph_.position(sources[i]);
    if (!any(vec(ball()[v]))) changed_.push_back(v);
    ball()[v].set(i);
    full_[graph_.component(v)].set(i);
  }
  // A component without sources stays as it is.
  open_.clear();
  for (std::uint32_t v = 0; v < graph_.size(); ++v)
    if (any(vec(full(v)))) open_.push_back(v);
}

bool LaneSearch::push_is_cheaper() const {
  std::uint64_t pushed = 0;
  for (const std::uint32_t v : changed_) pushed += graph_.degree(v);
  // A pushed set is read and written, a pulled one only read, and often not all of a row is.
  return 6 * pushed < graph_.num_targets() * open_.size() / std::max<std::size_t>(graph_.size(), 1);
}

void LaneSearch::sync_changed() {
  for (const std::uint32_t v : changed_) next()[v] = ball()[v];
}

void LaneSearch::push_level() {
  Lanes* const grown = next();
  touched_.clear();
  for (const std::uint32_t v : changed_) {
    const LaneVector mine = vec(ball()[v]);
    for (const std::uint32_t w : graph_.row(v)) {
      vec(grown[w]) |= mine;
      if (is_touched_[w]) continue;
      is_touched_[w] = 1;
      touched_.push_back(w);
    }
  }
  changed_.clear();
  for (const std::uint32_t w : touched_) {
    is_touched_[w] = 0;
    if (!same(vec(grown[w]), vec(ball()[w]))) changed_.push_back(w);
  }
  std::sort(changed_.begin(), changed_.end());
}

void LaneSearch::pull_range(std::size_t begin, std::size_t end, std::vector<std::uint32_t>& changed,
                            std::vector<std::uint32_t>& open) const {
  const Lanes* const balls = balls_[current_].data();
  Lanes* const grown = next();
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t v = open_[i];
    const LaneVector mine = vec(balls[v]);
    const LaneVector most = vec(full(v));
    if (same(mine, most)) continue;
    LaneVector sum = mine;
    const std::span<const std::uint32_t> row = graph_.row(v);
    std::size_t j = 0;
    for (; j + 4 <= row.size(); j += 4) {
      sum |= vec(balls[row[j]]) | vec(balls[row[j + 1]]);
      sum |= vec(balls[row[j + 2]]) | vec(balls[row[j + 3]]);
      if (same(sum, most)) break;
    }
    if (j + 4 > row.size())
      for (; j < row.size(); ++j) sum |= vec(balls[row[j]]);
    vec(grown[v]) = sum;
    open.push_back(v);
    if (!same(sum, mine)) changed.push_back(v);
  }
}

void LaneSearch::pull_level() {
  if (!parallel_levels_) {
    std::vector<std::uint32_t> changed, open;
    changed.reserve(open_.size());
    open.reserve(open_.size());
    pull_range(0, open_.size(), changed, open);
    changed_.swap(changed);
    open_.swap(open);
    return;
  }
  std::mutex mutex;
  struct Part {
    std::int64_t begin;
    std::vector<std::uint32_t> changed, open;
  };
  std::vector<Part> parts;
  parallel_for(
      static_cast<std::int64_t>(open_.size()), kVerticesAGrain, [&](std::int64_t begin, std::int64_t end) {
        Part part{begin, {}, {}};
        pull_range(static_cast<std::size_t>(begin), static_cast<std::size_t>(end), part.changed, part.open);
        const std::lock_guard lock(mutex);
        parts.push_back(std::move(part));
      });
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.begin < b.begin; });
  changed_.clear();
  open_.clear();
  for (const Part& part : parts) {
    changed_.insert(changed_.end(), part.changed.begin(), part.changed.end());
    open_.insert(open_.end(), part.open.begin(), part.open.end());
  }
}

void LaneSearch::record_level(unsigned distance, bool keep_rows, std::span<std::uint64_t> counts) {
  const Lanes* const before = ball();
  const Lanes* const after = next();
  if (!counts.empty()) {
    std::uint64_t found = 0;
    for (const std::uint32_t v : changed_) found += count_new(vec(after[v]), vec(before[v]));
    counts[distance] += found;
  }
  if (!keep_rows) return;
  for (unsigned b = 0; distance >> b != 0; ++b) {
    if (b == planes_.size()) planes_.push_back(LaneArray(graph_.size()));
    if (b >= planes_used_) {
      zero_lanes(planes_[b].data(), graph_.size());
      planes_used_ = b + 1;
    }
    if (!(distance >> b & 1)) continue;
    Lanes* const plane = planes_[b].data();
    for (const std::uint32_t v : changed_) vec(plane[v]) |= vec(after[v]) & ~vec(before[v]);
  }
}

void LaneSearch::run(std::span<const EntityId> sources, bool keep_rows, std::span<std::uint64_t> counts) {
  start(sources);
  for (unsigned distance = 1; !changed_.empty(); ++distance) {
    sync_changed();
    if (push_is_cheaper()) {
      push_level();
    } else {
      pull_level();
    }
    if (changed_.empty()) break;
    if (distance > kLongestDistance)
      throw Error("the graph has vertices 255 or more hops apart; distances are kept in a byte, up to 254");
    record_level(distance, keep_rows, counts);
    current_ = 1 - current_;
  }
}

void LaneSearch::write_vertices(std::size_t begin, std::size_t end, std::span<Distance> out) const {
  const std::size_t n = graph_.size();
  const Lanes* const balls = balls_[current_].data();
  // [vertex of the tile][plane, then absent], transposed per 64 vertices; then [plane][lane][64
  // vertices] as words.
  std::vector<Lanes> tile((planes_used_ + 1) * kTileVertices);
  for (std::size_t first = begin; first < end; first += kTileVertices) {
    const std::size_t width = std::min(kTileVertices, end - first);
    for (unsigned b = 0; b <= planes_used_; ++b) {
      Lanes* const rows = tile.data() + b * kTileVertices;
      for (std::size_t i = 0; i < width; ++i) {
        const std::uint32_t v = graph_.position(static_cast<EntityId>(first + i));
        if (b < planes_used_) {
          rows[i] = planes_[b][v];
        } else {
          vec(rows[i]) = ~vec(balls[v]);
        }
      }
      zero_lanes(rows + width, kTileVertices - width);
      for (std::size_t i = 0; i < width; i += 64) transpose_blocks(std::span<Lanes, 64>(rows + i, 64));
    }
    std::array<std::uint64_t, 8> words{};
    for (std::size_t lane = 0; lane < num_sources_; ++lane)
      for (std::size_t i = 0; i < width; i += 64) {
        for (unsigned b = 0; b < planes_used_; ++b)
          words[b] = tile[b * kTileVertices + i + lane % 64].word[lane / 64];
        const std::uint64_t absent = tile[planes_used_ * kTileVertices + i + lane % 64].word[lane / 64];
        bits_to_bytes(std::span(words).first(planes_used_), absent, std::min<std::size_t>(64, width - i),
                      out.data() + lane * n + first + i);
      }
  }
}

void LaneSearch::write_rows(std::span<Distance> out) const {
  const std::size_t n = graph_.size();
  if (!parallel_levels_) return write_vertices(0, n, out);
  // Ranges of whole tiles keep two threads off one cache line.
  const std::size_t tiles = (n + kTileVertices - 1) / kTileVertices;
  parallel_for(static_cast<std::int64_t>(tiles), 4, [&](std::int64_t begin, std::int64_t end) {
    write_vertices(static_cast<std::size_t>(begin) * kTileVertices,
                   std::min(n, static_cast<std::size_t>(end) * kTileVertices), out);
  });
}

}  // namespace kgwalk::graph
