// The pitch tracker against golden values of an independent script, and on tones.
#include "seq2seq/audio/pitch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/json_text.h"

namespace kgwalk::seq2seq {
namespace {

TEST(Pitch, EqualsTheReference) {
  const Json golden = read_json_file(std::string(KGWALK_SOURCE_DIR) + "/tests/golden/pitch.json");
  const auto samples = golden["samples"].get<std::vector<float>>();
  const auto hz = golden["hz"].get<std::vector<double>>();
  const auto rows = golden["features"].get<std::vector<std::vector<double>>>();
  const std::vector<PitchFrame> track = track_pitch(samples, static_cast<int>(hz.size()));
  const std::vector<float> features = pitch_features(track);
  ASSERT_EQ(features.size(), 3 * rows.size());
  for (std::size_t t = 0; t < hz.size(); ++t) {
    EXPECT_NEAR(track[t].hz, hz[t], 1e-3) << t;
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(features[3 * t + c], rows[t][c], 1e-3) << t << " " << c;
  }
}

TEST(Pitch, OfATriangleIsItsFrequencyAndSilenceIsUnvoiced) {
  Sound sound{16000, {}};
  for (int i = 0; i < 8000; ++i)
    sound.samples.push_back(static_cast<float>(0.5 * std::fabs(2 * std::fmod(150.0 * i / 16000, 1.0) - 1)));
  Sound low = resampled(sound, 4000);
  for (float& x : low.samples) x *= 32768;
  for (const PitchFrame& frame : track_pitch(std::span(low.samples).subspan(400, 1200), 20)) {
    EXPECT_NEAR(frame.hz, 150, 1.5);
    EXPECT_GT(frame.correlation, 0.98);
  }
  const std::vector<float> silent = pitch_features_of({16000, std::vector<float>(4000, 0.0F)}, 20);
  ASSERT_EQ(silent.size(), 60u);
  for (const float value : silent) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace kgwalk::seq2seq
