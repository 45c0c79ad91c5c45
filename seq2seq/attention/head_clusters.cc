#include "seq2seq/attention/head_clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

constexpr int kStarts = 8, kMaxRounds = 100;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Groups = std::vector<std::int64_t>;

std::span<const double> row(const HeadPoints& points, std::int64_t i) {
  return points.data.subspan(static_cast<std::size_t>(i * points.width),
                             static_cast<std::size_t>(points.width));
}

double squared(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

double distance(const HeadPoints& points, std::int64_t i, std::int64_t j) {
  return std::sqrt(squared(row(points, i), row(points, j)));
}

std::vector<std::int64_t> sizes_of(const Groups& assignment, std::int64_t groups) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(groups), 0);
  for (const std::int64_t g : assignment) ++sizes[static_cast<std::size_t>(g)];
  return sizes;
}

std::vector<double> means_of(const HeadPoints& points, const Groups& assignment, std::int64_t groups) {
  const auto width = static_cast<std::size_t>(points.width);
  std::vector<double> means(static_cast<std::size_t>(groups) * width, 0);
  const std::vector<std::int64_t> sizes = sizes_of(assignment, groups);
  for (std::size_t i = 0; i < assignment.size(); ++i) {
    const auto g = static_cast<std::size_t>(assignment[i]);
    const std::span<const double> from = row(points, static_cast<std::int64_t>(i));
    for (std::size_t c = 0; c < width; ++c) means[g * width + c] += from[c] / static_cast<double>(sizes[g]);
  }
  return means;
}

// Every head to its nearest mean; the lower number on ties.
Groups nearest(const HeadPoints& points, const std::vector<double>& means) {
  const HeadPoints centers{means, points.width};
  Groups assignment;
  for (std::int64_t i = 0; i < points.count(); ++i) {
    std::int64_t best = 0;
    double least = kInfinity;
    for (std::int64_t g = 0; g < centers.count(); ++g) {
      const double d = squared(row(points, i), row(centers, g));
      if (d < least) least = d, best = g;
    }
    assignment.push_back(best);
  }
  return assignment;
}

// An empty group takes the head farthest from the mean of its group, among groups of several heads.
void fill_empty(const HeadPoints& points, const std::vector<double>& means, std::int64_t groups,
                Groups& assignment) {
  const HeadPoints centers{means, points.width};
  for (std::int64_t g = 0; g < groups; ++g) {
    const std::vector<std::int64_t> sizes = sizes_of(assignment, groups);
    if (sizes[static_cast<std::size_t>(g)] > 0) continue;
    std::int64_t farthest = -1;
    double most = -1;
    for (std::int64_t i = 0; i < points.count(); ++i) {
      const std::int64_t own = assignment[static_cast<std::size_t>(i)];
      const double d = squared(row(points, i), row(centers, own));
      if (sizes[static_cast<std::size_t>(own)] > 1 && d > most) most = d, farthest = i;
    }
    assignment[static_cast<std::size_t>(farthest)] = g;
  }
}

Groups lloyd(const HeadPoints& points, std::vector<double> means, std::int64_t groups) {
  Groups assignment;
  for (int round = 0; round < kMaxRounds; ++round) {
    Groups next = nearest(points, means);
    fill_empty(points, means, groups, next);
    if (next == assignment) break;
    assignment = std::move(next);
    means = means_of(points, assignment, groups);
  }
  return assignment;
}

// k-means++: each further mean is a head drawn with the square of its distance to those there.
std::vector<double> drawn_means(const HeadPoints& points, std::int64_t groups, Random& random) {
  std::vector<double> means, least(static_cast<std::size_t>(points.count()), kInfinity);
  auto chosen = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(points.count())));
  for (std::int64_t g = 0; g < groups; ++g) {
    const std::span<const double> from = row(points, chosen);
    means.insert(means.end(), from.begin(), from.end());
    double total = 0;
    for (std::int64_t i = 0; i < points.count(); ++i) {
      double& d = least[static_cast<std::size_t>(i)];
      d = std::min(d, squared(row(points, i), from));
      total += d;
    }
    double left = random.uniform() * total;
    chosen = 0;
    while (chosen + 1 < points.count() && left >= least[static_cast<std::size_t>(chosen)])
      left -= least[static_cast<std::size_t>(chosen++)];
  }
  return means;
}

