#include "rl/simulator/piece_sampler.h"

#include <algorithm>
#include <cmath>

#include "kgwalk/error.h"

namespace kgwalk::rl {

PieceSampler::PieceSampler(const SpeechConfig& config, std::vector<bool> never)
    : config_(config), never_(std::move(never)) {
  if (std::find(never_.begin(), never_.end(), false) == never_.end())
    throw ConfigError("the vocabulary of the simulator has no piece that can be said");
}

// The top_k likeliest pieces (all when 0; one at temperature 0), best first.
std::vector<PieceSampler::Piece> PieceSampler::likeliest(std::span<const float> logits,
                                                         int also_never) const {
  const auto better = [](const Piece& a, const Piece& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
  };
  const std::size_t kept = config_.temperature == 0 ? 1
                           : config_.top_k > 0      ? static_cast<std::size_t>(config_.top_k)
                                                    : logits.size();
  std::vector<Piece> heap;  // the worst of those kept in front
  heap.reserve(std::min(kept, logits.size()) + 1);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (heap.size() == kept && logits[i] <= heap.front().logit) continue;
    if (never_[i] || static_cast<int>(i) == also_never) continue;
    heap.push_back({logits[i], static_cast<int>(i)});
    std::push_heap(heap.begin(), heap.end(), better);
    if (heap.size() <= kept) continue;
    std::pop_heap(heap.begin(), heap.end(), better);
    heap.pop_back();
  }
  std::sort_heap(heap.begin(), heap.end(), better);
  return heap;
}

int PieceSampler::draw(std::span<const float> logits, int also_never, Random& random) const {
  const std::vector<Piece> pieces = likeliest(logits, also_never);
  if (config_.temperature == 0 || pieces.size() == 1) return pieces.front().id;
  std::vector<double> weights;
  double total = 0;
  for (const Piece& piece : pieces) {
    weights.push_back(
        std::exp((static_cast<double>(piece.logit) - pieces.front().logit) / config_.temperature));
    total += weights.back();
  }
  std::size_t kept = 0;
  double mass = 0;
  while (kept < weights.size() && mass < config_.top_p * total) mass += weights[kept++];
  double left = random.uniform() * mass;
  for (std::size_t i = 0; i + 1 < kept; ++i) {
    left -= weights[i];
    if (left < 0) return pieces[i].id;
  }
  return pieces[kept - 1].id;
}

}  // namespace kgwalk::rl
