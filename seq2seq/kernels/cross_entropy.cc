#include "seq2seq/kernels/cross_entropy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace kgwalk::seq2seq {
namespace {

// Several running values side by side, so that the compiler may use vector instructions without being allowed
// to reorder sums.
constexpr std::int64_t kLanes = 16;

template <class T>
T largest(const T* x, std::int64_t n) {
  T top = -std::numeric_limits<T>::infinity();
#pragma omp simd reduction(max : top)
  for (std::int64_t i = 0; i < n; ++i) top = x[i] > top ? x[i] : top;
  return top;
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

// Sum of weights * x.
template <class T>
double weighted_sum(const T* weights, const T* x, std::int64_t n) {
  std::array<T, kLanes> lanes{};
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::int64_t j = 0; j < kLanes; ++j) lanes[j] += weights[i + j] * x[i + j];
  for (; i < n; ++i) lanes[0] += weights[i] * x[i];
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

template <class T>
void paired_cross_entropy_rows(RowShape shape, const CrossEntropyRows<T>& rows, double weight) {
  const std::int64_t width = shape.width;
  const double s = rows.smoothing, share = s / static_cast<double>(width);
#pragma omp parallel
  {
    std::vector<T> apart(static_cast<std::size_t>(width));
#pragma omp for schedule(static)
    for (std::int64_t pair = 0; pair < shape.rows / 2; ++pair) {
      const std::int64_t r = 2 * pair, gold = rows.gold[r];
      std::array<T*, 2> x{rows.logits + r * width, rows.logits + (r + 1) * width};
      for (std::int64_t c = 0; c < width; ++c) apart[static_cast<std::size_t>(c)] = x[0][c] - x[1][c];
      std::array<double, 2> sum{}, log_total{}, plain{}, kl{};
      for (std::size_t k = 0; k < 2; ++k) {
        const T top = largest(x[k], width);
        const auto at_gold = static_cast<double>(x[k][gold]);
        const double all = s > 0 ? sum_of(x[k], width) : 0;
        sum[k] = exponentials<true>(x[k], width, top, x[k]);
        log_total[k] = static_cast<double>(top) + std::log(sum[k]);
        const double nll = log_total[k] - at_gold;
        plain[k] = (1 - s) * nll + share * (static_cast<double>(width) * log_total[k] - all);
        rows.nll[r + static_cast<std::int64_t>(k)] = static_cast<T>(nll);
      }
      // log p - log q = apart + offset
      const double offset = log_total[1] - log_total[0];
      kl[0] = weighted_sum(x[0], apart.data(), width) / sum[0] + offset;
      kl[1] = -weighted_sum(x[1], apart.data(), width) / sum[1] - offset;
      for (std::size_t k = 0; k < 2; ++k)
        rows.loss[r + static_cast<std::int64_t>(k)] = static_cast<T>(plain[k] + weight / 4 * (kl[0] + kl[1]));
      if (!rows.gradient) continue;
      const T half = static_cast<T>(weight / 2), less = static_cast<T>(share);
      const T p_scale = static_cast<T>(1 / sum[0]), q_scale = static_cast<T>(1 / sum[1]);
      const T p_shift = static_cast<T>(offset - kl[0] + 1), q_shift = static_cast<T>(1 - offset - kl[1]);
      for (std::int64_t c = 0; c < width; ++c) {
        const T p = x[0][c] * p_scale, q = x[1][c] * q_scale, d = apart[static_cast<std::size_t>(c)];
        x[0][c] = p - less + half * (p * (d + p_shift) - q);
        x[1][c] = q - less + half * (q * (q_shift - d) - p);
      }
      for (T* logits : x) logits[gold] -= static_cast<T>(1 - s);
    }
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
template void paired_cross_entropy_rows<float>(RowShape, const CrossEntropyRows<float>&, double);
template void paired_cross_entropy_rows<double>(RowShape, const CrossEntropyRows<double>&, double);

}  // namespace kgwalk::seq2seq
