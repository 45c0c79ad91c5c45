// Label-smoothed cross-entropy of rows of logits and its gradient in one pass over each row, and the choice
// of the best columns of a row. float and double, no torch. Parallel over rows; results do not depend on the
// number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "seq2seq/kernels/rows.h"

namespace kgwalk::seq2seq {

// With p = softmax of a row, g its gold column, V columns and s the smoothing:
//   nll  = -log p_g,   loss = (1 - s) nll - s / V sum_v log p_v.
// When gradient is set, the logits are overwritten by d loss / d logits = p - (1 - s) [v = g] - s / V.
//
// With log_share and log_other the gold column is told by a mixture of p and something else:
//   nll  = -log(exp(log_share) p_g + exp(log_other)),   rho = exp(log_share) p_g / exp(-nll),
//   d loss / d logits = (s + (1 - s) rho) p - (1 - s) rho [v = g] - s / V;
// the smoothed part stays that of p alone. A gold column of -1 then has p_g = 0; log_other must be finite.
template <class T>
struct CrossEntropyRows {
  T* logits;                 // [rows, V]
  const std::int64_t* gold;  // [rows], each in 0 .. V - 1
  double smoothing = 0;
  bool gradient = true;
  T *loss, *nll;                                       // [rows]
  const T *log_share = nullptr, *log_other = nullptr;  // [rows]; both or neither
  T* rho = nullptr;                                    // [rows], with them
};
template <class T>
void cross_entropy_rows(RowShape shape, const CrossEntropyRows<T>& rows);

// The same for pairs of rows 2 i and 2 i + 1 with one gold column, p and q, without a mixture. `weight` times
// (KL(p | q) + KL(q | p)) / 2 joins the loss of a pair, half of it each row's (R-Drop, Liang and others,
// 2021, Eq. 4).
template <class T>
void paired_cross_entropy_rows(RowShape shape, const CrossEntropyRows<T>& rows, double weight);

// log(sum(exp(x))), x not empty.
[[nodiscard]] float log_sum_exp(std::span<const float> x);

// The `count` largest of x, best first, the lower column first on ties: column and value. Minus infinity is
// never chosen, so that there may be fewer.
void largest_columns(std::span<const float> x, std::size_t count,
                     std::vector<std::pair<std::int64_t, float>>& found);

}  // namespace kgwalk::seq2seq
