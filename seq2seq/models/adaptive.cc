#include "seq2seq/models/adaptive.h"

#include <cmath>
#include <string>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

void AdaptiveOptions::check(Problems& problems) const {
  for (std::size_t i = 0; i < cutoffs.size(); ++i)
    if (cutoffs[i] <= (i > 0 ? cutoffs[i - 1] : 0)) problems.add("cutoffs", "must be positive and ascending");
}

AdaptiveVocabularyImpl::AdaptiveVocabularyImpl(const AdaptiveOptions& options, std::int64_t vocabulary,
                                               std::int64_t width) {
  validate(options, "adaptive vocabulary");
  bounds_.push_back(0);
  for (const int cutoff : options.cutoffs) bounds_.push_back(cutoff);
  bounds_.push_back(vocabulary);
  if (bounds_[bounds_.size() - 2] >= vocabulary)
    throw ConfigError("adaptive vocabulary: the last cutoff, " + std::to_string(bounds_[bounds_.size() - 2]) +
                      ", must be below the number of words, " + std::to_string(vocabulary));
  std::int64_t narrow = width;
  for (std::size_t b = 0; b < bands(); ++b, narrow /= options.divide) {
    if (narrow < 1)
      throw ConfigError("adaptive vocabulary: band " + std::to_string(b) + " would have no width");
    tables.push_back(register_parameter("tables_" + std::to_string(b),
                                        torch::empty({bounds_[b + 1] - bounds_[b], narrow})));
    torch::nn::init::normal_(tables.back(), 0, 1 / std::sqrt(static_cast<double>(narrow)));
    if (b == 0) continue;
    maps.push_back(register_parameter("maps_" + std::to_string(b), torch::empty({width, narrow})));
    torch::nn::init::xavier_uniform_(maps.back());
  }
  if (bands() > 1) {
    clusters = register_parameter("clusters", torch::empty({static_cast<std::int64_t>(bands()) - 1, width}));
    torch::nn::init::normal_(clusters, 0, 1 / std::sqrt(static_cast<double>(width)));
  }
}

Tensor AdaptiveVocabularyImpl::embed(const Tensor& given) {
  const Tensor ids = on(tables[0].device(), given);
  if (bands() == 1) return torch::embedding(tables[0], ids);
  const Tensor flat = ids.reshape({-1});
  Tensor out = torch::zeros({flat.size(0), tables[0].size(1)}, tables[0].options());
  for (std::size_t b = 0; b < bands(); ++b) {
    const Tensor places = ((flat >= bounds_[b]) & (flat < bounds_[b + 1])).nonzero().squeeze(1);
    if (places.size(0) == 0) continue;
    const Tensor rows = torch::embedding(tables[b], flat.index_select(0, places) - bounds_[b]);
    out = out.index_copy(0, places, b == 0 ? rows : torch::linear(rows, maps[b - 1]));
  }
  std::vector<std::int64_t> shape = ids.sizes().vec();
  shape.push_back(out.size(1));
  return out.reshape(shape);
}

Tensor AdaptiveVocabularyImpl::head() const {
  return bands() == 1 ? tables[0] : torch::cat({tables[0], clusters}, 0);
}

AdaptiveVocabularyImpl::Split AdaptiveVocabularyImpl::split_bands(const Tensor& gold) const {
  Split split{gold.clone(), std::vector<Tensor>(bands())};
  for (std::size_t b = 1; b < bands(); ++b) {
    const Tensor mask = (gold >= bounds_[b]) & (gold < bounds_[b + 1]);
    split.places[b] = mask.nonzero().squeeze(1);
    split.in_head.masked_fill_(mask, bounds_[1] + static_cast<std::int64_t>(b) - 1);
  }
  return split;
}

ProjectionLoss AdaptiveVocabularyImpl::loss(const Tensor& states, const Tensor& given) {
  const Tensor gold = on(states.device(), given);
  if (bands() == 1) return projection_loss(states, tables[0], {}, gold, 0);
  const Split split = split_bands(gold);
  ProjectionLoss sum = projection_loss(states, head(), {}, split.in_head, 0);
  for (std::size_t b = 1; b < bands(); ++b) {
    const Tensor& places = split.places[b];
    if (places.size(0) == 0) continue;
    const Tensor narrow = torch::matmul(states.index_select(0, places), maps[b - 1]);  // [R_b, d_b]
    const ProjectionLoss tail =
        projection_loss(narrow, tables[b], {}, gold.index_select(0, places) - bounds_[b], 0);
    sum.loss = sum.loss + tail.loss;
    sum.nll += tail.nll;
  }
  return sum;
}

Tensor AdaptiveVocabularyImpl::gold_log_probs(const Tensor& states, const Tensor& given) {
  const Tensor gold = on(states.device(), given);
  if (bands() == 1) return seq2seq::gold_log_probs(states, tables[0], {}, gold);
  const Split split = split_bands(gold);
  Tensor sum = seq2seq::gold_log_probs(states, head(), {}, split.in_head);
  for (std::size_t b = 1; b < bands(); ++b) {
    const Tensor& places = split.places[b];
    if (places.size(0) == 0) continue;
    const Tensor narrow = torch::matmul(states.index_select(0, places), maps[b - 1]);  // [R_b, d_b]
    sum = sum.index_add(
        0, places, seq2seq::gold_log_probs(narrow, tables[b], {}, gold.index_select(0, places) - bounds_[b]));
  }
  return sum;
}

Tensor AdaptiveVocabularyImpl::log_probs(const Tensor& states) {
  const Tensor top = torch::log_softmax(torch::linear(states, head()), 1);  // [R, n_0 + bands - 1]
  if (bands() == 1) return top;
  std::vector<Tensor> parts{top.narrow(1, 0, bounds_[1])};
  for (std::size_t b = 1; b < bands(); ++b) {
    const Tensor tail = torch::log_softmax(torch::linear(torch::matmul(states, maps[b - 1]), tables[b]), 1);
    parts.push_back(tail + top.narrow(1, bounds_[1] + static_cast<std::int64_t>(b) - 1, 1));
  }
  return torch::cat(parts, 1);  // [R, V]
}

}  // namespace kgwalk::seq2seq
