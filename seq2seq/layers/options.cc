#include "seq2seq/layers/options.h"

#include <string>

namespace kgwalk::seq2seq {

void StackOptions::check(Problems& problems) const {
  if (head_width == 0 && heads > 0 && width % heads != 0)
    problems.add("heads", std::to_string(heads) + " do not divide the width " + std::to_string(width));
  if (hi.skip_top) problems.add("hi.skip_top", "is for the attention to an encoder; set hi_memory.skip_top");
  if (group_layers > 0 && layers == 0) problems.add("group_layers", "has no layers to group; set it to 0");
  if (conformer.active() && norm == NormPlacement::kEnd)
    problems.add("conformer", "has no place for its norms with norm 'end'; use 'pre' or 'post'");
  if (conformer.kernel % 2 == 0 && conformer.kernel > 0 && !conformer.causal)
    problems.add("conformer.kernel", "must be odd, with as many positions on both sides");
}

AttentionOptions StackOptions::attention() const {
  AttentionOptions options;
  options.width = width;
  options.heads = heads;
  options.head_width = head_width;
  options.dropout = attention_dropout;
  options.bias = attention_bias;
  return options;
}

StackOptions StackOptions::with_pillars(int groups) const {
  StackOptions options = *this;
  options.head_width = attention().d();
  options.heads = groups;
  return options;
}

AttentionOptions StackOptions::self_attention() const {
  AttentionOptions options = attention();
  options.hi = hi;
  options.tasa = tasa;
  options.relative_positions = relative_positions;
  return options;
}

AttentionOptions StackOptions::memory_attention(bool reached) const {
  AttentionOptions options = attention();
  if (reached) options.hi = hi_memory;
  return options;
}

}  // namespace kgwalk::seq2seq
