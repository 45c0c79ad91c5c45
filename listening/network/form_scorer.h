// The scorer of candidate forms: how well the words of an utterance fit the relations and types of a form,
// its named features, and what kind of asking the utterance is.
//
// With the states h_t of the words, a vector e of a relation and the code k of a slot (its role and
// direction):
//   s_t = a_k cos(h_t, e) + (P h_t) . (Q_k e + b_k)
//   best       the largest s_t over the words that no mention of the form covers
//   whole      the same with the mean of these words
//   explained  of each free content word the largest s_t over slots and type, weighted by sigmoid(u . h_t)
//   z = w . x + v . gelu(W x + S m + c)     x: features, then these numbers; m: the mean of the h_t
// Candidates that ask the same way share one softmax of z; which way is asked has one of its own over the
// mean state, the cues, the numbers of its best candidate and, weighted by way, how far the z of that lies
// below the best of all, among the ways that the utterance has candidates of. So the probabilities of an
// utterance sum to one.
//
// Shapes: B utterances, T words, E width of states, d rank, C candidates, F features, Q cues, R relations, Y
// types; N, M as in form_batch.h. Row 0 of relations and types is none.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "listening/network/form_batch.h"
#include "listening/network/hashed_words.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"

namespace kgwalk::listening {

struct FormScorerOptions {
  std::int64_t width = 96;            // E; of `own` where that is given
  std::vector<std::string> features;  // names, [F]
  std::int64_t num_cues = 0;          // Q
  std::int64_t rank = 48;             // d
  std::int64_t hidden = 192;
  double dropout = 0.1;
  std::optional<OwnWordsConfig> own = {};  // states come from `words`, which is trained too
  std::int64_t encoded_width = 0;          // of the text encoder that `words` reads; 0: none
  std::vector<std::string> without = {};   // beginnings of names that are not read
};

// What words are compared with: of all relations and types, or of those of a batch.
struct FormKeys {
  torch::Tensor relation_units;  // [R, E] of length one
  torch::Tensor relation_keys;   // [R kNumCodes, d]
  torch::Tensor type_units;      // [Y, E]
  torch::Tensor type_keys;       // [Y, d]
};

// Numbers of a candidate beside its features.
inline constexpr std::int64_t kNumMatches = 5 * kMaxSlots + (kMaxSlots - 1) + 6;
// Ways of asking: Asked, and a set that is counted.
inline constexpr std::int64_t kNumWays = kNumAsked + 1;
// Their names in this order. Part of the format of weights that a training begins with.
[[nodiscard]] std::span<const std::string_view> way_names();

class FormScorerImpl : public torch::nn::Module {
 public:
  explicit FormScorerImpl(FormScorerOptions options);

  // relations [R, E], types [Y, E].
  [[nodiscard]] FormKeys keys(const torch::Tensor& relations, const torch::Tensor& types);

  // states [B, T, E], zero at padding. Result: log-probabilities [C, 2] of each candidate as it is and as a
  // set that is counted; -1e4 for what is not counted.
  torch::Tensor forward(const torch::Tensor& states, const FormBatch& batch, const FormKeys& keys);

  [[nodiscard]] const FormScorerOptions& options() const noexcept { return options_; }

  HashedWords words{nullptr};  // absent where the states come from elsewhere

 private:
  struct Sims;
  [[nodiscard]] Sims compare(const torch::Tensor& states, const FormBatch& batch, const FormKeys& keys);
  [[nodiscard]] torch::Tensor matches(const torch::Tensor& states, const FormBatch& batch, const Sims& sims);
  [[nodiscard]] std::vector<torch::Tensor> explained(const torch::Tensor& states, const FormBatch& batch,
                                                     const Sims& sims, const torch::Tensor& free);
  // x [C, F + kNumMatches]: the numbers of each candidate.
  [[nodiscard]] torch::Tensor normalized(const torch::Tensor& scores, const torch::Tensor& ways,
                                         const torch::Tensor& x, const FormBatch& batch);

  FormScorerOptions options_;
  seq2seq::Linear query_{nullptr}, type_query_{nullptr};  // P [d, E]
  torch::Tensor keys_, key_bias_;                         // Q [kNumCodes, d, E], b [kNumCodes, d]
  torch::Tensor type_keys_;                               // [d, E]
  torch::Tensor cosine_weights_;                          // a [kNumCodes + 1], the last of types
  seq2seq::Linear importance_{nullptr};                   // u
  seq2seq::Linear linear_{nullptr}, hidden_{nullptr}, hidden_of_state_{nullptr}, output_{nullptr};
  torch::Tensor way_of_best_;  // [kNumWays]
  seq2seq::Linear way_of_state_{nullptr}, way_of_cues_{nullptr}, way_of_numbers_{nullptr}, counted_{nullptr};
  torch::Tensor keep_;  // [F] 1 for features that are read
};
TORCH_MODULE(FormScorer);

// Mean over the utterances with a right candidate of -log of what all right ones have together; log_probs [C,
// 2].
[[nodiscard]] torch::Tensor marginal_loss(const torch::Tensor& log_probs, const FormBatch& batch);

}  // namespace kgwalk::listening
