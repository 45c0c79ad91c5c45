// Tensors and modules to and from safetensors. Loading is strict: names, shapes and dtypes must all agree,
// and one FormatError lists every difference.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runtime/safetensors.h"
#include "runtime/tensor/torch.h"

namespace kgwalk {

using NamedTensors = std::map<std::string, torch::Tensor>;

[[nodiscard]] NamedTensors read_tensors(const std::filesystem::path& path);
// The same without a copy, for what is copied on at once: views of the file, to be read only and while `file`
// lives.
[[nodiscard]] NamedTensors views_of(const SafetensorsFile& file);
void write_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                   const std::map<std::string, std::string>& metadata = {});

// Parameters and buffers by their registered names (shared ones under the first name only).
[[nodiscard]] NamedTensors state_of(const torch::nn::Module& module);
// Copies `tensors` into the module's parameters and buffers. `source` names the file in errors.
void load_state(torch::nn::Module& module, const NamedTensors& tensors, const std::string& source);

// XXH3 over names, shapes and bytes of all tensors, in name order.
[[nodiscard]] std::string checksum_of(const NamedTensors& tensors);

}  // namespace kgwalk
