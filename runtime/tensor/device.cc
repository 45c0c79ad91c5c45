#include "runtime/tensor/device.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/cuda.h>

#include <string>

#include "kgwalk/device.h"
#include "kgwalk/error.h"

namespace kgwalk {
namespace {

torch::Device chosen(torch::kCPU);  // of the process

bool is_registered(torch::DeviceType type) {
  return c10::impl::device_guard_impl_registry[static_cast<std::size_t>(type)].load() != nullptr;
}

bool is_known(torch::Device device) { return device.is_cpu() || device.is_cuda(); }

// What Module::to() does, which LibTorch 1.13 refuses for devices of extensions.
void move(const torch::Tensor& weight, torch::Device device) {
  if (!weight.defined() || weight.device() == device) return;
  const torch::NoGradGuard no_grad;
  const torch::Tensor moved = weight.detach().to(device);
  weight.unsafeGetTensorImpl()->shallow_copy_from(moved.getIntrusivePtr());
}

}  // namespace

torch::Device parse_device(std::string_view name) {
  const std::string text(name);
  if (text == "cpu") return torch::kCPU;
  if (text == "privateuseone" && is_registered(torch::DeviceType::PrivateUse1))
    return {torch::DeviceType::PrivateUse1, 0};
  const bool is_cuda = text == "cuda" || (text.starts_with("cuda:") && text.size() > 5 && text.size() < 9 &&
                                          text.find_first_not_of("0123456789", 5) == std::string::npos);
  if (!is_cuda) throw ConfigError("device '" + text + "': must be cpu, cuda or cuda:N");
  if (!torch::cuda::is_available())
    throw ConfigError("device '" + text + "': this LibTorch or this machine has no CUDA",
                      Remedy{Remedy::kComputeOn, "cpu"});
  const torch::Device device(text == "cuda" ? "cuda:0" : text);
  if (device.index() >= static_cast<int>(torch::cuda::device_count()))
    throw ConfigError("device '" + text + "': there are " + std::to_string(torch::cuda::device_count()) +
                          " devices, counted from 0",
                      Remedy{Remedy::kComputeOn, "cuda"});
  return device;
}

void set_device(std::string_view name) { set_compute_device(parse_device(name)); }

void set_compute_device(torch::Device device) { chosen = device; }

torch::Device compute_device() { return chosen; }

void move_to(torch::nn::Module& module, torch::Device device) {
  const torch::Device from = device_of(module);
  if (is_known(from) && is_known(device)) {
    module.to(device);
  } else {
    for (const torch::Tensor& weight : module.parameters()) move(weight, device);
    for (const torch::Tensor& buffer : module.buffers()) move(buffer, device);
  }
  if (auto* keeper = dynamic_cast<KeepsTensors*>(&module)) keeper->move_kept(device);
  for (const auto& part : module.modules(/*include_self=*/false))
    if (auto* keeper = dynamic_cast<KeepsTensors*>(part.get())) keeper->move_kept(device);
}

torch::Device device_of(const torch::nn::Module& module) {
  for (const torch::Tensor& weight : module.parameters()) return weight.device();
  for (const torch::Tensor& buffer : module.buffers()) return buffer.device();
  return torch::kCPU;
}

}  // namespace kgwalk
