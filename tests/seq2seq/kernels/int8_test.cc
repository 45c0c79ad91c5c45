#include <gtest/gtest.h>
#include <torch/nn/modules/container/sequential.h>

#include <array>
#include <tuple>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/int8_matrix.h"
#include "seq2seq/kernels/linear.h"
#include "seq2seq/kernels/quantize.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

Tensor rounded_to(const Tensor& rows, const Tensor& scale) {
  return torch::where(scale > 0, (rows / scale.clamp_min(1e-30)).round() * scale, torch::zeros_like(rows));
}

// The product by its definition. With less than 127 for the weights the four inputs of eight that meet in one
// 16-bit sum, 0, 1, 4, 5 and 2, 3, 6, 7, have sizes of 256 units at most (seq2seq/kernels/int8_rows.h).
Tensor expected(const Tensor& weight, const Tensor& x) {
  Tensor unit = std::get<0>(x.abs().max(1, true)) / 127;  // [R, 1]
  if (Int8Matrix::largest_weight() < 127) {
    const Tensor pairs =
        torch::constant_pad_nd(x.abs(), {0, (8 - x.size(1) % 8) % 8}).view({x.size(0), -1, 2, 2, 2}).sum(4);
    unit = torch::maximum(unit, pairs.sum(2).flatten(1).amax(1, true) / 256);
  }
  const Tensor weight_unit = weight.abs().amax(1, true) / Int8Matrix::largest_weight();
  return torch::linear(rounded_to(x, unit), rounded_to(weight, weight_unit));
}

TEST(Int8Matrix, EqualsTheRoundedProductForEveryShape) {
  torch::manual_seed(1);
  for (const auto& [rows, in, out] : std::vector<std::array<std::int64_t, 3>>{
           {1, 1, 1}, {1, 5, 33}, {7, 16, 32}, {8, 128, 31}, {9, 130, 65}, {70, 64, 96}}) {
    Tensor weight = torch::randn({out, in}), x = torch::randn({rows, in});
    if (out > 2) weight[1].zero_();
    if (rows > 2) x[2].zero_();
    const Int8Matrix matrix(weight.data_ptr<float>(), out, in);
    Tensor y = torch::full({rows, out}, -7.0f);
    multiply(matrix, {x.data_ptr<float>(), in, y.data_ptr<float>(), out, rows});
    // Halves may be rounded to either side of a value in float32: one unit of one weight or input.
    const double unit =
        x.abs().max().item<double>() * weight.abs().max().item<double>() / Int8Matrix::largest_weight();
    EXPECT_LT((y - expected(weight, x)).abs().max().item<double>(), 1.5 * unit) << rows << " " << in;
    EXPECT_LT((y - torch::linear(x, weight)).norm().item<double>(),
              0.03 * torch::linear(x, weight).norm().item<double>() + 1e-6);
  }
}

// All inputs of a row and all weights are as large as they can be, of either sign: no sum may be cut off.
TEST(Int8Matrix, TheLargestSumsFit) {
  for (const double sign : {1.0, -1.0}) {
    const Tensor weight = torch::full({33, 512}, 3.0f),
                 x = torch::full({5, 512}, static_cast<float>(2 * sign));
    const Int8Matrix matrix(weight.data_ptr<float>(), 33, 512);
    Tensor y = torch::empty({5, 33});
    multiply(matrix, {x.data_ptr<float>(), 512, y.data_ptr<float>(), 33, 5});
    EXPECT_LT((y - torch::linear(x, weight)).abs().max().item<double>(), 1e-2) << sign;
  }
}

TEST(Int8Matrix, AddsBiasActivationAndResidualWithStrides) {
  torch::manual_seed(2);
  const Tensor weight = torch::randn({40, 12}), wide = torch::randn({5, 20}), bias = torch::randn({40}),
               residual = torch::randn({5, 40});
  const Int8Matrix matrix(weight.data_ptr<float>(), 40, 12);
  Tensor plain = torch::empty({5, 40}), y = torch::full({5, 48}, 9.0f);
  multiply(matrix, {wide.data_ptr<float>(), 20, plain.data_ptr<float>(), 40, 5});
  PackedProduct product{wide.data_ptr<float>(), 20, y.data_ptr<float>(), 48, 5};
  product.bias = bias.data_ptr<float>();
  product.activation = Activation::kRelu;
  product.residual = residual.data_ptr<float>();
  product.residual_stride = 40;
  multiply(matrix, product);
  EXPECT_LT((y.narrow(1, 0, 40) - (torch::relu(plain + bias) + residual)).abs().max().item<double>(), 1e-5);
  EXPECT_EQ(y.narrow(1, 40, 8).min().item<float>(), 9.0f) << "nothing is written beyond the columns";
}

TEST(QuantizeLinears, ChangesEvaluationOnly) {
  torch::manual_seed(3);
  torch::nn::Sequential model(Linear(16, 24), Linear(24, 8, false));
  const Tensor x = torch::randn({3, 16});
  model->eval();
  const auto run = [&] {
    const torch::NoGradGuard no_grad;
    return model->forward(x);
  };
  const Tensor before = run();
  EXPECT_EQ(quantize_linears(*model), 2);
  const Tensor after = run();
  EXPECT_GT((after - before).abs().max().item<double>(), 1e-6) << "it is another product";
  EXPECT_LT((after - before).norm().item<double>(), 0.05 * before.norm().item<double>());
  EXPECT_EQ(model->parameters().size(), 3u) << "no weights are added";
  EXPECT_LT((model->forward(x) - before).abs().max().item<double>(), 1e-5) << "with gradients it is float32";
  EXPECT_EQ(quantize_linears(*model), 2) << "again";
  EXPECT_TRUE(torch::equal(run(), after));
}

}  // namespace
}  // namespace kgwalk::seq2seq
