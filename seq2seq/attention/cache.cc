#include "seq2seq/attention/cache.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "runtime/error.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::int64_t kLeastCapacity = 8;

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
    if (length_ > 0) grown.narrow(1, 0, length_).copy_(buffer_.narrow(1, 0, length_));
    buffer_ = grown;
  } else if (buffer_.use_count() > 1) {
    buffer_ = buffer_.clone();
  }
  buffer_.narrow(1, length_, kv.size(1)).copy_(kv);
  length_ = needed;
}

void KeyValueCache::reorder(const torch::Tensor& rows) {
  if (!buffer_.defined()) return;
  logit_rows_.reorder(rows);
  const std::int64_t count = rows.size(0), width = buffer_.size(2);
  const torch::Tensor next =
      torch::empty({count, std::max(kLeastCapacity, 2 * length_), width}, buffer_.options());
  if (!buffer_.device().is_cpu()) {
    next.narrow(1, 0, length_)
        .copy_(buffer_.narrow(1, 0, length_).index_select(0, rows.to(buffer_.device())));
  } else {
    const std::size_t item = buffer_.element_size();
    const auto* from = static_cast<const char*>(buffer_.data_ptr());
    auto* to = static_cast<char*>(next.data_ptr());
    const torch::Tensor index = rows.contiguous();
    const std::int64_t* source = index.data_ptr<std::int64_t>();
    for (std::int64_t r = 0; r < count; ++r)
      std::memcpy(to + static_cast<std::size_t>(r * next.stride(0)) * item,
                  from + static_cast<std::size_t>(source[r] * buffer_.stride(0)) * item,
                  static_cast<std::size_t>(length_ * width) * item);
  }
  buffer_ = next;
}

TraceEntry KeyValueCache::entry() const {
  const std::int64_t inner = buffer_.size(2) / 2;
  return {buffer_, 0, inner, inner, length_, {}};
}

}  // namespace kgwalk::seq2seq
