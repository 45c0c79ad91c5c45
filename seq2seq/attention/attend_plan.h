// One call of attend() as its kernels and its generic form see it.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/attend.h"
#include "seq2seq/kernels/attend_cpu.h"
#include "seq2seq/kernels/functions.h"

namespace kgwalk::seq2seq {

// Where a source lies: `tensor` indexes the distinct tensors of a call, of which number 0 holds the queries.
struct AttendSource {
  std::int64_t tensor, key_column, value_column;
};

// Everything of a call but the tensors that take gradients.
struct AttendPlan : torch::CustomClassHolder {
  std::vector<AttendSource> sources;
  std::int64_t examples = 0, queries = 0, keys = 0;  // B, query rows an example (beams times Tq), Tk
  AttendOptions options;
  torch::Tensor key_keep, keep;  // contiguous
  math::Dropout dropout;

  [[nodiscard]] std::int64_t inner() const { return options.heads * options.d; }
  [[nodiscard]] double scale() const {
    return options.scale > 0 ? options.scale : 1 / std::sqrt(static_cast<double>(options.d));
  }
  // Whether gradients are written to every element of tensor `index`, so that it need not be cleared.
  [[nodiscard]] bool covers(const torch::Tensor& packed, std::size_t index) const {
    std::int64_t columns = index == 0 ? inner() : 0;
    bool whole = queries > 0 && packed.is_contiguous();
    for (const AttendSource& source : sources) {
      if (source.tensor != static_cast<std::int64_t>(index)) continue;
      columns += 2 * inner();
      whole = whole && packed.size(1) == keys;
    }
    return whole && columns == packed.size(2);
  }
  [[nodiscard]] AttendShape shape(std::size_t source) const {
    AttendShape s{examples, queries, keys, options.heads, options.d, scale()};
    if (key_keep.defined()) {
      s.key_keep = static_cast<const std::uint8_t*>(key_keep.data_ptr());
      s.key_keep_stride = key_keep.size(0) == 1 ? 0 : keys;
    }
    if (keep.defined()) {
      s.keep = static_cast<const std::uint8_t*>(keep.data_ptr());
      s.keep_stride = keep.size(0) == 1 ? 0 : queries * keys;
    }
    s.causal = options.causal;
    s.dropout = dropout;
    s.dropout.seed += source * 0xD1B54A32D192ED03ull;
    s.row_offsets = options.row_offsets ? options.row_offsets->data() : nullptr;
    return s;
  }
};

}  // namespace kgwalk::seq2seq
