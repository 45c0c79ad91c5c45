#include "walker/training/start_fit.h"

#include <algorithm>

#include "walker/network/ragged.h"

namespace kgwalk::walker {

using torch::Tensor;

namespace {

constexpr double kPenalty = 0.2;  // of the weights' squares: rare features have few examples

}  // namespace

void fit_starts(const NeuralWalker& model, std::span<const Example> examples) {
  const torch::NoGradGuard no_grad;
  std::vector<float> features, right;
  std::vector<std::int64_t> offsets{0};
  for (const Example& example : examples) {
    const std::vector<StartCandidate> candidates = model.start_candidates(example);
    const auto is_start = [&](const StartCandidate& c) { return c.entity == example.start; };
    if (candidates.size() < 2 || std::none_of(candidates.begin(), candidates.end(), is_start)) continue;
    for (const StartCandidate& candidate : candidates) {
      features.insert(features.end(), candidate.features.begin(), candidate.features.end());
      right.push_back(is_start(candidate) ? 1.0F : 0.0F);
    }
    offsets.push_back(static_cast<std::int64_t>(right.size()));
  }
  if (right.empty()) return;
  const Tensor x = torch::tensor(features).view({-1, kNumStartFeatures}).to(torch::kFloat64);  // [M, F]
  const Tensor y = torch::tensor(right).to(torch::kFloat64);                                   // [M]
  const Tensor where = torch::tensor(at::ArrayRef<std::int64_t>(offsets), torch::kInt64);
  const Tensor segment = segments_of(where);
  Tensor w = torch::zeros({kNumStartFeatures}, torch::kFloat64);
  const Tensor penalty = kPenalty * torch::eye(kNumStartFeatures, torch::kFloat64);
  for (int step = 0; step < 20; ++step) {  // Newton
    const Tensor p = ragged_log_softmax(torch::matmul(x, w), where).exp();
    const Tensor means = torch::zeros({where.size(0) - 1, kNumStartFeatures}, torch::kFloat64)
                             .index_add(0, segment, x * p.unsqueeze(1));
    const Tensor apart = x - means.index_select(0, segment);
    const Tensor hessian = torch::matmul((apart * p.unsqueeze(1)).t(), apart) + penalty;
    w = w - torch::linalg_solve(hessian, torch::matmul(x.t(), p - y) + kPenalty * w);
  }
  model.net().starts.copy_(w);
}

}  // namespace kgwalk::walker
