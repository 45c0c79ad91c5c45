#include "seq2seq/attention/cache.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::int64_t kLeastCapacity = 8;

bool plain_rows(const torch::Tensor& from, const torch::Tensor& to) {
  return from.device().is_cpu() && to.device().is_cpu() && from.stride(2) == 1 && to.stride(2) == 1 &&
         from.scalar_type() == to.scalar_type() && !(torch::GradMode::is_enabled() && from.requires_grad());
}

// to[r, t, :] = from[row_of[r], t, :], or from[r, t, :] where row_of (int64) is undefined. On the processor
// rows are copied as they lie: LibTorch's own copy of a step's few positions costs more than the bytes do.
void copy_positions(const torch::Tensor& from, const torch::Tensor& to, const torch::Tensor& row_of = {}) {
  if (!plain_rows(from, to)) {
    to.copy_(row_of.defined() ? from.index_select(0, row_of.to(from.device())) : from);
    return;
  }
  const std::int64_t rows = to.size(0), positions = to.size(1), width = to.size(2);
  if (rows * positions == 0) return;
  const auto bytes = [item = to.element_size()](std::int64_t elements) {
    return static_cast<std::size_t>(elements) * item;
  };
  const bool whole = from.stride(1) == width && to.stride(1) == width;
  const std::int64_t runs = whole ? 1 : positions;
  const std::size_t run = bytes(whole ? positions * width : width);
  const torch::Tensor index = row_of.defined() ? row_of.contiguous() : row_of;
  const std::int64_t* source_rows = index.defined() ? index.data_ptr<std::int64_t>() : nullptr;
  const auto* source = static_cast<const char*>(from.data_ptr());
  auto* target = static_cast<char*>(to.data_ptr());
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t t = 0; t < runs; ++t)
      std::memcpy(target + bytes(r * to.stride(0) + t * to.stride(1)),
                  source + bytes((source_rows ? source_rows[r] : r) * from.stride(0) + t * from.stride(1)),
                  run);
}

}  // namespace

void LogitRows::reorder(const torch::Tensor& rows) {
  for (torch::Tensor* row : {&joint, &sent})
    if (row->defined()) *row = row->index_select(0, rows.to(row->device()));
}

void KeyValueCache::append(const torch::Tensor& kv) {
  if (buffer_.defined() && (kv.size(0) != buffer_.size(0) || kv.size(2) != buffer_.size(2)))
    throw ShapeError("key-value cache of " + std::to_string(buffer_.size(0)) + " rows was given " +
                     std::to_string(kv.size(0)) + "; reorder it first");
  const std::int64_t needed = length_ + kv.size(1);
  if (!buffer_.defined() || needed > buffer_.size(1)) {
    const std::int64_t capacity = std::max({kLeastCapacity, needed, 2 * length_});
    const torch::Tensor grown = torch::empty({kv.size(0), capacity, kv.size(2)}, kv.options());
    if (length_ > 0) copy_positions(buffer_.narrow(1, 0, length_), grown.narrow(1, 0, length_));
    buffer_ = grown;
  } else if (buffer_.use_count() > 1) {
    buffer_ = buffer_.clone();
  }
  copy_positions(kv, buffer_.narrow(1, length_, kv.size(1)));
  length_ = needed;
}

void KeyValueCache::reorder(const torch::Tensor& rows) {
  if (!buffer_.defined()) return;
  logit_rows_.reorder(rows);
  const std::int64_t count = rows.size(0), width = buffer_.size(2);
  const torch::Tensor next =
      torch::empty({count, std::max(kLeastCapacity, 2 * length_), width}, buffer_.options());
  copy_positions(buffer_.narrow(1, 0, length_), next.narrow(1, 0, length_), rows);
  buffer_ = next;
}

TraceEntry KeyValueCache::entry() const {
  const std::int64_t inner = buffer_.size(2) / 2;
  return {buffer_, 0, inner, inner, length_, {}};
}

}  // namespace kgwalk::seq2seq
