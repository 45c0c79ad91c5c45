#include "seq2seq/kernels/attend_cpu.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "seq2seq/kernels/row_products.h"
#include "seq2seq/kernels/small_gemm.h"

namespace kgwalk::seq2seq {
namespace {

using detail::dot;
using detail::row_logits;
using detail::small_gemm;
using detail::SmallGemm;

constexpr std::int64_t kQueryBlock = 64;
constexpr std::int64_t kFewQueries = 4;

std::int64_t round_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

// Scratch of one thread, kept between calls.
template <class T>
T* scratch(std::int64_t size) {
  thread_local std::vector<T> buffer;
  if (static_cast<std::int64_t>(buffer.size()) < size) buffer.resize(static_cast<std::size_t>(size));
  return buffer.data();
}

// One head of one example. Where its logits [Tq, Tk] are given, queries and keys are not looked at.
template <class T>
struct Head {
  std::int64_t b, h;
  const T *q, *k, *v;
  std::int64_t q_row, k_row, v_row;
  const T* logits = nullptr;
};

// to[c * ld + t] = from[t * row + c]; columns from `keys` to `ld` become zero.
template <class T>
void transpose(const T* from, std::int64_t row, std::int64_t keys, std::int64_t d, T* to, std::int64_t ld) {
  constexpr std::int64_t kTile = 16;
  for (std::int64_t t0 = 0; t0 < keys; t0 += kTile) {
    const std::int64_t t1 = std::min(keys, t0 + kTile);
    for (std::int64_t c = 0; c < d; ++c)
      for (std::int64_t t = t0; t < t1; ++t) to[c * ld + t] = from[t * row + c];
  }
  for (std::int64_t c = 0; c < d; ++c) std::fill(to + c * ld + keys, to + (c + 1) * ld, T(0));
}

// Sets the logits of one row that may not be attended to, to minus infinity.
template <class T>
void mask_row(const AttendShape& s, std::int64_t b, std::int64_t i, T* logits) {
  constexpr T kMinus = -std::numeric_limits<T>::infinity();
  if (s.key_keep) {
    const std::uint8_t* keep = s.key_keep + b * s.key_keep_stride;
    for (std::int64_t j = 0; j < s.keys; ++j) logits[j] = keep[j] ? logits[j] : kMinus;
  }
  if (s.keep) {
    const std::uint8_t* keep = s.keep + b * s.keep_stride + i * s.keys;
    for (std::int64_t j = 0; j < s.keys; ++j) logits[j] = keep[j] ? logits[j] : kMinus;
  }
  if (s.causal)
    for (std::int64_t j = std::max<std::int64_t>(0, s.keys - s.queries + i + 1); j < s.keys; ++j)
      logits[j] = kMinus;
}

template <class T>
T row_max(const T* x, std::int64_t n) {
  constexpr int kLanes = 16;
  T lanes[kLanes];
  std::fill(lanes, lanes + kLanes, -std::numeric_limits<T>::infinity());
  std::int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes)
    for (int l = 0; l < kLanes; ++l) lanes[l] = x[j + l] > lanes[l] ? x[j + l] : lanes[l];
  T best = -std::numeric_limits<T>::infinity();
  for (; j < n; ++j) best = x[j] > best ? x[j] : best;
  for (T lane : lanes) best = lane > best ? lane : best;
  return best;
}

template <class T>
T row_sum(const T* x, std::int64_t n) {
  constexpr int kLanes = 16;
  T lanes[kLanes] = {};
  std::int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes)
    for (int l = 0; l < kLanes; ++l) lanes[l] += x[j + l];
  T sum = 0;
  for (; j < n; ++j) sum += x[j];
  for (T lane : lanes) sum += lane;
  return sum;
}