// Renumbers so that groups keep the number with which they share most heads; the rest take what is left.
Groups renumbered(const Groups& found, const Groups& previous, std::int64_t groups) {
  const auto n = static_cast<std::size_t>(groups);
  std::vector<std::int64_t> shared(n * n, 0), number(n, -1);
  for (std::size_t i = 0; i < found.size(); ++i)
    ++shared[static_cast<std::size_t>(found[i]) * n + static_cast<std::size_t>(previous[i])];
  std::vector<bool> taken(n, false);
  for (std::size_t round = 0; round < n; ++round) {
    std::size_t from = 0, to = 0;
    std::int64_t most = -1;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        if (number[a] < 0 && !taken[b] && shared[a * n + b] > most)
          most = shared[a * n + b], from = a, to = b;
    number[from] = static_cast<std::int64_t>(to);
    taken[to] = true;
  }
  Groups result;
  for (const std::int64_t g : found) result.push_back(number[static_cast<std::size_t>(g)]);
  return result;
}

}  // namespace

std::vector<std::int64_t> cluster_heads(const HeadPoints& points, std::int64_t groups,
                                        const std::vector<std::int64_t>& previous, Random& random) {
  if (groups < 1 || points.count() < groups)
    throw ConfigError(std::to_string(points.count()) + " heads cannot form " + std::to_string(groups) +
                      " groups; choose at most as many groups as heads");
  Groups best;
  double least = kInfinity;
  const auto consider = [&](Groups found) {
    const double sum = within_groups(points, found, groups);
    if (best.empty() || sum < least * (1 - 1e-9)) least = sum, best = std::move(found);
  };
  if (!previous.empty()) consider(lloyd(points, means_of(points, previous, groups), groups));
  for (int start = 0; start < kStarts; ++start)
    consider(lloyd(points, drawn_means(points, groups, random), groups));
  return previous.empty() ? best : renumbered(best, previous, groups);
}

double within_groups(const HeadPoints& points, const std::vector<std::int64_t>& assignment,
                     std::int64_t groups) {
  const std::vector<double> means = means_of(points, assignment, groups);
  const HeadPoints centers{means, points.width};
  double sum = 0;
  for (std::size_t i = 0; i < assignment.size(); ++i)
    sum += squared(row(points, static_cast<std::int64_t>(i)), row(centers, assignment[i]));
  return sum;
}

double silhouette(const HeadPoints& points, const std::vector<std::int64_t>& assignment,
                  std::int64_t groups) {
  const std::vector<std::int64_t> sizes = sizes_of(assignment, groups);
  double total = 0;
  for (std::int64_t i = 0; i < points.count(); ++i) {
    const auto own = static_cast<std::size_t>(assignment[static_cast<std::size_t>(i)]);
    if (sizes[own] < 2) continue;
    std::vector<double> sums(sizes.size(), 0);
    for (std::int64_t j = 0; j < points.count(); ++j)
      sums[static_cast<std::size_t>(assignment[static_cast<std::size_t>(j)])] += distance(points, i, j);
    const double inside = sums[own] / static_cast<double>(sizes[own] - 1);
    double outside = kInfinity;
    for (std::size_t g = 0; g < sizes.size(); ++g)
      if (g != own && sizes[g] > 0) outside = std::min(outside, sums[g] / static_cast<double>(sizes[g]));
    const double larger = std::max(inside, outside);
    if (std::isfinite(larger) && larger > 0) total += (outside - inside) / larger;
  }
  return points.count() > 0 ? total / static_cast<double>(points.count()) : 0;
}

double dunn_index(const HeadPoints& points, const std::vector<std::int64_t>& assignment) {
  double between = kInfinity, within = 0;
  for (std::int64_t i = 0; i < points.count(); ++i)
    for (std::int64_t j = 0; j < i; ++j) {
      const double d = distance(points, i, j);
      const bool same = assignment[static_cast<std::size_t>(i)] == assignment[static_cast<std::size_t>(j)];
      if (same) within = std::max(within, d);
      if (!same) between = std::min(between, d);
    }
  if (!std::isfinite(between)) return 0;
  return within > 0 ? between / within : kInfinity;
}

}  // namespace kgwalk::seq2seq
