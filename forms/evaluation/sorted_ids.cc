#include "forms/evaluation/sorted_ids.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace kgwalk::forms {
namespace {

// The first at or behind `from` that is not below `id`: steps that double, then halves.
template <class Iterator, class IdOf>
Iterator gallop(Iterator from, Iterator end, graph::EntityId id, IdOf id_of) {
  std::ptrdiff_t length = 1;
  auto low = from;
  while (end - low > length && id_of(*(low + length)) < id) {
    low += length;
    length *= 2;
  }
  return std::lower_bound(low, end - low > length ? low + length + 1 : end, id,
                          [&](const auto& each, graph::EntityId other) { return id_of(each) < other; });
}

constexpr std::size_t kFewestMarked = 4096;

// A bit for each id up to the largest, then the bits in order: for ids that are dense.
void sort_by_marks(Ids& ids, graph::EntityId largest) {
  std::vector<std::uint64_t> marks(largest / 64 + 1);
  for (const graph::EntityId id : ids) marks[id / 64] |= std::uint64_t{1} << (id % 64);
  std::size_t size = 0;
  for (std::size_t word = 0; word < marks.size(); ++word)
    for (std::uint64_t left = marks[word]; left != 0; left &= left - 1)
      ids[size++] =
          static_cast<graph::EntityId>(64 * word) + static_cast<graph::EntityId>(std::countr_zero(left));
  ids.resize(size);
}

}  // namespace

void sort_ids(Ids& ids) {
  if (!std::is_sorted(ids.begin(), ids.end())) {
    if (ids.size() >= kFewestMarked)
      if (const graph::EntityId largest = *std::max_element(ids.begin(), ids.end());
          largest / 64 <= ids.size())
        return sort_by_marks(ids, largest);
    std::sort(ids.begin(), ids.end());
  }
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

Ids intersection(const Ids& a, const Ids& b) {
  const Ids& few = a.size() <= b.size() ? a : b;
  const Ids& many = a.size() <= b.size() ? b : a;
  Ids result;
  auto at = many.begin();
  for (const graph::EntityId id : few) {
    at = gallop(at, many.end(), id, [](graph::EntityId each) { return each; });
    if (at == many.end()) break;
    if (*at == id) result.push_back(id);
  }
  return result;
}

void keep_tails(Ids& ids, std::span<const graph::Edge> edges) {
  auto at = edges.begin();
  std::erase_if(ids, [&](graph::EntityId id) {
    at = gallop(at, edges.end(), id, [](const graph::Edge& edge) { return edge.tail; });
    return at == edges.end() || at->tail != id;
  });
}

Ids union_of(const Ids& a, const Ids& b) {
  Ids result;
  result.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

Ids difference_of(const Ids& a, const Ids& b) {
  Ids result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

bool has_id(const Ids& ids, graph::EntityId id) noexcept {
  return std::binary_search(ids.begin(), ids.end(), id);
}

}  // namespace kgwalk::forms