// Drops or scales the weights of one row in place; its stream is that of row (b, h, i).
template <class T>
void drop_row(const AttendShape& s, std::int64_t b, std::int64_t h, std::int64_t i, T* weights) {
  const std::uint32_t seed = s.dropout.row_seed((b * s.heads + h) * s.queries + i);
  const std::uint32_t threshold = s.dropout.threshold();
  const T scale = s.dropout.scale<T>();
  for (std::int64_t j = 0; j < s.keys; ++j)
    weights[j] =
        math::random_bits(seed, static_cast<std::uint32_t>(j)) >= threshold ? weights[j] * scale : T(0);
}

// Masked softmax of one row in place; its log-sum-exp is returned.
template <class T>
T softmax_row(const AttendShape& s, std::int64_t b, std::int64_t i, T* logits) {
  mask_row(s, b, i, logits);
  const T top = row_max(logits, s.keys);
  if (top == -std::numeric_limits<T>::infinity()) {
    std::fill(logits, logits + s.keys, T(0));
    return top;
  }
  // exp() of the far tail is not exactly zero, so masked positions are cleared explicitly.
  for (std::int64_t j = 0; j < s.keys; ++j) {
    const T x = logits[j] - top;
    const T e = math::exp(x);
    logits[j] = x < T(-80) ? T(0) : e;
  }
  const T sum = row_sum(logits, s.keys);
  const T inverse = 1 / sum;
  for (std::int64_t j = 0; j < s.keys; ++j) logits[j] *= inverse;
  return top + std::log(sum);
}

// Logits of query rows [i0, i1) into s_out (row stride ld).
template <class T>
void logits_of(const AttendShape& s, const Head<T>& head, const T* k_transposed, std::int64_t i0,
               std::int64_t i1, T* out, std::int64_t ld) {
  const T scale = static_cast<T>(s.scale);
  if (head.logits) {
    for (std::int64_t i = i0; i < i1; ++i) {
      const T* given = head.logits + i * s.keys;
      T* row = out + (i - i0) * ld;
      for (std::int64_t j = 0; j < s.keys; ++j) row[j] = scale * given[j];
    }
    return;
  }
  if (!k_transposed) {
    for (std::int64_t i = i0; i < i1; ++i)
      row_logits(head.q + i * head.q_row, head.k, head.k_row, s.keys, s.d, scale, out + (i - i0) * ld);
    return;
  }
  small_gemm(SmallGemm<T>{i1 - i0, ld, s.d, head.q + i0 * head.q_row, head.q_row, 1, k_transposed, ld, out,
                          ld, scale, false});
}

template <class T>
Head<T> head_at(HeadRows<const T> q, HeadRows<const T> k, HeadRows<const T> v, std::int64_t b, std::int64_t h,
                std::int64_t d) {
  const auto at = [&](HeadRows<const T> rows) {
    return rows.data ? rows.data + b * rows.example + h * d : nullptr;
  };
  return {b, h, at(q), at(k), at(v), q.row, k.row, v.row};
}

template <class T>
void forward_head(const AttendShape& s, const Head<T>& head, T* out, std::int64_t out_row, bool accumulate,
                  T* lse) {
  if (s.queries == 0) return;
  const bool few = s.queries <= kFewQueries || head.logits;
  const std::int64_t ld = round_up(s.keys, 64 / sizeof(T));
  const std::int64_t block = std::min(s.queries, kQueryBlock);
  T* logits = scratch<T>(ld * block + (few ? 0 : ld * s.d));
  T* k_transposed = nullptr;
  if (!few) {
    k_transposed = logits + ld * block;
    transpose(head.k, head.k_row, s.keys, s.d, k_transposed, ld);
  }
  for (std::int64_t i0 = 0; i0 < s.queries; i0 += block) {
    const std::int64_t i1 = std::min(s.queries, i0 + block);
    logits_of(s, head, k_transposed, i0, i1, logits, ld);
    for (std::int64_t i = i0; i < i1; ++i) {
      T* row = logits + (i - i0) * ld;
      const T row_lse = softmax_row(s, head.b, i, row);
      if (lse) lse[i] = row_lse;
      if (s.dropout.active()) drop_row(s, head.b, head.h, i, row);
    }
    small_gemm(SmallGemm<T>{i1 - i0, s.d, s.keys, logits, ld, 1, head.v, head.v_row, out + i0 * out_row,
                            out_row, T(1), accumulate});
  }
}

