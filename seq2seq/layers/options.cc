#include "seq2seq/layers/options.h"

#include <string>

namespace kgwalk::seq2seq {

void StackOptions::check(Problems& problems) const {
  if (heads > 0 && width % heads != 0)
    problems.add("heads", std::to_string(heads) + " do not divide the width " + std::to_string(width));
}

AttentionOptions StackOptions::attention(const HiAttentionOptions& hi_options) const {
  AttentionOptions options;
  options.width = width;
  options.heads = heads;
  options.dropout = attention_dropout;
  options.hi = hi_options;
  return options;
}

}  // namespace kgwalk::seq2seq
