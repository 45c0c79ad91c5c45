#include <torch/cuda.h>
#include <torch/nn/modules/linear.h>

#include "runtime/tensor/tensor_io.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

using test::contains;
using test::message_of;

TEST(TensorIo, EveryTypeComesBack) {
  const test::TempFolder folder;
  NamedTensors tensors;
  for (const auto type : {torch::kFloat32, torch::kFloat64, torch::kFloat16, torch::kBFloat16, torch::kInt64,
                          torch::kInt32, torch::kInt16, torch::kInt8, torch::kUInt8, torch::kBool})
    tensors[torch::toString(type)] = (torch::randn({3, 5}) * 50).abs().to(type);
  tensors["transposed"] = torch::randn({4, 6}).t();
  tensors["scalar"] = torch::tensor(2.5f);
  tensors["empty"] = torch::zeros({0, 3});
  write_tensors(folder / "t", tensors);
  const NamedTensors read = read_tensors(folder / "t");
  ASSERT_EQ(read.size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    EXPECT_EQ(read.at(name).scalar_type(), tensor.scalar_type()) << name;
    EXPECT_TRUE(torch::equal(read.at(name), tensor)) << name;
  }
  EXPECT_EQ(checksum_of(read), checksum_of(tensors));
  EXPECT_THROW(write_tensors(folder / "t", {{"c", torch::zeros({2}, torch::kComplexFloat)}}), FormatError);
}

// One parameter under two names, and a buffer.
struct TiedNet : torch::nn::Module {
  torch::Tensor table = register_parameter("table", torch::randn({4, 3}));
  torch::Tensor output = register_parameter("z_output", table);
  torch::Tensor counts = register_buffer("counts", torch::zeros({4}, torch::kInt64));
};

TEST(TensorIo, SharedParametersHaveOneNameAndBuffersBelongToTheState) {
  TiedNet net;
  const NamedTensors state = state_of(net);
  ASSERT_EQ(state.size(), 2u);
  EXPECT_TRUE(state.contains("table") && state.contains("counts"));
  TiedNet other;
  load_state(other, state, "x");
  EXPECT_TRUE(torch::equal(other.output, net.table));
}

TEST(TensorIo, ChecksumSeesNamesShapesAndBytes) {
  const torch::Tensor t = torch::arange(6);
  const std::string sum = checksum_of(NamedTensors{{"a", t}});
  EXPECT_NE(sum, checksum_of(NamedTensors{{"b", t}}));
  EXPECT_NE(sum, checksum_of(NamedTensors{{"a", t.view({2, 3})}}));
  EXPECT_NE(sum, checksum_of(NamedTensors{{"a", t + 1}}));
  EXPECT_NE(sum, checksum_of(NamedTensors{{"a", t.to(torch::kInt32)}}));
}

TEST(TensorIo, LoadingListsEveryDifference) {
  torch::nn::Linear linear(3, 2);
  NamedTensors tensors = state_of(*linear);
  EXPECT_EQ(tensors.size(), 2u);
  EXPECT_NO_THROW(load_state(*linear, tensors, "x"));
  const torch::Tensor before = linear->weight.detach().clone();
  const std::string text = message_of<FormatError>([&] {
    load_state(*linear, {{"weight", torch::zeros({2, 4})}, {"extra", torch::zeros({1})}},
               "model.safetensors");
  });
  for (const char* part : {"model.safetensors: does not fit", "'weight' has shape [2, 4] instead of [2, 3]",
                           "'bias' is missing", "'extra' is unknown"})
    EXPECT_TRUE(contains(text, part)) << text;
  tensors["weight"] = torch::zeros({2, 3}, torch::kFloat64);
  EXPECT_TRUE(contains(message_of<FormatError>([&] { load_state(*linear, tensors, "x"); }),
                       "type Double instead of Float"));
  EXPECT_TRUE(torch::equal(linear->weight, before)) << "nothing is loaded when something does not fit";
}

TEST(TensorIo, DevicesAreCheckedByName) {
  EXPECT_TRUE(parse_device("cpu").is_cpu());
  for (const char* bad : {"gpu", "cuda:", "cuda:x", "cpu:0", ""})
    EXPECT_THROW((void)parse_device(bad), ConfigError) << bad;
  if (!torch::cuda::is_available()) {
    EXPECT_THROW((void)parse_device("cuda"), ConfigError);
  }
}

}  // namespace
}  // namespace kgwalk
