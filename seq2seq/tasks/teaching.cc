#include "seq2seq/tasks/teaching.h"

#include <algorithm>

#include "seq2seq/tasks/batching.h"

namespace kgwalk::seq2seq {

Teaching teaching_of(std::span<const std::vector<int>* const> targets, int start_piece) {
  const Padded padded = pad_rows(targets);
  const std::int64_t width = padded.ids.size(1);
  auto* ids = padded.ids.data_ptr<std::int64_t>();
  std::vector<std::int64_t> rows, gold;
  for (std::size_t b = 0; b < targets.size(); ++b) {
    std::int64_t* row = ids + static_cast<std::int64_t>(b) * width;
    for (std::size_t t = 0; t < targets[b]->size(); ++t) {
      rows.push_back(static_cast<std::int64_t>(b) * width + static_cast<std::int64_t>(t));
      gold.push_back((*targets[b])[t]);
    }
    std::copy_backward(row, row + width - 1, row + width);
    row[0] = start_piece;
  }
  return {padded.ids, padded.keep, torch::tensor(rows, torch::kInt64), torch::tensor(gold, torch::kInt64)};
}

}  // namespace kgwalk::seq2seq
