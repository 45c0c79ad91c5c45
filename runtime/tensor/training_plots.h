// The curves of a training run, drawn from its metrics.jsonl.
#pragma once

#include "runtime/run_folder.h"

namespace kgwalk {

// Writes plots/loss.svg, learning_rate.svg, gradient_norm.svg and one chart a family of development metrics
// (path@1, path@5, ... share dev_path.svg). Charts without data are not written.
void write_training_plots(const RunFolder& folder);

}  // namespace kgwalk
