// The device that networks compute on. Graph, features, text and whatever is saved stay on the processor; the
// weights of a model lie on one device, and what it is given is moved there where it enters the model.
#pragma once

#include <string_view>

#include "runtime/tensor/torch.h"

namespace kgwalk {

// "cpu", "cuda", "cuda:N", or "privateuseone" where an extension of LibTorch registers a device of that name;
// ConfigError when LibTorch has no such device here.
[[nodiscard]] torch::Device parse_device(std::string_view name);

// Where models compute that are opened or trained from now on; the processor unless set. Of the process, as
// the number of threads is, and to be set before models are opened.
void set_compute_device(torch::Device device);
[[nodiscard]] torch::Device compute_device();

// A module that computes with tensors that are no weights of a checkpoint, which have to move with it.
class KeepsTensors {
 public:
  virtual ~KeepsTensors() = default;
  virtual void move_kept(torch::Device device) = 0;
};

// Moves weights, buffers and kept tensors of a module and of those in it. Before an optimizer is made over
// them.
void move_to(torch::nn::Module& module, torch::Device device);
// Where its weights lie; the processor for a module without any.
[[nodiscard]] torch::Device device_of(const torch::nn::Module& module);

// x there; undefined stays undefined.
[[nodiscard]] inline torch::Tensor on(torch::Device device, const torch::Tensor& x) {
  return x.defined() ? x.to(device) : x;
}
// x for its values to be read: on the processor, contiguous, without a gradient.
[[nodiscard]] inline torch::Tensor on_processor(const torch::Tensor& x) {
  return x.detach().to(torch::kCPU).contiguous();
}

}  // namespace kgwalk
