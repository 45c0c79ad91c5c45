// ALBERT against references, its file format, and that it learns.
#include <torch/optim.h>

#include "runtime/tensor/torch.h"
#include "seq2seq/models/albert.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "kgwalk/error.h"
#include "runtime/tensor/tensor_io.h"
#include "tests/seq2seq/golden_readings.h"
#include "tests/seq2seq/gradient_check.h"

namespace kgwalk::seq2seq {
namespace {

using testing::largest_difference;
using testing::tensor_of;
using torch::Tensor;

// A folder that goes away with the test.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const Json& config, const NamedTensors& weights) const {
    std::ofstream(path_ / "config.json") << config.dump();
    write_tensors(path_ / "model.safetensors", weights);
  }

 private:
  std::filesystem::path path_;
};

NamedTensors weights_of(const Json& json) {
  NamedTensors weights;
  for (const auto& item : json.items()) weights[item.key()] = tensor_of(item.value(), torch::kFloat32);
  return weights;
}

AlbertOptions tiny() {
  AlbertOptions options;
  options.vocab_size = 20;
  options.embedding_size = 8;
  options.hidden_size = 16;
  options.num_hidden_layers = 3;
  options.num_attention_heads = 2;
  options.intermediate_size = 24;
  options.max_position_embeddings = 12;
  options.initializer_range = 0.1;
  return options;
}

TEST(AlbertGolden, FolderInHuggingFacesFormatEqualsTheReference) {
  const Json cases = read_json_file((testing::source_dir() / "tests/golden/albert.json").string());
  for (const auto& item : cases.items()) {
    const Json& c = item.value();
    const Folder folder("kgwalk_albert_golden");
    Json config = c["options"];
    config["model_type"] = "albert";
    config["classifier_dropout_prob"] = 0.1;  // a key that does not concern us
    folder.write(config, weights_of(c["weights"]));
    AlbertForMaskedLm model = load_albert_for_masked_lm(folder.path());
    model->to(torch::kFloat64);
    const AlbertInput input{tensor_of(c["inputs"]["ids"], torch::kInt64),
                            tensor_of(c["inputs"]["keep"], torch::kBool),
                            tensor_of(c["inputs"]["types"], torch::kInt64)};
    const torch::NoGradGuard guard;
    const AlbertOutput out = model->albert->forward(input);
    // Weights pass through float32, six decimals each.
    EXPECT_LT(largest_difference(out.states, tensor_of(c["expected"]["states"])), 1e-5) << item.key();
    EXPECT_LT(largest_difference(out.pooled, tensor_of(c["expected"]["pooled"])), 1e-5) << item.key();
    EXPECT_LT(largest_difference(model->logits(out.states), tensor_of(c["expected"]["logits"])), 1e-5)
        << item.key();
    Albert body = load_albert(folder.path());  // the head is passed over
    EXPECT_LT(largest_difference(body->forward(input).states, tensor_of(c["expected"]["states"])), 1e-4)
        << item.key();
  }
}

class AlbertOtherReading : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Readings, AlbertOtherReading,
                         ::testing::ValuesIn(testing::other_readings("albert.json")), testing::reading_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(AlbertOtherReading);

TEST_P(AlbertOtherReading, IsEqualWithBothActivations) {
  const Json c = read_json_file(GetParam())["case"];
  for (const std::string act : {"gelu_new", "gelu"}) {
    const Folder folder("kgwalk_albert_shared");
    Json config = c["options"];
    config["hidden_act"] = act;
    folder.write(config, weights_of(c["weights"]));
    Albert model = load_albert(folder.path());
    const AlbertInput input{tensor_of(c["inputs"]["input_ids"], torch::kInt64),
                            tensor_of(c["inputs"]["attention_mask"], torch::kBool),
                            tensor_of(c["inputs"]["token_type_ids"], torch::kInt64)};
    const torch::NoGradGuard guard;
    const AlbertOutput out = model->forward(input);
    EXPECT_LT(largest_difference(out.states, tensor_of(c["expected"][act])), 1e-4) << act;
    EXPECT_LT(largest_difference(out.pooled, tensor_of(c["expected"][act + "_pooled"])), 1e-4) << act;
  }
}

TEST(Albert, SavedFoldersLoadToTheSameWeights) {
  torch::manual_seed(1);
  const Folder folder("kgwalk_albert_saved");
  const AlbertForMaskedLm model(tiny());
  save_albert(model, folder.path());
  const AlbertForMaskedLm again = load_albert_for_masked_lm(folder.path());
  EXPECT_EQ(checksum_of(albert_state(again)), checksum_of(albert_state(model)));
  const Albert body = load_albert(folder.path());
  EXPECT_EQ(checksum_of(albert_state(body)), checksum_of(albert_state(model->albert)));
  EXPECT_EQ(to_json_of(body->options()), to_json_of(tiny()));
}

