// The kernels of TASA against LibTorch's convolution and the composed operations.
#include "seq2seq/kernels/map_convolution.h"

#include <gtest/gtest.h>

#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/attend.h"
#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq {
namespace {

using testing::largest_difference;
using torch::Tensor;

struct MapCase {
  std::int64_t examples, queries, keys, in, first, out, groups, preceding;
  bool causal, padded;
};

// Ones where a cell counts, [B, 1, P + Tq, Tk].
Tensor counting_cells(const MapCase& c, const Tensor& keep) {
  Tensor cells = torch::ones({c.examples, 1, c.preceding + c.queries, c.keys}, torch::kFloat64);
  for (std::int64_t b = 0; b < c.examples; ++b)
    for (std::int64_t r = 0; r < c.preceding + c.queries; ++r)
      for (std::int64_t j = 0; j < c.keys; ++j) {
        const std::int64_t position = c.keys - c.queries + r - c.preceding;
        const bool kept = keep[b][j].item<bool>() && keep[b][position].item<bool>();
        if (!kept || (c.causal && j > position)) cells[b][0][r][j] = 0;
      }
  return cells;
}

Tensor reference(const MapCase& c, const Tensor& maps, const Tensor& weight, const Tensor& bias) {
  const std::vector<std::int64_t> one{1, 1}, none{0, 0};
  if (!c.causal) return torch::conv2d(maps, weight, bias, one, one, one, c.groups);
  return torch::conv2d(torch::constant_pad_nd(maps, {1, 1, 1 - c.preceding, 0}), weight.narrow(2, 0, 2), bias,
                       one, none, one, c.groups);
}

TEST(MapConvolution, EqualsLibTorchsWithItsGradients) {
  torch::manual_seed(3);
  const std::vector<MapCase> cases{
      {2, 5, 5, 4, 4, 4, 1, 0, false, false},  {3, 37, 37, 8, 4, 4, 1, 0, false, true},
      {2, 19, 19, 14, 7, 7, 1, 0, true, true}, {2, 8, 21, 6, 2, 6, 3, 0, true, false},
      {1, 1, 1, 1, 1, 1, 1, 0, false, false},  {2, 3, 70, 4, 4, 2, 2, 1, true, false},
      {2, 16, 16, 12, 9, 3, 1, 0, false, true}};
  for (const MapCase& c : cases) {
    const auto doubles = torch::TensorOptions().dtype(torch::kFloat64);
    const std::int64_t rows = c.preceding + c.queries;
    Tensor keep = torch::ones({c.examples, c.keys}, torch::kBool);
    if (c.padded)
      for (std::int64_t b = 0; b < c.examples; ++b) keep[b].narrow(0, c.keys - b - 1, b + 1).fill_(false);
    const Tensor maps = torch::randn({c.examples, c.in, rows, c.keys}, doubles).requires_grad_();
    const Tensor weight = torch::randn({c.out, c.in / c.groups, 3, 3}, doubles).requires_grad_();
    const Tensor bias = torch::randn({c.out}, doubles).requires_grad_();
    const Tensor expected = reference(c, maps * counting_cells(c, keep), weight, bias);

    MapShape s{c.examples, c.queries, c.keys, c.in, c.out, c.groups, c.preceding, c.causal};
    if (c.padded) {
      s.key_keep = static_cast<const std::uint8_t*>(keep.data_ptr());
      s.key_keep_stride = c.keys;
    }
    const Tensor low = maps.detach().narrow(1, 0, c.first).contiguous(),
                 high = maps.detach().narrow(1, c.first, c.in - c.first).contiguous();
    const std::vector<MapChannels<const double>> inputs{{low.data_ptr<double>(), c.first},
                                                        {high.data_ptr<double>(), c.in - c.first}};
    const Tensor out = torch::empty_like(expected);
    convolve_maps<double>(s, inputs, weight.data_ptr<double>(), bias.data_ptr<double>(),
                          out.data_ptr<double>());
    EXPECT_LT(largest_difference(out, expected.detach()), 1e-12) << c.queries << " x " << c.keys;
    const Tensor single = torch::empty(expected.sizes(), torch::kFloat32);
    {
      const Tensor low32 = low.to(torch::kFloat32), high32 = high.to(torch::kFloat32);
      const Tensor weight32 = weight.detach().to(torch::kFloat32), bias32 = bias.detach().to(torch::kFloat32);
      const std::vector<MapChannels<const float>> inputs32{{low32.data_ptr<float>(), c.first},
                                                           {high32.data_ptr<float>(), c.in - c.first}};
      convolve_maps<float>(s, inputs32, weight32.data_ptr<float>(), bias32.data_ptr<float>(),
                           single.data_ptr<float>());
    }
    EXPECT_LT(largest_difference(single, expected.detach()), 1e-4);
    if (c.preceding > 0) continue;

    const Tensor grad_out = torch::randn_like(expected);
    expected.backward(grad_out);
    Tensor grad_low = torch::full_like(low, 9), grad_high = torch::full_like(high, 9);
    const Tensor grad_weight = torch::full_like(weight, 9).detach(),
                 grad_bias = torch::full_like(bias, 9).detach();
    const std::vector<MapChannels<double>> grads{{grad_low.data_ptr<double>(), c.first},
                                                 {grad_high.data_ptr<double>(), c.in - c.first}};
    convolve_maps_backward<double>(s, inputs, weight.data_ptr<double>(), grad_out.data_ptr<double>(), grads,
                                   grad_weight.data_ptr<double>(), grad_bias.data_ptr<double>());
    EXPECT_LT(largest_difference(torch::cat({grad_low, grad_high}, 1), maps.grad()), 1e-12);
    EXPECT_LT(largest_difference(grad_weight, weight.grad()), 1e-10);
    EXPECT_LT(largest_difference(grad_bias, bias.grad()), 1e-10);
  }
}

// Asking for the weights takes LibTorch's operations instead of the kernels.
TEST(MappedAttention, KernelsEqualLibTorchsOperations) {
  torch::manual_seed(4);
  const std::function<Tensor(const Tensor&)> map = [](const Tensor& raw) { return raw * 1.5 + raw.sin(); };
  for (const bool causal : {false, true})
    for (const int count : {1, 2}) {
      const auto doubles = torch::TensorOptions().dtype(torch::kFloat64);
      const Tensor packed = torch::randn({3, 70, 24}, doubles).requires_grad_();
      const Tensor earlier = torch::randn({3, 70, 16}, doubles).requires_grad_();
      std::vector<TraceEntry> sources{{packed, 8, 16, 8, 70, {}}};
      if (count == 2) sources.push_back({earlier, 0, 8, 8, 70, {}});
      AttendOptions o;
      o.heads = 2;
      o.d = 4;
      o.causal = causal;
      o.key_keep = torch::ones({3, 70}, torch::kBool);
      o.key_keep[1].narrow(0, 66, 4).fill_(false);
      o.logit_map = &map;
      std::vector<Tensor> results;
      Tensor weights;
      for (Tensor* seen : {static_cast<Tensor*>(nullptr), &weights}) {
        o.weights = seen;
        packed.mutable_grad() = Tensor();
        earlier.mutable_grad() = Tensor();
        const Tensor out = attend(packed, sources, o);
        (out * out.cos()).sum().backward();
        results.insert(results.end(), {out.detach(), packed.grad()});
        if (count == 2) results.push_back(earlier.grad());
      }
      const std::size_t half = results.size() / 2;
      for (std::size_t i = 0; i < half; ++i)
        EXPECT_LT(largest_difference(results[i], results[half + i]), 1e-10) << i << (causal ? " causal" : "");
      const torch::NoGradGuard guard;
      o.weights = nullptr;
      EXPECT_LT(largest_difference(attend(packed, sources, o), results[0]), 1e-12);
    }
}

}  // namespace
}  // namespace kgwalk::seq2seq
