#include "seq2seq/kernels/cross_entropy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace kgwalk::seq2seq {
namespace {

constexpr std::int64_t kLanes = 16;

// Several running values side by side, so that the compiler may use vector instructions without being allowed
// to reorder sums.
template <class T>
T largest(const T* x, std::int64_t n) {
  std::array<T, kLanes> lanes;
  lanes.fill(-std::numeric_limits<T>::infinity());
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::int64_t j = 0; j < kLanes; ++j) lanes[j] = x[i + j] > lanes[j] ? x[i + j] : lanes[j];
  for (; i < n; ++i) lanes[0] = x[i] > lanes[0] ? x[i] : lanes[0];
  return *std::max_element(lanes.begin(), lanes.end());
}

template <class T>
double total(const std::array<T, kLanes>& lanes) {
  double sum = 0;
  for (const T lane : lanes) sum += static_cast<double>(lane);
  return sum;
}

// Sum of exp(x - top), left in `out` unless it is null.
template <bool kStore, class T>
double exponentials(const T* x, std::int64_t n, T top, T* out) {
  std::array<T, kLanes> lanes{};
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::int64_t j = 0; j < kLanes; ++j) {
      const T e = math::exp(x[i + j] - top);
      if constexpr (kStore) out[i + j] = e;
      lanes[j] += e;
    }
  for (; i < n; ++i) {
    const T e = math::exp(x[i] - top);
    if constexpr (kStore) out[i] = e;
    lanes[0] += e;
  }
  return total(lanes);
}

template <class T>
double sum_of(const T* x, std::int64_t n) {
  std::array<T, kLanes> lanes{};
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::int64_t j = 0; j < kLanes; ++j) lanes[j] += x[i + j];
  for (; i < n; ++i) lanes[0] += x[i];
  return total(lanes);
}

// -log(exp(ours) + exp(other)) without overflow; ours may be minus infinity.
double negative_log_of_sum(double ours, double other) {
  const double top = std::max(ours, other);
  return -(top + std::log(std::exp(ours - top) + std::exp(other - top)));
}

}  // namespace

template <class T>
void cross_entropy_rows(RowShape shape, const CrossEntropyRows<T>& rows) {
  const std::int64_t width = shape.width;
  const double share = rows.smoothing / static_cast<double>(width);
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    T* x = rows.logits + r * width;
    const std::int64_t gold = rows.gold[r];
    const T top = largest(x, width);
    const double at_gold =
        gold < 0 ? -std::numeric_limits<double>::infinity() : static_cast<double>(x[gold] - top);
    const double all =
        rows.smoothing > 0 ? sum_of(x, width) - static_cast<double>(width) * static_cast<double>(top) : 0;
    const double sum =
        rows.gradient ? exponentials<true>(x, width, top, x) : exponentials<false, T>(x, width, top, nullptr);
    const double log_sum = std::log(sum);
    double nll = log_sum - at_gold, rho = 1;
    if (rows.log_share) {
      const double ours = static_cast<double>(rows.log_share[r]) - nll;
      nll = negative_log_of_sum(ours, static_cast<double>(rows.log_other[r]));
      rho = std::exp(ours + nll);
      rows.rho[r] = static_cast<T>(rho);
    }
    rows.nll[r] = static_cast<T>(nll);
    rows.loss[r] =
        static_cast<T>((1 - rows.smoothing) * nll + share * (static_cast<double>(width) * log_sum - all));
    if (!rows.gradient) continue;
    const double ours = (1 - rows.smoothing) * rho;
    const T scale = static_cast<T>((rows.smoothing + ours) / sum), less = static_cast<T>(share);
    for (std::int64_t c = 0; c < width; ++c) x[c] = x[c] * scale - less;
    if (gold >= 0) x[gold] -= static_cast<T>(ours);
  }
}

float log_sum_exp(std::span<const float> x) {
  const auto n = static_cast<std::int64_t>(x.size());
  const float top = largest(x.data(), n);
  return top + static_cast<float>(std::log(exponentials<false, float>(x.data(), n, top, nullptr)));
}

void largest_columns(std::span<const float> x, std::size_t count,
                     std::vector<std::pair<std::int64_t, float>>& found) {
  found.clear();
  if (count == 0) return;
  const auto better = [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  };
  float bar = -std::numeric_limits<float>::infinity();  // the worst kept, once `count` are kept
  const auto n = static_cast<std::int64_t>(x.size());
  for (std::int64_t begin = 0; begin < n; begin += 64) {
    const std::int64_t length = std::min<std::int64_t>(64, n - begin);
    if (!(largest(x.data() + begin, length) > bar)) continue;
    for (std::int64_t c = begin; c < begin + length; ++c) {
      const float value = x[static_cast<std::size_t>(c)];
      if (!(value > bar)) continue;
      if (found.size() == count) {
        std::pop_heap(found.begin(), found.end(), better);
        found.pop_back();
      }
      found.emplace_back(c, value);
      std::push_heap(found.begin(), found.end(), better);
      if (found.size() == count) bar = found.front().second;
    }
  }
  std::sort_heap(found.begin(), found.end(), better);
}

template void cross_entropy_rows<float>(RowShape, const CrossEntropyRows<float>&);
template void cross_entropy_rows<double>(RowShape, const CrossEntropyRows<double>&);

}  // namespace kgwalk::seq2seq