TEST(Albert, EveryDifferenceOfTheWeightsIsReportedAtOnce) {
  const Folder folder("kgwalk_albert_strict");
  const Albert model(tiny());
  NamedTensors weights = albert_state(model);
  weights.erase("embeddings.LayerNorm.bias");
  weights["encoder.albert_layer_groups.0.albert_layers.0.ffn.weight"] = torch::zeros({24, 15});
  weights["encoder.surprise"] = torch::zeros({2});
  folder.write(to_json_of(tiny()), weights);
  try {
    (void)load_albert(folder.path());
    FAIL();
  } catch (const FormatError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("missing embeddings.LayerNorm.bias"), std::string::npos) << text;
    EXPECT_NE(text.find("ffn.weight is [24, 15], must be [24, 16]"), std::string::npos) << text;
    EXPECT_NE(text.find("unknown encoder.surprise"), std::string::npos) << text;
  }
  EXPECT_THROW((void)load_albert_for_masked_lm(folder.path()), FormatError);
}

TEST(Albert, PoolerIsOptionalAndOtherModelsAreRefused) {
  const Folder folder("kgwalk_albert_pooler");
  NamedTensors weights = albert_state(Albert(tiny()));
  weights.erase("pooler.weight");
  weights.erase("pooler.bias");
  Json config = to_json_of(tiny());
  folder.write(config, weights);
  Albert model = load_albert(folder.path());
  EXPECT_FALSE(model->forward({torch::zeros({1, 3}, torch::kInt64), {}, {}}).pooled.defined());
  config["model_type"] = "bert";
  folder.write(config, weights);
  EXPECT_THROW((void)load_albert(folder.path()), FormatError);
}

TEST(Albert, PaddingChangesNothing) {
  torch::manual_seed(2);
  Albert model(tiny());
  model->eval();
  const Tensor ids = torch::randint(20, {2, 9}, torch::kInt64);
  Tensor keep = torch::ones({2, 9}, torch::kBool);
  keep[1].narrow(0, 5, 4).fill_(false);
  const torch::NoGradGuard guard;
  const Tensor batch = model->forward({ids, keep, {}}).states;
  const Tensor single = model->forward({ids.narrow(0, 1, 1).narrow(1, 0, 5), {}, {}}).states;
  EXPECT_LT(largest_difference(batch[1].narrow(0, 0, 5), single[0]), 1e-5);
  EXPECT_EQ(model->forward({ids, keep, {}}, true).hidden.size(), 4u);
  EXPECT_THROW((void)model->forward({torch::zeros({1, 13}, torch::kInt64), {}, {}}), ShapeError);
}

TEST(Albert, GradientsOfTheMaskedLanguageModelAreRight) {
  torch::manual_seed(4);
  AlbertOptions options = tiny();
  options.num_hidden_layers = 2;  // the same weights twice: gradients of both uses add up
  AlbertForMaskedLm model(options);
  model->to(torch::kFloat64);
  model->eval();
  const Tensor ids = torch::randint(20, {2, 5}, torch::kInt64);
  Tensor labels = torch::full({2, 5}, -100, torch::kInt64), keep = torch::ones({2, 5}, torch::kBool);
  labels[0][1] = 7;
  labels[1][2] = 0;
  keep[1][4] = false;
  auto leaves = testing::leaves_of(*model->albert->layers[0]);
  leaves.emplace_back("tokens", model->albert->tokens);
  leaves.emplace_back("dense", model->dense->weight);
  testing::expect_gradients_match(
      leaves,
      [&] {
        return model->loss({ids, keep, {}}, labels);
      },
      6);
}

TEST(Albert, MaskedLanguageModelOverfitsABatch) {
  torch::manual_seed(3);
  AlbertForMaskedLm model(tiny());
  const Tensor ids = torch::randint(4, 20, {6, 8}, torch::kInt64);
  const Tensor hidden = torch::rand({6, 8}) < 0.25;
  const AlbertInput input{ids.masked_fill(hidden, 3), {}, {}};
  const Tensor labels = ids.masked_fill(hidden.logical_not(), -100);
  torch::optim::Adam adam(model->parameters(), torch::optim::AdamOptions(1e-2));
  double first = 0, last = 0;
  for (int step = 0; step < 100; ++step) {
    adam.zero_grad();
    const Tensor loss = model->loss(input, labels);
    loss.backward();
    adam.step();
    last = loss.item<double>();
    if (step == 0) first = last;
  }
  EXPECT_GT(first, 2);
  EXPECT_LT(last, 0.1);
  EXPECT_THROW((void)model->loss(input, torch::full({6, 8}, -100, torch::kInt64)), ShapeError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
