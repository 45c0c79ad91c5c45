#include "runtime/tensor/precision.h"

#include <gtest/gtest.h>

#include <thread>

#include "kgwalk/error.h"
#include "tests/runtime/tensor/regression_task.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

using test::contains;
using test::message_of;
using test::RegressionTask;
using test::TempFolder;

TEST(Precision, AGuardHoldsInItsThreadAndRestoresWhatWasBefore) {
  EXPECT_EQ(product_precision(), Precision::kFloat32);
  {
    const PrecisionGuard outer(Precision::kBf16);
    {
      const PrecisionGuard inner(Precision::kFloat32);
      EXPECT_EQ(product_precision(), Precision::kFloat32);
    }
    EXPECT_EQ(product_precision(), Precision::kBf16);
    std::thread([] { EXPECT_EQ(product_precision(), Precision::kFloat32); }).join();
    EXPECT_THROW(
        {
          const PrecisionGuard inner(Precision::kFloat32);
          throw ConfigError("out of the scope");
        },
        ConfigError);
    EXPECT_EQ(product_precision(), Precision::kBf16);
  }
  EXPECT_EQ(product_precision(), Precision::kFloat32);
}

TEST(Precision, NamesAreCheckedAndBf16NeedsTheProcessor) {
  EXPECT_EQ(available_precision(Choice<Precision>("float32")), Precision::kFloat32);
  EXPECT_TRUE(contains(message_of<ConfigError>([] { (void)Choice<Precision>("half"); }), "'half'"));
  if (bf16_available())
    EXPECT_EQ(available_precision(Precision::kBf16), Precision::kBf16);
  else
    EXPECT_TRUE(contains(message_of<ConfigError>([] { (void)available_precision(Precision::kBf16); }),
                         "AVX512_BF16"));
}

class TrainerPrecision : public ::testing::Test {
 protected:
  void train_with(const std::string& precision, Json told) {
    TrainerConfig config;
    config.max_epochs = 1;
    config.precision = precision;
    task_.on_loss = [&](torch::Tensor loss) {
      in_steps_ = product_precision();
      return loss;
    };
    task_.on_evaluate = [&]() -> Json {
      in_evaluation_ = product_precision();
      return {{"score", 0.0}};
    };
    RunFolder folder = RunFolder::create(folder_ / "run", test::kTestRun);
    const RunManifest manifest =
        told.is_null() ? RunManifest(test::kTestRun, config, 5) : RunManifest(test::kTestRun, told, 5);
    (void)train(task_, config, manifest, folder, silent_reporter(), never_stop());
  }
  const TempFolder folder_;
  RegressionTask task_;
  Precision in_steps_ = Precision::kFloat32, in_evaluation_ = Precision::kBf16;
};

TEST_F(TrainerPrecision, IsThatOfStepsAndNotOfEvaluations) {
  if (!bf16_available()) {
    EXPECT_THROW(train_with("bf16", {}), ConfigError);
    GTEST_SKIP() << "this processor or program has no AVX512_BF16";
  }
  train_with("bf16", {});
  EXPECT_EQ(in_steps_, Precision::kBf16);
  EXPECT_EQ(in_evaluation_, Precision::kFloat32);
  EXPECT_EQ(product_precision(), Precision::kFloat32);
}

TEST_F(TrainerPrecision, IsRefusedByAnotherName) {
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { train_with("fp16", {}); }), "float32, bf16"));
}

TEST_F(TrainerPrecision, ATrainingBegunBeforeTheKeyGoesOnInFloat32Only) {
  train_with("float32", {{"max_epochs", 1}});
  train_with("float32", {});
  if (!bf16_available()) return;
  const std::string text = message_of<ConfigError>([&] { train_with("bf16", {}); });
  EXPECT_TRUE(contains(text, "trainer.precision: \"bf16\", was \"float32\"")) << text;
}

}  // namespace
}  // namespace kgwalk