// Weights of one row from its logits and log-sum-exp.
template <class T>
void weights_row(const AttendShape& s, std::int64_t b, std::int64_t i, T lse, T* logits) {
  if (lse == -std::numeric_limits<T>::infinity()) {
    std::fill(logits, logits + s.keys, T(0));
    return;
  }
  mask_row(s, b, i, logits);
  for (std::int64_t j = 0; j < s.keys; ++j) {
    const T x = logits[j] - lse;
    const T e = math::exp(x);
    logits[j] = x < T(-80) ? T(0) : e;
  }
}

// From weights p and the gradient g of the (dropped) weights: p becomes the dropped weights, g the gradient
// of the logits times scale: p (g - sum_j p_j g_j) scale.
template <class T>
void softmax_backward_row(const AttendShape& s, std::int64_t b, std::int64_t h, std::int64_t i, T* p, T* g,
                          T* dropped) {
  if (s.dropout.active()) {
    drop_row(s, b, h, i, g);
    std::copy(p, p + s.keys, dropped);
    drop_row(s, b, h, i, dropped);
  }
  const T mean = dot(p, g, s.keys);
  const T scale = static_cast<T>(s.scale);
  for (std::int64_t j = 0; j < s.keys; ++j) g[j] = p[j] * (g[j] - mean) * scale;
  if (s.dropout.active()) std::copy(dropped, dropped + s.keys, p);
}

template <class T>
struct HeadGradients {
  const T* out = nullptr;
  T *q = nullptr, *k = nullptr, *v = nullptr;
  std::int64_t out_row = 0, q_row = 0, k_row = 0, v_row = 0;
  bool accumulate_q = false;
  T* logits = nullptr;  // [Tq, Tk] in place of q and k where the logits were given
};

template <class T>
void backward_of_logits(const AttendShape& s, const Head<T>& head, const HeadGradients<T>& grad,
                        std::int64_t i0, std::int64_t m, const T* g, std::int64_t ld) {
  const bool later = i0 > 0;
  small_gemm(SmallGemm<T>{m, s.d, s.keys, g, ld, 1, head.k, head.k_row, grad.q + i0 * grad.q_row, grad.q_row,
                          T(1), grad.accumulate_q});
  small_gemm(SmallGemm<T>{s.keys, s.d, m, g, 1, ld, head.q + i0 * head.q_row, head.q_row, grad.k, grad.k_row,
                          T(1), later});
}

template <class T>
void backward_head(const AttendShape& s, const Head<T>& head, const HeadGradients<T>& grad, const T* lse) {
  const std::int64_t ld = round_up(s.keys, 64 / sizeof(T));
  const std::int64_t block = std::min(s.queries, kQueryBlock);
  T* k_transposed = scratch<T>(2 * ld * s.d + 2 * ld * block + ld);
  T* v_transposed = k_transposed + ld * s.d;
  T* weights = v_transposed + ld * s.d;
  T* g = weights + ld * block;
  T* spare = g + ld * block;
  if (!head.logits) transpose(head.k, head.k_row, s.keys, s.d, k_transposed, ld);
  transpose(head.v, head.v_row, s.keys, s.d, v_transposed, ld);
  for (std::int64_t i0 = 0; i0 < s.queries; i0 += block) {
    const std::int64_t i1 = std::min(s.queries, i0 + block), m = i1 - i0;
    const T* grad_out = grad.out + i0 * grad.out_row;
    logits_of(s, head, k_transposed, i0, i1, weights, ld);
    small_gemm(SmallGemm<T>{m, ld, s.d, grad_out, grad.out_row, 1, v_transposed, ld, g, ld, T(1), false});
    for (std::int64_t i = i0; i < i1; ++i) {
      T* row = weights + (i - i0) * ld;
      weights_row(s, head.b, i, lse[i], row);
      softmax_backward_row(s, head.b, head.h, i, row, g + (i - i0) * ld, spare);
    }
    if (head.logits)
      for (std::int64_t i = 0; i < m; ++i) std::copy_n(g + i * ld, s.keys, grad.logits + (i0 + i) * s.keys);
    else
      backward_of_logits(s, head, grad, i0, m, g, ld);
    small_gemm(SmallGemm<T>{s.keys, s.d, m, weights, 1, ld, grad_out, grad.out_row, grad.v, grad.v_row, T(1),
                            i0 > 0});
  }
}

}  // namespace

