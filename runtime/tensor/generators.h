// LibTorch's generators, of the processor and of a device in use that has one: dropout draws from them.
#pragma once

#include <filesystem>

#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"

namespace kgwalk {

[[nodiscard]] NamedTensors generator_states(torch::Device device);
void set_generators(const NamedTensors& states, torch::Device device);
// Takes the generators out of what a checkpoint at `path` holds for the optimizer; FormatError where it has
// none. A run may go on on another kind of device.
void restore_generators(NamedTensors& tensors, torch::Device device, const std::filesystem::path& path);

}  // namespace kgwalk
