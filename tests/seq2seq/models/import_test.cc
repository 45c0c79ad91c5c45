// Models in the Hugging Face form against what python3-torch computes from the
// same weights (tests/golden/make_encoder_decoder.py).
#include <gtest/gtest.h>
#include <unistd.h>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "seq2seq/models/encoder_decoder_import.h"
#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq {
namespace {

using testing::tensor_of;

class Import : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("kgwalk_import_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    golden_ =
        read_json_file((testing::source_dir() / "tests/golden/encoder_decoder.json").string()).at(GetParam());
    for (const auto& item : golden_.at("weights").items())
      weights_[item.key()] = tensor_of(item.value(), torch::kFloat32);
    write();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write() const {
    write_file_atomically(folder_ / "config.json", golden_.at("config").dump());
    write_tensors(folder_ / "model.safetensors", weights_);
  }
  std::string refusal() const {
    try {
      (void)import_encoder_decoder(folder_);
    } catch (const FormatError& error) {
      return error.what();
    }
    return "";
  }
  std::filesystem::path folder_;
  Json golden_;
  NamedTensors weights_;
};

TEST_P(Import, ComputesWhatTheOriginalComputes) {
  const ImportedModel imported = import_encoder_decoder(folder_);
  EncoderDecoder model(imported.options, imported.vocabulary);
  load_state(*model, imported.weights, "imported");
  model->eval();
  const torch::NoGradGuard no_grad;
  const auto ids = [&](const char* key) {
    return torch::tensor(golden_.at(key).get<std::vector<std::int64_t>>(), torch::kInt64).unsqueeze(0);
  };
  const EncodedSource source = model->encode(ids("source"), {});
  const torch::Tensor logits = model->scores(model->teach(source, ids("target"), {}))[0];
  EXPECT_LT(testing::largest_difference(logits, tensor_of(golden_.at("logits"))), 2e-5);
}

TEST_P(Import, NamesWhatIsMissingAndWhatIsLeftOver) {
  weights_.erase("model.encoder.layers.1.fc1.bias");
  weights_["model.decoder.layers.0.adapter.weight"] = torch::zeros({2});
  write();
  const std::string refused = refusal();
  EXPECT_NE(refused.find("'model.encoder.layers.1.fc1.bias' is missing"), std::string::npos) << refused;
  EXPECT_NE(refused.find("'model.decoder.layers.0.adapter.weight' is not known"), std::string::npos)
      << refused;
}

TEST_P(Import, RefusesOtherKindsOfModels) {
  golden_["config"]["model_type"] = "t5";
  write();
  EXPECT_NE(refusal().find("t5"), std::string::npos);
  golden_["config"]["model_type"] = GetParam();
  golden_["config"]["activation_function"] = "swish";
  write();
  EXPECT_NE(refusal().find("swish"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Import, ::testing::Values("marian", "bart"));

}  // namespace
}  // namespace kgwalk::seq2seq
