#include "graph/changes/row_merge.h"

#include <set>

namespace kgwalk::graph {
namespace {

class RowMerge {
 public:
  RowMerge(const SnapshotView& base, const Delta& delta)
      : base_(base), delta_(delta), num_base_(base.header->num_entities) {}

  MergedRows run() {
    rows_.edges.reserve(base_.edges.size() + delta_.added().size());
    rows_.neighbors.reserve(base_.neighbors.size() + delta_.added().size());
    rows_.offsets.reserve(delta_.num_entities() + std::size_t{1});
    rows_.neighbor_offsets.reserve(delta_.num_entities() + std::size_t{1});
    rows_.offsets.push_back(0);
    rows_.neighbor_offsets.push_back(0);
    std::set<EntityId> touched;
    for (const auto& [fact, note] : delta_.added()) touched.insert(touched.end(), fact.head);
    for (const Triple& fact : delta_.hidden()) touched.insert(fact.head);
    EntityId next = 0;
    for (const EntityId head : touched) {
      copy_until(next, head);
      merge(head);
      next = head + 1;
    }
    copy_until(next, delta_.num_entities());
    return std::move(rows_);
  }

 private:
  void copy_until(EntityId begin, EntityId end) {
    const EntityId last = std::min(end, num_base_);
    if (begin < last) {
      const std::uint64_t from = base_.offsets[begin], to = base_.offsets[last];
      const std::uint64_t new_begin = rows_.edges.size();
      keep(from, to - from);
      for (EntityId e = begin; e < last; ++e)
        rows_.offsets.push_back(base_.offsets[e + 1] - from + new_begin);
      const std::uint64_t near = base_.neighbor_offsets[begin], near_end = base_.neighbor_offsets[last];
      const std::uint64_t new_near = rows_.neighbors.size();
      rows_.neighbors.insert(rows_.neighbors.end(),
                             base_.neighbors.begin() + static_cast<std::ptrdiff_t>(near),
                             base_.neighbors.begin() + static_cast<std::ptrdiff_t>(near_end));
      for (EntityId e = begin; e < last; ++e)
        rows_.neighbor_offsets.push_back(base_.neighbor_offsets[e + 1] - near + new_near);
      begin = last;
    }
    for (; begin < end; ++begin) end_row();
  }

  void keep(std::uint64_t old_begin, std::uint64_t length) {
    if (length == 0) return;
    rows_.runs.push_back({old_begin, rows_.edges.size(), length});
    const auto first = base_.edges.begin() + static_cast<std::ptrdiff_t>(old_begin);
    rows_.edges.insert(rows_.edges.end(), first, first + static_cast<std::ptrdiff_t>(length));
  }

  void end_row() {
    rows_.offsets.push_back(rows_.edges.size());
    rows_.neighbor_offsets.push_back(rows_.neighbors.size());
  }

  void merge(EntityId head) {
    const std::size_t row_begin = rows_.edges.size();
    std::uint64_t old = head < num_base_ ? base_.offsets[head] : 0;
    const std::uint64_t old_end = head < num_base_ ? base_.offsets[head + 1] : 0;
    auto fresh = delta_.added().lower_bound({head, 0, 0});
    const auto has_fresh = [&] { return fresh != delta_.added().end() && fresh->first.head == head; };
    std::uint64_t kept_from = old;
    while (old < old_end || has_fresh()) {
      const bool takes_old = old < old_end && (!has_fresh() || base_.edges[old] <= Edge{fresh->first.relation,
                                                                                        fresh->first.tail});
      const bool is_hidden =
          takes_old && delta_.is_hidden({head, base_.edges[old].relation, base_.edges[old].tail});
      if (takes_old && !is_hidden) {
        ++old;
        continue;
      }
      keep(kept_from, old - kept_from);
      if (is_hidden) {
        ++old;
      } else {
        rows_.added.push_back({rows_.edges.size(), fresh->second});
        rows_.edges.push_back({fresh->first.relation, fresh->first.tail});
        ++fresh;
      }
      kept_from = old;
    }
    keep(kept_from, old - kept_from);
    add_neighbors(head, row_begin);
    end_row();
  }

  void add_neighbors(EntityId head, std::size_t row_begin) {
    const std::size_t begin = rows_.neighbors.size();
    for (std::size_t i = row_begin; i < rows_.edges.size(); ++i)
      if (rows_.edges[i].tail != head) rows_.neighbors.push_back(rows_.edges[i].tail);
    const auto first = rows_.neighbors.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, rows_.neighbors.end());
    rows_.neighbors.erase(std::unique(first, rows_.neighbors.end()), rows_.neighbors.end());
  }

  const SnapshotView& base_;
  const Delta& delta_;
  EntityId num_base_;
  MergedRows rows_;
};

}  // namespace

MergedRows merge_rows(const SnapshotView& base, const Delta& delta) { return RowMerge(base, delta).run(); }

}  // namespace kgwalk::graph