template <class T>
void attend_forward(const AttendShape& s, HeadRows<const T> q, HeadRows<const T> k, HeadRows<const T> v,
                    HeadRows<T> out, bool accumulate, T* lse) {
  const std::int64_t items = s.examples * s.heads;
  const bool worthwhile = items * s.queries * s.keys * s.d > 32768;
#pragma omp parallel for schedule(static) if (worthwhile)
  for (std::int64_t item = 0; item < items; ++item) {
    const std::int64_t b = item / s.heads, h = item % s.heads;
    Head<T> head = head_at(q, k, v, b, h, s.d);
    if (!s.row_offsets) {
      forward_head(s, head, out.data + b * out.example + h * s.d, out.row, accumulate,
                   lse ? lse + item * s.queries : nullptr);
      continue;
    }
    AttendShape own = s;
    own.queries = s.row_offsets[b + 1] - s.row_offsets[b];
    head.q = q.data + s.row_offsets[b] * q.row + h * s.d;
    forward_head(own, head, out.data + s.row_offsets[b] * out.row + h * s.d, out.row, accumulate, lse);
  }
}

template <class T>
void attend_backward(const AttendShape& s, HeadRows<const T> q, HeadRows<const T> k, HeadRows<const T> v,
                     HeadRows<const T> grad_out, const T* lse, HeadRows<T> grad_q, bool accumulate_q,
                     HeadRows<T> grad_k, HeadRows<T> grad_v) {
  const std::int64_t items = s.examples * s.heads;
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < items; ++item) {
    const std::int64_t b = item / s.heads, h = item % s.heads, at = h * s.d;
    const HeadGradients<T> grad{.out = grad_out.data + b * grad_out.example + at,
                                .q = grad_q.data + b * grad_q.example + at,
                                .k = grad_k.data + b * grad_k.example + at,
                                .v = grad_v.data + b * grad_v.example + at,
                                .out_row = grad_out.row,
                                .q_row = grad_q.row,
                                .k_row = grad_k.row,
                                .v_row = grad_v.row,
                                .accumulate_q = accumulate_q};
    backward_head(s, head_at(q, k, v, b, h, s.d), grad, lse + item * s.queries);
  }
}

template <class T>
void attention_logits(const AttendShape& shape, HeadRows<const T> q, HeadRows<const T> k, T* out) {
  AttendShape s = shape;
  s.scale = 1;
  const std::int64_t items = s.examples * s.heads, ld = round_up(s.keys, 64 / sizeof(T));
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < items; ++item) {
    const std::int64_t block = std::min(s.queries, kQueryBlock);
    const Head<T> head = head_at<T>(q, k, {}, item / s.heads, item % s.heads, s.d);
    T* k_transposed = scratch<T>(ld * (s.d + block));
    T* rows = k_transposed + ld * s.d;
    transpose(head.k, head.k_row, s.keys, s.d, k_transposed, ld);
    for (std::int64_t i0 = 0; i0 < s.queries; i0 += block) {
      const std::int64_t i1 = std::min(s.queries, i0 + block);
      logits_of(s, head, k_transposed, i0, i1, rows, ld);
      for (std::int64_t i = i0; i < i1; ++i)
        std::copy_n(rows + (i - i0) * ld, s.keys, out + (item * s.queries + i) * s.keys);
    }
  }
}

