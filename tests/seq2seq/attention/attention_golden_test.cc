// Against values computed elsewhere: tests/golden/make_attention.py and make_hi_attention.py, and a second
// reading of the papers.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/attention.h"
#include "tests/seq2seq/attention_parts.h"
#include "tests/seq2seq/golden_readings.h"

namespace kgwalk::seq2seq {
namespace {

using testing::entry_of;
using testing::largest_difference;
using testing::tensor_of;
using torch::Tensor;

TEST(AttentionGolden, EveryOptionEqualsTheReference) {
  const Json cases = read_json_file((testing::source_dir() / "tests/golden/attention.json").string());
  ASSERT_EQ(cases.size(), 24u);
  for (const auto& item : cases.items()) {
    const Json& c = item.value();
    AttentionOptions options;
    Json known = c["options"];
    const bool causal = known["causal"], memory = known["memory"];
    options.width = known["width"];
    options.heads = known["heads"];
    options.head_width = known["head_width"];
    options.hi = {known["history"], known["dilation"], known["combine"].get<std::string>()};
    MultiheadAttention module(options, AttentionSite{memory, known["layers_below"]});
    module->to(torch::kFloat64);
    const torch::NoGradGuard guard;
    auto parameters = module->named_parameters();
    ASSERT_EQ(parameters.size(), c["weights"].size()) << item.key();
    for (const auto& weight : c["weights"].items()) parameters[weight.key()].copy_(tensor_of(weight.value()));
    AttentionTrace trace;
    for (const Tensor& layer : tensor_of(c["inputs"]["earlier"]).unbind(0))
      trace.layers.push_back(entry_of(layer));
    const Tensor keep = tensor_of(c["inputs"]["key_keep"], torch::kBool);
    AttentionCall call;
    ProjectedMemory projected;
    if (memory) {
      projected = module->project({tensor_of(c["inputs"]["states"]), keep, &trace});
      call.memory = &projected;
    } else {
      call.masks = {keep, {}, causal};
      call.trace = &trace;
    }
    const Tensor y = module(tensor_of(c["inputs"]["x"]), call);
    EXPECT_LT(largest_difference(y, tensor_of(c["expected"]["y"])), 1e-12) << item.key();
  }
}

class HiAttentionGolden : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Readings, HiAttentionGolden,
                         ::testing::ValuesIn(testing::all_readings("hi_attention.json")),
                         testing::reading_name);

// One module over the inputs of the layers below: whose keys and values, and how they are joined. Projections
// of these files act as x W and have no biases.
TEST_P(HiAttentionGolden, EveryCombinationEqualsTheReading) {
  const Json cases = read_json_file(GetParam());
  ASSERT_GE(cases.size(), 8u);
  for (const auto& item : cases.items()) {
    const Json& c = item.value();
    const int layer = c["options"]["layer"];
    const Tensor x = tensor_of(c["inputs"]["x"]), lengths = tensor_of(c["inputs"]["lengths"], torch::kInt64);
    const auto at = [&](const char* name, int l) { return tensor_of(c["weights"][name])[l]; };
    for (const std::string combine : {"concat_eq9", "concat_eq6", "sum", "plain"}) {
      AttentionOptions options;
      options.width = static_cast<int>(x.size(3));
      options.heads = c["options"]["heads"];
      options.bias = false;
      options.hi = {combine == "plain" ? 0 : c["options"]["history"].get<int>(), c["options"]["dilation"],
                    combine == "plain" ? "sum" : combine};
      MultiheadAttention module(options, AttentionSite{false, layer});
      module->to(torch::kFloat64);
      const torch::NoGradGuard guard;
      module->qkv->weight.copy_(torch::cat({at("wq", layer), at("wk", layer), at("wv", layer)}, 1).t());
      const bool merged = combine == "concat_eq9" && !module->earlier_layers().empty();
      const Tensor output = merged ? torch::cat({at("wo", layer), tensor_of(c["weights"]["w_concat_eq9"])}, 0)
                                   : at("wo", layer);
      module->output->weight.copy_(output.t());
      if (module->w_h.defined()) module->w_h.copy_(tensor_of(c["weights"]["w_concat_eq6"]));
      AttentionTrace trace;
      for (int l = 0; l < layer; ++l)
        trace.layers.push_back(
            entry_of(torch::cat({torch::matmul(x[l], at("wk", l)), torch::matmul(x[l], at("wv", l))}, 2)));
      AttentionCall call;
      call.masks.key_keep = torch::arange(x.size(2)).unsqueeze(0) < lengths.unsqueeze(1);
      call.masks.causal = c["options"]["causal"];
      call.trace = &trace;
      const std::string name = combine == "sum" ? "sum_eq10" : combine;
      EXPECT_LT(largest_difference(module(x[layer], call), tensor_of(c["expected"][name])), 1e-10)
          << item.key() << " " << name;
    }
  }
}

}  // namespace
}  // namespace kgwalk::seq2seq
