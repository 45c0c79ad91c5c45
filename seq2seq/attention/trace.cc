#include "seq2seq/attention/trace.h"

namespace kgwalk::seq2seq {
namespace {

torch::Tensor heads_of(const TraceEntry& entry, std::int64_t column, std::int64_t heads) {
  return entry.packed.narrow(1, 0, entry.length)
      .narrow(2, column, entry.inner_width)
      .unflatten(2, {heads, entry.inner_width / heads})
      .transpose(1, 2);  // [B, H, Tk, d]
}

}  // namespace

torch::Tensor TraceEntry::keys(std::int64_t heads) const { return heads_of(*this, key_column, heads); }
torch::Tensor TraceEntry::values(std::int64_t heads) const { return heads_of(*this, value_column, heads); }

}  // namespace kgwalk::seq2seq
