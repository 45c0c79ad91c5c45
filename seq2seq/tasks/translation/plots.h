// Pictures of what a translator's attention heads look at.
#pragma once

#include <string>
#include <vector>

#include "seq2seq/attention/attention_plots.h"
#include "seq2seq/tasks/translation/translator.h"

namespace kgwalk::seq2seq {

// One heat map an attention layer, heads side by side, for a source and its target in teacher forcing; rows
// and columns are pieces. Both are cut at the model's limit. ConfigError when one of them is empty. Not
// beside translate() calls of the same translator.
[[nodiscard]] std::vector<NamedPlot> translation_plots(const Translator& translator,
                                                       const std::string& source, const std::string& target);

}  // namespace kgwalk::seq2seq
