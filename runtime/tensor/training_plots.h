// The curves of a training run, drawn from its metrics.jsonl.
#pragma once

#include "runtime/run_folder.h"

namespace kgwalk {

// Writes plots/loss.svg, learning_rate.svg, gradient_norm.svg and one chart a family of the other numbers of
// training and development rows (path@1, path@5, ... of development share dev_path.svg; a task's own numbers
// of training, such as entropy, have train_entropy.svg). Charts without data are not written.
void write_training_plots(const RunFolder& folder);

}  // namespace kgwalk
