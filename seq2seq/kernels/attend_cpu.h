// Attention on raw rows: softmax(Q K^T scale) V and its gradient, for the strided rows that fused
// projections write. float and double. No torch. Parallel over (example, head); results do not depend on the
// number of threads.
#pragma once

#include <cstdint>

#include "seq2seq/kernels/vector_math.h"

namespace kgwalk::seq2seq {

// Element (b, t, h, c) of a packed tensor lies at data[b * example + t * row + h * d + c].
template <class T>
struct HeadRows {
  T* data = nullptr;
  std::int64_t example = 0;
  std::int64_t row = 0;
};

struct AttendShape {
  std::int64_t examples, queries, keys, heads, d;  // B, Tq, Tk, H, d
  double scale;
  const std::uint8_t* key_keep = nullptr;  // [B, Tk] row stride key_keep_stride; nonzero = attend
  std::int64_t key_keep_stride = 0;
  const std::uint8_t* keep = nullptr;  // [B or 1, Tq, Tk]; example stride keep_stride (0 = shared)
  std::int64_t keep_stride = 0;
  bool causal = false;  // query i sees keys up to keys - queries + i
  // Rows of q and out that belong to each example, counted from the tensor's start: [B + 1]. Null = `queries`
  // each at b * example. Forward without lse only.
  const std::int64_t* row_offsets = nullptr;
  math::Dropout dropout{};  // of the attention weights
};

// out (+= when accumulate) the attention output. lse [B, H, Tq]: logarithm of each row's sum of exponentials,
// -inf for a row without keys; null when no gradient will be asked for.
template <class T>
void attend_forward(const AttendShape& shape, HeadRows<const T> q, HeadRows<const T> k, HeadRows<const T> v,
                    HeadRows<T> out, bool accumulate, T* lse);

// grad_q is added to when accumulate_q, else overwritten, as are grad_k and grad_v. `lse` is forward's;
// dropout must be the same.
template <class T>
void attend_backward(const AttendShape& shape, HeadRows<const T> q, HeadRows<const T> k, HeadRows<const T> v,
                     HeadRows<const T> grad_out, const T* lse, HeadRows<T> grad_q, bool accumulate_q,
                     HeadRows<T> grad_k, HeadRows<T> grad_v);

// ---- the same in two parts, for logits that something changes in between; no row_offsets ----

// out [B, H, Tq, Tk]: Q K^T, neither scaled nor masked.
template <class T>
void attention_logits(const AttendShape& shape, HeadRows<const T> q, HeadRows<const T> k, T* out);
// Overwrites grad_q and grad_k.
template <class T>
void attention_logits_backward(const AttendShape& shape, HeadRows<const T> q, HeadRows<const T> k,
                               const T* grad_logits, HeadRows<T> grad_q, HeadRows<T> grad_k);

// softmax(logits scale) V with the shape's masks; logits [B, H, Tq, Tk]. lse as attend_forward's.
template <class T>
void attend_logits_forward(const AttendShape& shape, const T* logits, HeadRows<const T> v, HeadRows<T> out,
                           bool accumulate, T* lse);
// Overwrites grad_logits and grad_v.
template <class T>
void attend_logits_backward(const AttendShape& shape, const T* logits, HeadRows<const T> v,
                            HeadRows<const T> grad_out, const T* lse, T* grad_logits, HeadRows<T> grad_v);

}  // namespace kgwalk::seq2seq
