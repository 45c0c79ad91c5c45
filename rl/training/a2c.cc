#include "rl/training/a2c.h"

#include "runtime/tensor/device.h"

namespace kgwalk::rl {

using torch::Tensor;

Tensor n_step_returns(const Tensor& rewards, const Tensor& ended, const Tensor& last, double discount) {
  Tensor returns = torch::empty_like(rewards);
  Tensor next = last;
  for (std::int64_t t = rewards.size(0) - 1; t >= 0; --t) {
    next = rewards[t] + discount * (1 - ended[t]) * next;
    returns[t].copy_(next);
  }
  return returns;
}

A2cLoss a2c_loss(const Tensor& log_probs, const Tensor& entropies, const Tensor& values,
                 const Tensor& returns, const A2cConfig& config) {
  const Tensor error = returns - values;  // [T, B]
  Tensor advantage = error.detach();
  if (config.normalize && advantage.numel() > 1)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6);
  const Tensor policy = -(advantage * log_probs).mean();
  const Tensor value = error.square().mean();
  const Tensor entropy = entropies.mean();
  A2cLoss loss;
  loss.total = policy + config.value * value - config.entropy * entropy;
  loss.policy = policy.item<double>();
  loss.value = value.item<double>();
  loss.entropy = entropy.item<double>();
  const double spread = returns.var(false).item<double>();
  loss.explained_variance = spread > 0 ? 1 - error.detach().var(false).item<double>() / spread : 0;
  return loss;
}

StepResult A2cTask::step(std::int64_t /*batch*/) {
  std::vector<Tensor> log_probs, entropies, values, rewards, ended;
  for (int t = 0; t < config_.steps; ++t) {
    Step step = actor_.act();
    log_probs.push_back(std::move(step.log_probs));
    entropies.push_back(std::move(step.entropies));
    values.push_back(std::move(step.values));
    rewards.push_back(std::move(step.rewards));
    ended.push_back(std::move(step.ended));
  }
  Tensor last;
  {
    const torch::NoGradGuard no_grad;
    last = on_processor(actor_.values());
  }
  const Tensor all_rewards = torch::stack(rewards);  // [T, B]
  const Tensor returns = n_step_returns(all_rewards, torch::stack(ended), last, config_.discount);
  const Tensor all_values = torch::stack(values);  // [T, B]
  const A2cLoss loss = a2c_loss(torch::stack(log_probs), torch::stack(entropies), all_values,
                                on(all_values.device(), returns), config_);
  StepResult result{loss.total, static_cast<double>(returns.numel()), actor_.episode_metrics()};
  if (const Tensor further = actor_.further_loss(); further.defined()) {
    result.loss = result.loss + further;
    result.metrics["further_loss"] = further.item<double>();
  }
  result.metrics["policy_loss"] = loss.policy;
  result.metrics["value_loss"] = loss.value;
  result.metrics["entropy"] = loss.entropy;
  result.metrics["explained_variance"] = loss.explained_variance;
  result.metrics["reward"] = all_rewards.mean().item<double>();
  return result;
}

}  // namespace kgwalk::rl
