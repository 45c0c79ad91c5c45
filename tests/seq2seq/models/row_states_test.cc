#include "seq2seq/models/row_states.h"

#include <gtest/gtest.h>

#include <vector>

#include "kgwalk/error.h"
#include "seq2seq/kernels/quantize.h"
#include "seq2seq/models/albert.h"
#include "seq2seq/models/bert.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

constexpr int kVocabulary = 50, kPositions = 24;

template <class Options>
Options small(const char* activation) {
  Options options;
  options.vocab_size = kVocabulary;
  options.hidden_size = 48;
  options.num_hidden_layers = 3;
  options.num_attention_heads = 4;
  options.intermediate_size = 72;
  options.max_position_embeddings = kPositions;
  options.initializer_range = 0.2;
  options.hidden_act = activation;
  return options;
}

std::vector<TokenEncoder> models() {
  torch::manual_seed(5);
  AlbertOptions shared = small<AlbertOptions>("gelu_new");
  shared.embedding_size = 16;
  shared.inner_group_num = 2;
  std::vector<TokenEncoder> list{
      TokenEncoder(std::static_pointer_cast<TokenEncoderImpl>(Bert(small<BertOptions>("gelu")).ptr())),
      TokenEncoder(std::static_pointer_cast<TokenEncoderImpl>(Albert(shared).ptr()))};
  for (TokenEncoder& model : list) {
    model->eval();
    const torch::NoGradGuard guard;
    for (Tensor& p : model->parameters()) p.add_(torch::randn_like(p) * 0.05);  // norms and biases too
  }
  return list;
}

struct Sequences {
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> offsets{0};
  explicit Sequences(const std::vector<int>& lengths) {
    for (const int length : lengths) {
      for (int i = 0; i < length; ++i)
        ids.push_back(static_cast<std::int32_t>((7 * ids.size() + 3) % kVocabulary));
      offsets.push_back(static_cast<std::int64_t>(ids.size()));
    }
  }
  // Sequence i through the network as a batch of one.
  [[nodiscard]] Tensor alone(TokenEncoder& model, std::size_t i) const {
    const std::vector<std::int64_t> part(ids.begin() + offsets[i], ids.begin() + offsets[i + 1]);
    return model->forward({torch::tensor(part, torch::kInt64).unsqueeze(0), {}, {}}).states[0];
  }
  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
};

// Single rows, neighbors of one length, an empty sequence, and more rows than go through the layers together.
std::vector<int> lengths_of_all_kinds() {
  std::vector<int> lengths{1, 5, 0, 12, 12, 12, 3, kPositions};
  lengths.insert(lengths.end(), 20, 11);
  lengths.push_back(1);
  return lengths;
}

TEST(RowStates, EqualTheLayersOneAfterAnother) {
  const torch::NoGradGuard guard;
  const Sequences sequences(lengths_of_all_kinds());
  for (TokenEncoder& model : models()) {
    const auto rows = RowStates::of(*model);
    ASSERT_TRUE(rows);
    const Tensor states = rows->encode(sequences.ids, sequences.offsets);
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      const std::int64_t begin = sequences.offsets[i], length = sequences.offsets[i + 1] - begin;
      if (length == 0) continue;
      EXPECT_LT((states.narrow(0, begin, length) - sequences.alone(model, i)).abs().max().item<float>(), 2e-5)
          << model->shape().name << " " << i;
    }
  }
}

TEST(RowStates, EndBeforeTheLayersLeftOut) {
  const torch::NoGradGuard guard;
  const Sequences sequences({7});
  for (TokenEncoder& model : models()) {
    const std::vector<std::int64_t> ids(sequences.ids.begin(), sequences.ids.end());
    const TokenOutput whole = model->forward({torch::tensor(ids, torch::kInt64).unsqueeze(0), {}, {}}, true);
    for (const int left_out : {1, 3}) {
      const Tensor states = RowStates::of(*model, left_out)->encode(sequences.ids, sequences.offsets);
      EXPECT_LT((states - (*(whole.hidden.rbegin() + left_out))[0]).abs().max().item<float>(), 2e-5)
          << left_out;
    }
  }
}

TEST(RowStates, UseIntegersAfterQuantization) {
  const torch::NoGradGuard guard;
  const Sequences sequences({9, 4});
  for (TokenEncoder& model : models()) {
    const Tensor exact = RowStates::of(*model)->encode(sequences.ids, sequences.offsets);
    quantize_linears(*model);
    const Tensor rounded = RowStates::of(*model)->encode(sequences.ids, sequences.offsets);
    EXPECT_GT((rounded - exact).abs().max().item<float>(), 1e-5);
    EXPECT_LT((rounded - exact).norm().item<float>(), 0.15 * exact.norm().item<float>());
    EXPECT_LT((rounded.narrow(0, 0, 9) - sequences.alone(model, 0)).abs().max().item<float>(), 2e-2)
        << "the same integers";
  }
}

TEST(RowStates, RefuseWhatTheModelDoesNotKnow) {
  const torch::NoGradGuard guard;
  TokenEncoder model = models().front();
  const auto rows = RowStates::of(*model);
  const std::vector<std::int64_t> offsets{0, 2};
  EXPECT_THROW((void)rows->encode(std::vector<std::int32_t>{1, kVocabulary}, offsets), ShapeError);
  EXPECT_THROW((void)rows->encode(std::vector<std::int32_t>{-1, 1}, offsets), ShapeError);
  const Sequences long_one({kPositions + 1});
  EXPECT_THROW((void)rows->encode(long_one.ids, long_one.offsets), ShapeError);
  EXPECT_EQ(rows->encode({}, std::vector<std::int64_t>{0}).size(0), 0);
}

TEST(RowStates, AreForInferenceAlone) {
  TokenEncoder model = models().front();
  EXPECT_FALSE(RowStates::of(*model)) << "gradients";
  const torch::NoGradGuard guard;
  EXPECT_TRUE(RowStates::of(*model));
  model->to(torch::kFloat64);
  EXPECT_FALSE(RowStates::of(*model));
}

}  // namespace
}  // namespace kgwalk::seq2seq
