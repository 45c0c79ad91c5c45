#include "walker/network/feature_scores.h"

#include <ATen/Parallel.h>

#include <algorithm>

namespace kgwalk::walker {
namespace {

using torch::Tensor;

// Rows; a multiple of what kernels take at once (9 of a packed matrix), so that no bit depends on the cut.
constexpr std::int64_t kBlock = 576;

// Runs of [0, count) of at least kBlock candidates, but for the only one.
struct Blocks {
  std::int64_t count;
  [[nodiscard]] std::int64_t size() const { return std::max<std::int64_t>(1, count / kBlock); }
  [[nodiscard]] std::int64_t begin(std::int64_t b) const { return b * kBlock; }
  [[nodiscard]] std::int64_t end(std::int64_t b) const { return b + 1 < size() ? begin(b + 1) : count; }
};

class BlockScorer {
 public:
  BlockScorer(const CandidateTensors& candidates, const FeatureTerms& terms, float* scores)
      : c_(candidates),
        t_(terms),
        scores_(scores),
        features_(terms.weight.size(0)),
        hidden_(terms.out.size(0)),
        relations_(candidates.relations.data_ptr<std::int64_t>()),
        offsets_(candidates.offsets.data_ptr<std::int64_t>()),
        f_(torch::empty({2 * kBlock, features_})),
        own_(torch::empty({2 * kBlock, features_})),
        between_(torch::empty({2 * kBlock, hidden_})) {}

  void score(std::int64_t begin, std::int64_t end) {
    const std::int64_t rows = end - begin;
    standardize(begin, rows);
    const Tensor f = f_.slice(0, 0, rows), between = between_.slice(0, 0, rows);
    const Tensor common = torch::mv(f, t_.weight), own = own_.slice(0, 0, rows).sum(1);
    t_.in.multiply({f.data_ptr<float>(), features_, between.data_ptr<float>(), hidden_, rows});
    bend(begin, rows);
    const Tensor bent = torch::mv(between, t_.out);
    const float *x = common.data_ptr<float>(), *y = own.data_ptr<float>(), *z = bent.data_ptr<float>();
    for (std::int64_t k = 0; k < rows; ++k) scores_[begin + k] = (x[k] + y[k]) + z[k];
  }

 private:
  void standardize(std::int64_t begin, std::int64_t rows) {
    const float *x = c_.features.data_ptr<float>() + begin * features_, *mean = t_.mean.data_ptr<float>(),
                *deviation = t_.deviation.data_ptr<float>(), *table = t_.own.data_ptr<float>();
    float *f = f_.data_ptr<float>(), *own = own_.data_ptr<float>();
    for (std::int64_t k = 0; k < rows; ++k, x += features_, f += features_, own += features_) {
      const float* weights = table + relations_[begin + k] * features_;
#pragma omp simd
      for (std::int64_t i = 0; i < features_; ++i) {
        f[i] = (x[i] - mean[i]) / deviation[i];
        own[i] = weights[i] * f[i];
      }
    }
  }

  void bend(std::int64_t begin, std::int64_t rows) {
    const float *relations = t_.relations.data_ptr<float>(), *states = t_.states.data_ptr<float>();
    float* h = between_.data_ptr<float>();
    const std::int64_t* next = std::upper_bound(offsets_, offsets_ + c_.offsets.size(0), begin);
    for (std::int64_t k = begin; k < begin + rows; ++k, h += hidden_) {
      while (k >= *next) ++next;
      const float *relation = relations + relations_[k] * hidden_,
                  *state = states + (next - offsets_ - 1) * hidden_;
#pragma omp simd
      for (std::int64_t i = 0; i < hidden_; ++i) h[i] = std::max((h[i] + relation[i]) + state[i], 0.0F);
    }
  }

  const CandidateTensors& c_;
  const FeatureTerms& t_;
  float* scores_;
  const std::int64_t features_, hidden_;
  const std::int64_t *relations_, *offsets_;
  Tensor f_, own_;  // [2 kBlock, F]
  Tensor between_;  // [2 kBlock, hidden]
};

}  // namespace

Tensor scores_of_features(const CandidateTensors& candidates, const FeatureTerms& terms) {
  const Blocks blocks{candidates.features.size(0)};
  Tensor scores = torch::empty({blocks.count});  // [K]
  at::parallel_for(0, blocks.size(), 1, [&](std::int64_t first, std::int64_t last) {
    const torch::NoGradGuard no_grad;
    BlockScorer scorer(candidates, terms, scores.data_ptr<float>());
    for (std::int64_t b = first; b < last; ++b) scorer.score(blocks.begin(b), blocks.end(b));
  });
  return scores;
}

}  // namespace kgwalk::walker
