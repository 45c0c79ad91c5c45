#include "graph/graph_rows.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string_view>

#include "runtime/parallel.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kHeldEdges = 1 << 13;  // of a part, before they are written

// One direction of a triple, as it waits for its part.
struct WaitingEdge {
  EntityId from;
  std::uint32_t relation;  // times two, plus one where it is only the inverse of a triple
  EntityId to;
};

// A sort key of one edge of a row: relation, tail, then whether it is only the inverse of a given triple.
constexpr std::uint64_t packed(RelationId relation, EntityId tail, bool inverse) {
  return std::uint64_t{relation} << 33 | std::uint64_t{tail} << 1 | std::uint64_t{inverse};
}

// Sorts one row and drops repeats in place; gives the edges that stay and counts what went.
std::size_t tidy_row(std::span<std::uint64_t> row, BuildCounts& counts) {
  std::sort(row.begin(), row.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.size();) {
    std::size_t end = i, given = 0;
    for (; end < row.size() && row[end] >> 1 == row[i] >> 1; ++end) given += (row[end] & 1) == 0;
    if (given == 0) ++counts.added_inverses;
    if (given > 1) counts.duplicates += given - 1;
    row[kept++] = row[i];
    i = end;
  }
  return kept;
}

// Distinct tails of a row but the entity itself, ascending; gives their number.
std::size_t neighbors_of(std::span<const std::uint64_t> row, EntityId self, std::span<EntityId> out,
                         BuildCounts& counts) {
  std::size_t count = 0;
  for (const std::uint64_t key : row) {
    const auto tail = static_cast<EntityId>(key >> 1);
    if (tail == self)
      ++counts.self_loops;
    else
      out[count++] = tail;
  }
  std::sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count));
  return static_cast<std::size_t>(std::unique(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count)) -
                                  out.begin());
}

class RowMaker {
 public:
  RowMaker(const SpooledArray<Triple>& triples, std::size_t num_entities,
           std::span<const RelationId> inverses, const std::filesystem::path& folder,
           std::uint64_t part_edges)
      : triples_(triples),
        inverses_(inverses),
        folder_(folder),
        part_edges_(part_edges),
        starts_(num_entities + 1, 0) {
    rows_.edges = SpooledArray<Edge>(folder);
    rows_.neighbors = SpooledArray<EntityId>(folder);
    rows_.offsets.reserve(num_entities + 1);
    rows_.neighbor_offsets.reserve(num_entities + 1);
  }

  GraphRows run() {
    count_edges();
    divide();
    const bool one_part = parts_.size() == 2;
    if (!one_part) distribute();
    rows_.offsets.push_back(0);
    rows_.neighbor_offsets.push_back(0);
    if (folder_.empty()) {
      rows_.edges.reserve(starts_.back());
      rows_.neighbors.reserve(starts_.back());
    }
    for (std::size_t part = 0; part + 1 < parts_.size(); ++part) {
      begin_part(part);
      if (one_part)
        place_all();
      else
        place_part(part);
      tidy_part();
      give_part();
    }
    return std::move(rows_);
  }

 private:
  template <class Fn>
  void for_each_direction(Fn&& fn) const {
    triples_.for_each_chunk([&](std::span<const Triple> chunk) {
      for (const Triple& t : chunk) {
        fn(WaitingEdge{t.head, t.relation << 1, t.tail});
        fn(WaitingEdge{t.tail, inverses_[t.relation] << 1 | 1, t.head});
      }
    });
  }

  void count_edges() {
    for_each_direction([&](const WaitingEdge& edge) { ++starts_[edge.from + 1]; });
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  }

  void divide() {
    const std::size_t n = starts_.size() - 1;
    parts_ = {0};
    for (std::size_t v = 0; v < n && !folder_.empty(); ++v)
      if (starts_[v + 1] - starts_[parts_.back()] > part_edges_ && v > parts_.back()) parts_.push_back(v);
    parts_.push_back(n);
  }

  // Each edge to the place in a file that belongs to its part.
  void distribute() {
    waiting_ = std::make_unique<SpoolFile>(folder_);
    const std::size_t num_parts = parts_.size() - 1;
    std::vector<std::uint16_t> part_of(starts_.size() - 1);
    for (std::size_t part = 0; part < num_parts; ++part)
      std::fill(part_of.begin() + static_cast<std::ptrdiff_t>(parts_[part]),
                part_of.begin() + static_cast<std::ptrdiff_t>(parts_[part + 1]),
                static_cast<std::uint16_t>(part));
    std::vector<std::vector<WaitingEdge>> held(num_parts);
    std::vector<std::uint64_t> next(num_parts);
    for (std::size_t part = 0; part < num_parts; ++part) next[part] = starts_[parts_[part]];
    const auto write = [&](std::size_t part) {
      waiting_->write_at(next[part] * sizeof(WaitingEdge), {reinterpret_cast<const char*>(held[part].data()),
                                                            held[part].size() * sizeof(WaitingEdge)});
      next[part] += held[part].size();
      held[part].clear();
    };
    for_each_direction([&](const WaitingEdge& edge) {
      const std::size_t part = part_of[edge.from];
      held[part].push_back(edge);
      if (held[part].size() == kHeldEdges) write(part);
    });
    for (std::size_t part = 0; part < num_parts; ++part) write(part);
  }

