#include "runtime/tensor/tensor_io.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/checksum.h"

namespace kgwalk {
namespace {

constexpr std::array<std::pair<DType, torch::ScalarType>, 10> kTypes{{{DType::kF32, torch::kFloat32},
                                                                      {DType::kF64, torch::kFloat64},
                                                                      {DType::kF16, torch::kFloat16},
                                                                      {DType::kBF16, torch::kBFloat16},
                                                                      {DType::kI64, torch::kInt64},
                                                                      {DType::kI32, torch::kInt32},
                                                                      {DType::kI16, torch::kInt16},
                                                                      {DType::kI8, torch::kInt8},
                                                                      {DType::kU8, torch::kUInt8},
                                                                      {DType::kBool, torch::kBool}}};

torch::ScalarType torch_type(DType dtype) {
  return std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& t) { return t.first == dtype; })->second;
}

DType dtype_of(const std::string& name, const torch::Tensor& tensor) {
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(),
                                   [&](const auto& t) { return t.second == tensor.scalar_type(); });
  if (found == kTypes.end())
    throw FormatError("tensor '" + name + "': type " + std::string(torch::toString(tensor.scalar_type())) +
                      " cannot be stored");
  return found->first;
}

std::string shape_text(const torch::Tensor& tensor) {
  std::string text = "[";
  for (const std::int64_t n : tensor.sizes()) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  return text + "]";
}

std::string_view bytes_of(const torch::Tensor& tensor) {
  return {static_cast<const char*>(tensor.data_ptr()), static_cast<std::size_t>(tensor.nbytes())};
}

torch::Tensor on_host(const torch::Tensor& tensor) { return tensor.detach().to(torch::kCPU).contiguous(); }

std::string difference(const std::string& name, const torch::Tensor& want, const torch::Tensor& have) {
  if (want.sizes() != have.sizes())
    return "'" + name + "' has shape " + shape_text(have) + " instead of " + shape_text(want);
  if (want.scalar_type() != have.scalar_type())
    return "'" + name + "' has type " + std::string(torch::toString(have.scalar_type())) + " instead of " +
           std::string(torch::toString(want.scalar_type()));
  return "";
}

torch::Tensor copy_of(const TensorView& view) {
  torch::Tensor tensor = torch::empty(view.shape, torch_type(view.dtype));
  if (!view.bytes.empty()) std::memcpy(tensor.data_ptr(), view.bytes.data(), view.bytes.size());
  return tensor;
}

std::vector<std::string> differences(const NamedTensors& want, const NamedTensors& have) {
  std::vector<std::string> list;
  for (const auto& [name, tensor] : want) {
    const auto it = have.find(name);
    std::string text = it == have.end() ? "'" + name + "' is missing" : difference(name, tensor, it->second);
    if (!text.empty()) list.push_back(std::move(text));
  }
  for (const auto& [name, tensor] : have)
    if (!want.contains(name)) list.push_back("'" + name + "' is unknown to the model");
  return list;
}

}  // namespace

NamedTensors read_tensors(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  NamedTensors tensors;
  for (const std::string& name : file.names()) tensors.emplace(name, copy_of(file.find(name).value()));
  return tensors;
}

NamedTensors views_of(const SafetensorsFile& file) {
  NamedTensors tensors;
  for (const std::string& name : file.names()) {
    const TensorView view = file.find(name).value();
    const auto address = reinterpret_cast<std::uintptr_t>(view.bytes.data());
    const bool fits = !view.bytes.empty() && address % size_of(view.dtype) == 0;  // others align nothing
    tensors.emplace(name, fits ? torch::from_blob(const_cast<char*>(view.bytes.data()), view.shape,
                                                  torch_type(view.dtype))
                               : copy_of(view));
  }
  return tensors;
}

void write_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                   const std::map<std::string, std::string>& metadata) {
  std::vector<torch::Tensor> keep_alive;
  std::map<std::string, TensorView> views;
  for (const auto& [name, tensor] : tensors) {
    keep_alive.push_back(on_host(tensor));
    const torch::Tensor& host = keep_alive.back();
    views[name] = {dtype_of(name, host), host.sizes().vec(), bytes_of(host)};
  }
  write_safetensors(path, views, metadata);
}

NamedTensors state_of(const torch::nn::Module& module) {
  NamedTensors tensors;
  std::set<const void*> seen;
  const auto add = [&](const auto& items) {
    for (const auto& item : items)
      if (item.value().defined() && seen.insert(item.value().unsafeGetTensorImpl()).second)
        tensors.emplace(item.key(), item.value().detach());
  };
  add(module.named_parameters());
  add(module.named_buffers());
  return tensors;
}

void load_state(torch::nn::Module& module, const NamedTensors& tensors, const std::string& source) {
  const NamedTensors own = state_of(module);
  const std::vector<std::string> wrong = differences(own, tensors);
  if (!wrong.empty()) {
    std::string text = source + ": does not fit the model: ";
    constexpr std::size_t kShown = 20;
    for (std::size_t i = 0; i < std::min(wrong.size(), kShown); ++i) text += (i > 0 ? "; " : "") + wrong[i];
    if (wrong.size() > kShown) text += "; and " + std::to_string(wrong.size() - kShown) + " more";
    throw FormatError(text);
  }
  const torch::NoGradGuard no_grad;
  for (const auto& [name, tensor] : own) torch::Tensor(tensor).copy_(tensors.at(name));
}

std::string checksum_of(const NamedTensors& tensors) {
  Checksum checksum;
  for (const auto& [name, tensor] : tensors) {
    const torch::Tensor host = on_host(tensor);
    checksum.add(name + ":" + std::string(name_of(dtype_of(name, host))) + shape_text(host));
    checksum.add(bytes_of(host));
  }
  return checksum.hex();
}

}  // namespace kgwalk