template <class T>
void attention_logits_backward(const AttendShape& s, HeadRows<const T> q, HeadRows<const T> k,
                               const T* grad_logits, HeadRows<T> grad_q, HeadRows<T> grad_k) {
  const std::int64_t items = s.examples * s.heads;
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < items; ++item) {
    const std::int64_t b = item / s.heads, h = item % s.heads, at = h * s.d;
    const HeadGradients<T> grad{.q = grad_q.data + b * grad_q.example + at,
                                .k = grad_k.data + b * grad_k.example + at,
                                .q_row = grad_q.row,
                                .k_row = grad_k.row};
    backward_of_logits(s, head_at<T>(q, k, {}, b, h, s.d), grad, 0, s.queries,
                       grad_logits + item * s.queries * s.keys, s.keys);
  }
}

template <class T>
void attend_logits_forward(const AttendShape& s, const T* logits, HeadRows<const T> v, HeadRows<T> out,
                           bool accumulate, T* lse) {
  const std::int64_t items = s.examples * s.heads;
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < items; ++item) {
    const std::int64_t b = item / s.heads, h = item % s.heads;
    Head<T> head = head_at<T>({}, {}, v, b, h, s.d);
    head.logits = logits + item * s.queries * s.keys;
    forward_head(s, head, out.data + b * out.example + h * s.d, out.row, accumulate,
                 lse ? lse + item * s.queries : nullptr);
  }
}

template <class T>
void attend_logits_backward(const AttendShape& s, const T* logits, HeadRows<const T> v,
                            HeadRows<const T> grad_out, const T* lse, T* grad_logits, HeadRows<T> grad_v) {
  const std::int64_t items = s.examples * s.heads;
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < items; ++item) {
    const std::int64_t b = item / s.heads, h = item % s.heads, at = h * s.d, map = item * s.queries * s.keys;
    Head<T> head = head_at<T>({}, {}, v, b, h, s.d);
    head.logits = logits + map;
    const HeadGradients<T> grad{.out = grad_out.data + b * grad_out.example + at,
                                .v = grad_v.data + b * grad_v.example + at,
                                .out_row = grad_out.row,
                                .v_row = grad_v.row,
                                .logits = grad_logits + map};
    backward_head(s, head, grad, lse + item * s.queries);
  }
}

#define KGWALK_ATTEND(T)                                                                                     \
  template void attend_forward<T>(const AttendShape&, HeadRows<const T>, HeadRows<const T>,                  \
                                  HeadRows<const T>, HeadRows<T>, bool, T*);                                 \
  template void attend_backward<T>(const AttendShape&, HeadRows<const T>, HeadRows<const T>,                 \
                                   HeadRows<const T>, HeadRows<const T>, const T*, HeadRows<T>, bool,        \
                                   HeadRows<T>, HeadRows<T>);                                                \
  template void attention_logits<T>(const AttendShape&, HeadRows<const T>, HeadRows<const T>, T*);           \
  template void attention_logits_backward<T>(const AttendShape&, HeadRows<const T>, HeadRows<const T>,       \
                                             const T*, HeadRows<T>, HeadRows<T>);                            \
  template void attend_logits_forward<T>(const AttendShape&, const T*, HeadRows<const T>, HeadRows<T>, bool, \
                                         T*);                                                                \
  template void attend_logits_backward<T>(const AttendShape&, const T*, HeadRows<const T>,                   \
                                          HeadRows<const T>, const T*, T*, HeadRows<T>);
KGWALK_ATTEND(float)
KGWALK_ATTEND(double)
#undef KGWALK_ATTEND

}  // namespace kgwalk::seq2seq
