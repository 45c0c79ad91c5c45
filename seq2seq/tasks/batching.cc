#include "seq2seq/tasks/batching.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace kgwalk::seq2seq {

std::vector<std::vector<std::size_t>> token_batches(std::span<const LengthPair> lengths,
                                                    std::int64_t max_tokens, Random& random) {
  std::vector<std::size_t> order(lengths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(lengths[a].target, lengths[a].source) < std::tie(lengths[b].target, lengths[b].source);
  });
  std::vector<std::vector<std::size_t>> batches;
  std::int64_t longest = 0;
  for (const std::size_t i : order) {
    const std::int64_t length = std::max(lengths[i].source, lengths[i].target);
    const std::int64_t with = std::max(longest, length);
    if (batches.empty() || with * (static_cast<std::int64_t>(batches.back().size()) + 1) > max_tokens) {
      batches.emplace_back();
      longest = length;
    } else {
      longest = with;
    }
    batches.back().push_back(i);
  }
  random.shuffle(std::span(batches));
  return batches;
}

Padded pad_rows(std::span<const std::vector<int>* const> rows) {
  std::size_t longest = 1, shortest = SIZE_MAX;
  for (const std::vector<int>* row : rows) {
    longest = std::max(longest, row->size());
    shortest = std::min(shortest, row->size());
  }
  const auto count = static_cast<std::int64_t>(rows.size()), width = static_cast<std::int64_t>(longest);
  Padded padded;
  padded.ids = torch::zeros({count, width}, torch::kInt64);
  if (shortest < longest) padded.keep = torch::zeros({count, width}, torch::kBool);
  auto* ids = padded.ids.data_ptr<std::int64_t>();
  bool* keep = padded.keep.defined() ? padded.keep.data_ptr<bool>() : nullptr;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::copy(rows[r]->begin(), rows[r]->end(), ids + r * longest);
    if (keep) std::fill_n(keep + r * longest, rows[r]->size(), true);
  }
  return padded;
}

}  // namespace kgwalk::seq2seq
