// Affine maps of a model in 8-bit integers, for decoding.
#pragma once

#include <cstdint>

#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

// From now on every Linear of `model` that has a packed form (kernels/linear.h: evaluation without gradients,
// float32 on the CPU, few rows) multiplies with its weights rounded to 8 bits a value, and its inputs rounded
// likewise row by row (kernels/int8_matrix.h). Weights stay as they are; embeddings and attention too.
// Returns how many maps there are. Not beside other calls of the model; train() does not undo it, for it is
// meant for models that are done. Loading or changing weights afterwards needs another call.
std::int64_t quantize_linears(torch::nn::Module& model);

}  // namespace kgwalk::seq2seq
