#include "forms/evaluation/sorted_ids.h"

#include <algorithm>
#include <iterator>

namespace kgwalk::forms {
namespace {

// The first at or behind `from` that is not below `id`: steps that double, then halves.
Ids::const_iterator gallop(Ids::const_iterator from, Ids::const_iterator end, graph::EntityId id) {
  std::ptrdiff_t length = 1;
  auto low = from;
  while (end - low > length && *(low + length) < id) {
    low += length;
    length *= 2;
  }
  return std::lower_bound(low, end - low > length ? low + length + 1 : end, id);
}

}  // namespace

void sort_ids(Ids& ids) {
  if (!std::is_sorted(ids.begin(), ids.end())) std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

Ids intersection(const Ids& a, const Ids& b) {
  const Ids& few = a.size() <= b.size() ? a : b;
  const Ids& many = a.size() <= b.size() ? b : a;
  Ids result;
  auto at = many.begin();
  for (const graph::EntityId id : few) {
    at = gallop(at, many.end(), id);
    if (at == many.end()) break;
    if (*at == id) result.push_back(id);
  }
  return result;
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
