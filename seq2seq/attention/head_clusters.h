// k-means over the heads of one attention layer, and how compact its groups are. Torch-free, float64.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/random.h"

namespace kgwalk::seq2seq {

// One row a head.
struct HeadPoints {
  std::span<const double> data;  // [count, width]
  std::int64_t width = 0;
  [[nodiscard]] std::int64_t count() const {
    return width > 0 ? static_cast<std::int64_t>(data.size()) / width : 0;
  }
};

// Group of each head, 0 .. groups - 1, none empty: the least sum of squared distances to the groups' means
// (thesis Eq. 3.3) that Lloyd's iterations reach from `previous` (empty = none) and from several k-means++
// starts. Groups keep the numbers of those in `previous` with which they share most heads. ConfigError when
// there are fewer heads than groups.
[[nodiscard]] std::vector<std::int64_t> cluster_heads(const HeadPoints& points, std::int64_t groups,
                                                      const std::vector<std::int64_t>& previous,
                                                      Random& random);

// Sum of squared distances of the heads to the means of their groups.
[[nodiscard]] double within_groups(const HeadPoints& points, const std::vector<std::int64_t>& assignment,
                                   std::int64_t groups);

// Mean silhouette coefficient (Rousseeuw 1987) over the heads, from -1 to 1; a head alone in its
// group counts 0.
[[nodiscard]] double silhouette(const HeadPoints& points, const std::vector<std::int64_t>& assignment,
                                std::int64_t groups);

// Dunn's index: least distance between heads of two groups over the largest within one. Infinite when every
// group is one point, 0 when there is one group.
[[nodiscard]] double dunn_index(const HeadPoints& points, const std::vector<std::int64_t>& assignment);

}  // namespace kgwalk::seq2seq
