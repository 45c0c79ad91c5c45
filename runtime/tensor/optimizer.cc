#include "runtime/tensor/optimizer.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/tensor/adam_kernel.h"

namespace kgwalk {
namespace {

// Parameters begin at multiples of 64 bytes; the gaps stay zero through every update.
constexpr std::int64_t kAlign = 16;

std::int64_t padded(std::int64_t n) { return (n + kAlign - 1) / kAlign * kAlign; }

std::span<float> floats(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

// Parameters to train, each once, all of one type on one device.
std::vector<torch::Tensor> trainable(std::vector<torch::Tensor> parameters) {
  std::vector<torch::Tensor> kept;
  std::set<const void*> seen;
  for (torch::Tensor& p : parameters) {
    if (!p.defined() || !p.requires_grad() || !seen.insert(p.unsafeGetTensorImpl()).second) continue;
    if (p.scalar_type() != torch::kFloat32 && p.scalar_type() != torch::kFloat64)
      throw ConfigError("the optimizer takes float32 and float64 parameters only");
    if (!kept.empty() && p.scalar_type() != kept.front().scalar_type())
      throw ConfigError("the optimizer takes parameters of one type only");
    if (!kept.empty() && p.device() != kept.front().device())
      throw ConfigError("the optimizer takes parameters of one device only");
    kept.push_back(std::move(p));
  }
  if (kept.empty()) throw ConfigError("the optimizer got no parameter that requires a gradient");
  return kept;
}

}  // namespace

FlatAdam::FlatAdam(std::vector<torch::Tensor> parameters, AdamConfig config)
    : config_(config), trained_(trainable(std::move(parameters))) {
  const torch::NoGradGuard no_grad;
  std::int64_t total = 0;
  for (const torch::Tensor& p : trained_) total += padded(p.numel());
  const auto options = trained_.front().options().requires_grad(false);
  parameters_ = torch::zeros({total}, options);
  gradients_ = torch::zeros({total}, options);
  m_ = torch::zeros({total}, options);
  v_ = torch::zeros({total}, options);
  std::int64_t offset = 0;
  for (torch::Tensor& p : trained_) {
    const torch::Tensor view = parameters_.narrow(0, offset, p.numel()).view(p.sizes());
    view.copy_(p);
    p.set_data(view);
    p.mutable_grad() = gradients_.narrow(0, offset, p.numel()).view(p.sizes());
    offset += padded(p.numel());
  }
}

void FlatAdam::zero_grad() { gradients_.zero_(); }

void FlatAdam::scale_grad(double factor) { gradients_.mul_(factor); }

void FlatAdam::check_views() const {
  std::int64_t offset = 0;
  for (const torch::Tensor& p : trained_) {
    const auto at = [offset](const torch::Tensor& buffer) {
      return static_cast<const char*>(buffer.data_ptr()) + offset * buffer.itemsize();
    };
    const bool ours =
        p.grad().defined() && p.grad().data_ptr() == at(gradients_) && p.data_ptr() == at(parameters_);
    if (!ours)
      throw ConfigError(
          "a parameter or its gradient has left the optimizer's buffer; use FlatAdam::zero_grad() and "
          "move the module to its device before making the optimizer");
    offset += padded(p.numel());
  }
}

double FlatAdam::step(double lr_scale) {
  const torch::NoGradGuard no_grad;
  check_views();
  const bool on_host = gradients_.is_cpu() && gradients_.scalar_type() == torch::kFloat32;
  const double squares = on_host ? sum_of_squares(floats(gradients_))
                                 : gradients_.to(torch::kFloat64).square().sum().item<double>();
  const double norm = std::sqrt(squares);
  if (!std::isfinite(norm)) throw NumericError("the gradient norm is not finite");
  ++steps_;
  const double lr = config_.lr * lr_scale;
  const auto t = static_cast<double>(steps_);
  AdamUpdate update;
  if (config_.clip_norm > 0)
    update.gradient_scale = static_cast<float>(std::min(1.0, config_.clip_norm / (norm + 1e-6)));
  update.l2 = static_cast<float>(config_.l2);
  update.keep = static_cast<float>(1 - lr * config_.weight_decay);
  update.beta1 = static_cast<float>(config_.beta1);
  update.beta2 = static_cast<float>(config_.beta2);
  update.step_size = static_cast<float>(lr / (1 - std::pow(config_.beta1, t)));
  update.root_correction = static_cast<float>(1 / std::sqrt(1 - std::pow(config_.beta2, t)));
  update.eps = static_cast<float>(config_.eps);
  if (on_host)
    adam_update(update, floats(parameters_), floats(gradients_), floats(m_), floats(v_));
  else
    step_by_torch(update);
  return norm;
}

void FlatAdam::step_by_torch(const AdamUpdate& update) {
  torch::Tensor gradient = gradients_ * update.gradient_scale;  // [P]
  if (update.l2 != 0) gradient.add_(parameters_, update.l2);
  m_.mul_(update.beta1).add_(gradient, 1 - update.beta1);
  v_.mul_(update.beta2).addcmul_(gradient, gradient, 1 - update.beta2);
  const torch::Tensor denominator = v_.sqrt().mul_(update.root_correction).add_(update.eps);
  parameters_.mul_(update.keep).addcdiv_(m_, denominator, -update.step_size);
}

std::int64_t FlatAdam::num_parameters() const {
  std::int64_t n = 0;
  for (const torch::Tensor& p : trained_) n += p.numel();
  return n;
}

NamedTensors FlatAdam::state() const {
  return {{"m", m_}, {"v", v_}, {"step", torch::tensor({steps_}, torch::kInt64)}};
}

void FlatAdam::set_state(const NamedTensors& state, const std::string& source) {
  const NamedTensors own = this->state();
  for (const auto& [name, tensor] : own) {
    const auto it = state.find(name);
    if (it == state.end() || it->second.sizes() != tensor.sizes() ||
        it->second.scalar_type() != tensor.scalar_type())
      throw FormatError(source + ": the optimizer's '" + name + "' is missing or does not fit the model");
  }
  if (state.size() != own.size()) throw FormatError(source + ": holds more than the state of the optimizer");
  m_.copy_(state.at("m"));
  v_.copy_(state.at("v"));
  steps_ = state.at("step").item<std::int64_t>();
}

}  // namespace kgwalk
