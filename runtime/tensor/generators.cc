#include "runtime/tensor/generators.h"

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

at::Generator generator_of(torch::Device device) { return at::globalContext().defaultGenerator(device); }

}  // namespace

NamedTensors generator_states(torch::Device device) {
  NamedTensors states;
  states.emplace("generator.cpu", generator_of(torch::kCPU).get_state().clone());
  if (device.is_cuda()) states.emplace("generator.device", generator_of(device).get_state().clone());
  return states;
}

void set_generators(const NamedTensors& states, torch::Device device) {
  generator_of(torch::kCPU).set_state(states.at("generator.cpu"));
  if (states.contains("generator.device") && device.is_cuda())
    generator_of(device).set_state(states.at("generator.device"));
}

void restore_generators(NamedTensors& tensors, torch::Device device, const std::filesystem::path& path) {
  if (!tensors.contains("generator.cpu"))
    throw FormatError(path.string() + ": holds no generator state, so that it cannot be resumed");
  set_generators(tensors, device);
  tensors.erase("generator.cpu");
  tensors.erase("generator.device");
}

}  // namespace kgwalk
