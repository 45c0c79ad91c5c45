// Acoustic features against golden values made from Kaldi's definition; normalization,
// differences, masks, files.
#include "seq2seq/audio/features.h"

#include <gtest/gtest.h>
#include <torch/torch.h>
#include <unistd.h>

#include <cmath>
#include <numbers>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq {
namespace {

using testing::largest_difference;
using torch::Tensor;

TEST(Features, EqualKaldisDefinition) {
  const Json cases = read_json_file((testing::source_dir() / "tests/golden/features.json").string());
  ASSERT_EQ(cases.size(), 4u);
  for (const Json& c : cases) {
    FeatureOptions options;
    apply_json(options, c["options"], "golden");
    options.rate = c["rate"];
    Sound sound{options.rate, {}};
    for (const Json& sample : c["samples"]) sound.samples.push_back(sample.get<float>() / 32768.0F);
    const Tensor x = features_of(sound, options);
    const auto rows = c["expected"].get<std::vector<std::vector<double>>>();
    ASSERT_EQ(x.size(0), static_cast<std::int64_t>(rows.size()));
    ASSERT_EQ(x.size(1), options.width());
    for (std::int64_t t = 0; t < x.size(0); ++t)
      EXPECT_LT(largest_difference(x[t], torch::tensor(rows[static_cast<std::size_t>(t)], torch::kFloat64)),
                1e-3)
          << options.kind.name() << " frame " << t;
  }
}

TEST(Features, OfSilenceAreFiniteAndOfLessThanAFrameNone) {
  FeatureOptions options;
  EXPECT_TRUE(
      torch::isfinite(features_of({16000, std::vector<float>(1000, 0.0F)}, options)).all().item<bool>());
  EXPECT_EQ(features_of({16000, std::vector<float>(399, 0.1F)}, options).size(0), 0);
  EXPECT_EQ(features_of({16000, std::vector<float>(400, 0.1F)}, options).size(0), 1);
  EXPECT_EQ(features_of({16000, {}}, options).size(1), 80);
  EXPECT_THROW((void)features_of({8000, std::vector<float>(400, 0.1F)}, options), ConfigError);
}

TEST(Features, PitchStandsBehindTheBandsAndDifferencesBehindBoth) {
  FeatureOptions options;
  options.bands = 20;
  options.pitch = true;
  options.deltas = 1;
  Sound sound{16000, {}};
  for (int i = 0; i < 4000; ++i)
    sound.samples.push_back(static_cast<float>(0.3 * std::sin(0.05 * i) + 0.2 * std::sin(0.1 * i)));
  const Tensor x = features_of(sound, options);
  EXPECT_EQ(x.size(1), 46);
  EXPECT_EQ(x.size(1), options.width());
  options.pitch = false;
  EXPECT_LT(largest_difference(x.narrow(1, 0, 20), features_of(sound, options).narrow(1, 0, 20)), 1e-6);
  options.pitch = true;
  options.shift_ms = 5;
  EXPECT_THROW(validate(options, "features"), ConfigError);
}

TEST(Deltas, OfARampAreItsSlopeAndOfASlopeZero) {
  const Tensor ramp = torch::arange(10, torch::kFloat32).unsqueeze(1) * 3;
  const Tensor x = with_deltas(ramp, 2);
  ASSERT_EQ(x.size(1), 3);
  EXPECT_LT(largest_difference(x.narrow(0, 2, 6).narrow(1, 1, 1), torch::full({6, 1}, 3)), 1e-6);
  EXPECT_LT(largest_difference(x.narrow(0, 4, 2).narrow(1, 2, 1), torch::zeros({2, 1})), 1e-6);
  EXPECT_FLOAT_EQ(x[0][1].item<float>(), 1.5F) << "(1 * 3 + 2 * 6) / 10 at the edge, which is repeated";
}

TEST(Normalization, OfAnUtteranceAndOverAll) {
  const Tensor x = torch::tensor({{1.0F, 5.0F}, {3.0F, 5.0F}});
  const Tensor y = normalized_utterance(x, true);
  EXPECT_LT(largest_difference(y, torch::tensor({{-1.0F, 0.0F}, {1.0F, 0.0F}})), 1e-6);
  FeatureStatistics statistics;
  statistics.add(x.narrow(0, 0, 1));
  statistics.add(x.narrow(0, 1, 1));
  EXPECT_LT(largest_difference(statistics.mean(), torch::tensor({2.0F, 5.0F})), 1e-6);
  EXPECT_LT(largest_difference(statistics.deviation(), torch::tensor({1.0F, 1e-5F})), 1e-6);
  EXPECT_THROW((void)FeatureStatistics().mean(), ConfigError);
}

TEST(SpecAugment, MasksWithinItsLimitsAndOnlySo) {
  SpecAugmentOptions options;
  options.warp = 0;
  options.frequency_masks = 1;
  options.frequency_width = 3;
  options.time_masks = 1;
  options.time_width = 8;
  options.time_share = 0.2;
  Random random(4);
  const Tensor x = torch::ones({30, 20});
  std::int64_t widest_time = 0, widest_frequency = 0;
  for (int round = 0; round < 200; ++round) {
    const Tensor y = spec_augmented(x, options, 2, random);
    EXPECT_TRUE(torch::equal(y.narrow(1, 0, 10), y.narrow(1, 10, 10))) << "differences are masked alike";
    widest_time = std::max(widest_time, (y.sum(1) == 0).sum().item<std::int64_t>());
    widest_frequency = std::max(widest_frequency, (y.sum(0) == 0).sum().item<std::int64_t>() / 2);
  }
  EXPECT_EQ(widest_time, 6) << "a fifth of 30 frames";
  EXPECT_EQ(widest_frequency, 3);
  EXPECT_TRUE(torch::equal(x, torch::ones({30, 20}))) << "the original is left alone";
}

TEST(SpecAugment, WarpingKeepsTheEndsAndTheOrder) {
  SpecAugmentOptions options;
  options.warp = 6;
  options.frequency_masks = options.time_masks = 0;
  Random random(9);
  const Tensor x = torch::arange(40, torch::kFloat32).unsqueeze(1);
  double farthest = 0;
  for (int round = 0; round < 50; ++round) {
    const Tensor y = spec_augmented(x, options, 1, random);
    ASSERT_EQ(y.sizes(), x.sizes());
    EXPECT_EQ(y[0].item<float>(), 0);
    EXPECT_NEAR(y[39].item<float>(), 39, 1e-4);
    EXPECT_TRUE((y.narrow(0, 1, 39) >= y.narrow(0, 0, 39)).all().item<bool>());
    farthest = std::max(farthest, largest_difference(x, y));
  }
  EXPECT_GT(farthest, 3);
  EXPECT_LE(farthest, 6.01);
}

TEST(SphinxFeatures, BecomeTheSpectrumThatTheyWereMadeOf) {
  constexpr int kBands = 20, kCepstra = 5;
  // A spectrum of the first waves alone, which no coefficient is missing of.
  Tensor spectrum = torch::zeros({2, kBands}), cepstra = torch::zeros({2, kCepstra});
  for (int b = 0; b < kBands; ++b) {
    const double angle = std::numbers::pi * (b + 0.5) / kBands;
    spectrum[0][b] = 3 + std::cos(angle) - 2 * std::cos(4 * angle);
    spectrum[1][b] = std::cos(2 * angle);
  }
  for (int c = 0; c < kCepstra; ++c)  // Sphinx: sums of logarithms times cosines, over the number of filters
    for (int b = 0; b < kBands; ++b)
      cepstra.select(1, c) +=
          spectrum.select(1, b) * (std::cos(std::numbers::pi * c * (b + 0.5) / kBands) / kBands);
  EXPECT_LT(largest_difference(spectrum_of_cepstra(cepstra, kBands), spectrum), 1e-5);
}

TEST(VocalTract, MovesAPeakByItsFactorAndKeepsTheUpperEdge) {
  FeatureOptions options;
  options.low_hz = 0;
  options.high_hz = 8000;
  constexpr int kBands = 200;
  const auto center = [&](std::int64_t b) {
    const double top = 1127.0 * std::log(1 + 8000.0 / 700);
    return 700 * (std::exp(top * static_cast<double>(b + 1) / (kBands + 1) / 1127.0) - 1);
  };
  Tensor x = torch::zeros({1, 2 * kBands});
  for (std::int64_t b = 0; b < kBands; ++b) {
    x[0][b] = std::exp(-std::pow((center(b) - 2000) / 300, 2));
    x[0][kBands + b] = center(b);
  }
  for (const double factor : {0.8, 0.9, 1.1, 1.25}) {
    const Tensor y = vocal_tract_warped(x, 2, factor, options)[0];
    EXPECT_NEAR(center(y.narrow(0, 0, kBands).argmax().item<std::int64_t>()) * factor, 2000, 40) << factor;
    const Tensor source = y.narrow(0, kBands, kBands);
    EXPECT_TRUE((source.narrow(0, 1, kBands - 1) >= source.narrow(0, 0, kBands - 1)).all().item<bool>());
    EXPECT_NEAR(source[kBands - 1].item<double>(), center(kBands - 1), 150) << "the edge stays";
  }
  EXPECT_TRUE(torch::equal(vocal_tract_warped(x, 2, 1, options), x));
}

TEST(SphinxFeatures, AreReadAndBrokenFilesRefused) {
  const auto file = std::filesystem::temp_directory_path() / ("kgwalk_mfc_" + std::to_string(::getpid()));
  std::string bytes("\0\0\0\x04\x3f\x80\0\0\xc0\0\0\0\0\0\0\0\x40\x40\0\0", 20);  // 4 numbers: 1, -2, 0, 3
  write_file_atomically(file, bytes);
  EXPECT_LT(largest_difference(read_sphinx_features(file, 2), torch::tensor({{1.0F, -2.0F}, {0.0F, 3.0F}})),
            1e-9);
  EXPECT_THROW((void)read_sphinx_features(file, 3), FormatError) << "4 numbers are no frames of 3";
  write_file_atomically(file, bytes.substr(0, 18));
  EXPECT_THROW((void)read_sphinx_features(file, 2), FormatError);
  bytes[4] = '\x7f', bytes[5] = '\xc0';  // not a number
  write_file_atomically(file, bytes);
  EXPECT_THROW((void)read_sphinx_features(file, 2), FormatError);
  write_file_atomically(file, "");
  EXPECT_THROW((void)read_sphinx_features(file, 2), FormatError);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace kgwalk::seq2seq