  void begin_part(std::size_t part) {
    first_ = parts_[part];
    num_rows_ = parts_[part + 1] - first_;
    base_ = starts_[first_];
    raw_.resize(starts_[first_ + num_rows_] - base_);
    near_.resize(raw_.size());
    next_.assign(starts_.begin() + static_cast<std::ptrdiff_t>(first_),
                 starts_.begin() + static_cast<std::ptrdiff_t>(first_ + num_rows_));
  }

  void place(const WaitingEdge& edge) {
    raw_[next_[edge.from - first_]++ - base_] = packed(edge.relation >> 1, edge.to, edge.relation & 1);
  }
  void place_all() {
    for_each_direction([&](const WaitingEdge& edge) { place(edge); });
  }
  void place_part(std::size_t part) {
    std::vector<WaitingEdge> chunk(1 << 16);
    const std::uint64_t end = starts_[parts_[part + 1]];
    for (std::uint64_t begin = base_; begin < end; begin += chunk.size()) {
      const std::span<WaitingEdge> read =
          std::span(chunk).first(std::min<std::uint64_t>(chunk.size(), end - begin));
      waiting_->read_at(begin * sizeof(WaitingEdge),
                        {reinterpret_cast<char*>(read.data()), read.size_bytes()});
      for (const WaitingEdge& edge : read) place(edge);
    }
  }

  void tidy_part() {
    lengths_.resize(num_rows_);
    near_lengths_.resize(num_rows_);
    std::atomic<std::uint64_t> duplicates{0}, added{0}, loops{0};
    parallel_for(static_cast<std::int64_t>(num_rows_), 1024, [&](std::int64_t begin, std::int64_t end) {
      BuildCounts mine;
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        const std::uint64_t start = starts_[first_ + i] - base_,
                            length = starts_[first_ + i + 1] - base_ - start;
        lengths_[i] = tidy_row(std::span(raw_).subspan(start, length), mine);
        near_lengths_[i] =
            neighbors_of(std::span(raw_).subspan(start, lengths_[i]), static_cast<EntityId>(first_ + i),
                         std::span(near_).subspan(start, length), mine);
      }
      duplicates += mine.duplicates;
      added += mine.added_inverses;
      loops += mine.self_loops;
    });
    rows_.counts.duplicates += duplicates;
    rows_.counts.added_inverses += added;
    rows_.counts.self_loops += loops;
  }

  void give_part() {
    std::vector<Edge> row;
    for (std::size_t i = 0; i < num_rows_; ++i) {
      const std::uint64_t start = starts_[first_ + i] - base_;
      row.clear();
      for (const std::uint64_t key : std::span(raw_).subspan(start, lengths_[i]))
        row.push_back({static_cast<RelationId>(key >> 33), static_cast<EntityId>(key >> 1)});
      rows_.edges.append(row);
      rows_.neighbors.append(std::span(near_).subspan(start, near_lengths_[i]));
      rows_.offsets.push_back(rows_.edges.size());
      rows_.neighbor_offsets.push_back(rows_.neighbors.size());
    }
  }

  const SpooledArray<Triple>& triples_;
  std::span<const RelationId> inverses_;
  const std::filesystem::path& folder_;
  std::uint64_t part_edges_;
  std::vector<std::uint64_t> starts_;  // of rows with repeats
  std::vector<std::size_t> parts_;     // first entity of each part, and one past the last
  std::unique_ptr<SpoolFile> waiting_;
  // The part at hand.
  std::size_t first_ = 0, num_rows_ = 0;
  std::uint64_t base_ = 0;
  std::vector<std::uint64_t> raw_, next_, lengths_, near_lengths_;
  std::vector<EntityId> near_;
  GraphRows rows_;
};

}  // namespace

GraphRows make_rows(const SpooledArray<Triple>& triples, std::size_t num_entities,
                    std::span<const RelationId> inverses, const std::filesystem::path& folder,
                    std::uint64_t part_edges) {
  return RowMaker(triples, num_entities, inverses, folder, part_edges).run();
}

}  // namespace kgwalk::graph
