// Adaptive input and adaptive softmax with shared weights (Grave et al., ICML 2017; Baevski and Auli, ICLR
// 2019): words are sorted by frequency and cut into bands; band b has embeddings of width D / divide^b and a
// map to width D. The output uses the same tables and maps: a head over band 0 and one cluster a further
// band, then the words of a cluster. Without cutoffs it is one table for input and output.
//
// Shapes: D width, V words, R rows.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/projection_loss.h"

namespace kgwalk::seq2seq {

struct AdaptiveOptions {
  std::vector<int> cutoffs;  // first word of each further band, ascending
  int divide = 4;
  template <class F>
  void fields(F& f) {
    f("cutoffs", cutoffs, "First word of each further band of the vocabulary; an empty list means one band.");
    f("divide", divide, "Each further band of the vocabulary is this many times narrower.").range(1, 64);
  }
  void check(Problems& problems) const;  // positive and ascending
};

// Ids may lie on the processor and are moved to the weights.
class AdaptiveVocabularyImpl : public torch::nn::Module {
 public:
  // ConfigError when a cutoff is not below the vocabulary or a band would have no width.
  AdaptiveVocabularyImpl(const AdaptiveOptions& options, std::int64_t vocabulary, std::int64_t width);

  torch::Tensor embed(const torch::Tensor& ids);  // int64 [...] -> [..., D]
  // Sum over rows of -log p(gold): states [R, D], gold int64 [R].
  ProjectionLoss loss(const torch::Tensor& states, const torch::Tensor& gold);
  torch::Tensor gold_log_probs(const torch::Tensor& states, const torch::Tensor& gold);  // log p(gold), [R]
  torch::Tensor log_probs(const torch::Tensor& states);                                  // [R, D] -> [R, V]

  [[nodiscard]] std::int64_t vocabulary() const noexcept { return bounds_.back(); }

  // Registered: tables_b [words of band b, D / divide^b], maps_b [D, D / divide^b] for b > 0, clusters
  // [bands - 1, D].
  std::vector<torch::Tensor> tables, maps;
  torch::Tensor clusters;

 private:
  [[nodiscard]] std::size_t bands() const { return bounds_.size() - 1; }
  // The gold outputs of the head, int64 [R], and per band the rows whose gold word is in it (none
  // for band 0).
  struct Split {
    torch::Tensor in_head;
    std::vector<torch::Tensor> places;
  };
  [[nodiscard]] Split split_bands(const torch::Tensor& gold) const;
  [[nodiscard]] torch::Tensor head() const;  // [words of band 0 + bands - 1, D]

  std::vector<std::int64_t> bounds_;  // band b holds words [bounds_[b], bounds_[b + 1])
};
TORCH_MODULE(AdaptiveVocabulary);

}  // namespace kgwalk::seq2seq
