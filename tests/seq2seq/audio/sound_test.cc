// Sound files: rates, channels, resampling, and what is wrong with a file.
#include "seq2seq/audio/sound.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::seq2seq {
namespace {

namespace fs = std::filesystem;

constexpr double kTurn = 6.283185307179586;

Sound tone(int rate, double hz, double seconds, double amplitude = 0.5) {
  Sound sound{rate, {}};
  for (int i = 0; i < static_cast<int>(rate * seconds); ++i)
    sound.samples.push_back(static_cast<float>(amplitude * std::sin(kTurn * hz * i / rate)));
  return sound;
}

// Share of a frequency in the middle of a sound, as an amplitude.
double amplitude_at(const Sound& sound, double hz) {
  const std::size_t begin = sound.samples.size() / 4, end = 3 * sound.samples.size() / 4;
  double re = 0, im = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double angle = kTurn * hz * static_cast<double>(i) / sound.rate;
    re += sound.samples[i] * std::cos(angle);
    im += sound.samples[i] * std::sin(angle);
  }
  return 2 * std::hypot(re, im) / static_cast<double>(end - begin);
}

class SoundFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("kgwalk_sound_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string error_of(const std::string& name) {
    try {
      (void)read_sound(folder_ / name);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  fs::path folder_;
};

TEST_F(SoundFiles, WavComesBackAtItsRateAndResampledToAnother) {
  const Sound written = tone(8000, 440, 0.5);
  write_wav(folder_ / "a.wav", written);
  const Sound same = read_sound(folder_ / "a.wav", 0);
  ASSERT_EQ(same.rate, 8000);
  ASSERT_EQ(same.samples.size(), written.samples.size());
  for (std::size_t i = 0; i < same.samples.size(); ++i)
    ASSERT_NEAR(same.samples[i], written.samples[i], 1.0 / 32000);
  const Sound twice = read_sound(folder_ / "a.wav");
  EXPECT_EQ(twice.rate, 16000);
  EXPECT_EQ(twice.samples.size(), 2 * written.samples.size());
  EXPECT_NEAR(amplitude_at(twice, 440), 0.5, 0.01);
  EXPECT_NEAR(twice.seconds(), 0.5, 1e-9);
}

TEST(Resampling, LeavesOutWhatTheNewRateCannotHold) {
  const Sound low = resampled(tone(16000, 6000, 0.5), 8000);
  EXPECT_LT(amplitude_at(low, 2000), 0.01) << "6 kHz must not come back as 2 kHz";
  EXPECT_NEAR(amplitude_at(resampled(tone(16000, 1000, 0.5), 8000), 1000), 0.5, 0.01);
}

TEST(Resampling, SpeedRaisesThePitchAndShortens) {
  const Sound fast = with_speed(tone(16000, 1000, 0.5), 1.1);
  EXPECT_EQ(fast.rate, 16000);
  EXPECT_EQ(fast.samples.size(), 7273u);
  EXPECT_NEAR(amplitude_at(fast, 1100), 0.5, 0.01);
  EXPECT_LT(amplitude_at(fast, 1000), 0.02);
  EXPECT_THROW((void)with_speed(fast, 0), ConfigError);
}

TEST_F(SoundFiles, ChannelsAreAveraged) {
  // 16-bit stereo by hand: left 0.5, right -0.25.
  std::string bytes(
      "RIFF\x34\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x80\x3e\0\0\0\xfa\0\0\x04\0\x10\0data\x10\0\0\0", 44);
  for (int i = 0; i < 4; ++i) bytes += std::string("\x00\x40\x00\xe0", 4);
  write_file_atomically(folder_ / "stereo.wav", bytes);
  const Sound sound = read_sound(folder_ / "stereo.wav");
  ASSERT_EQ(sound.samples.size(), 4u);
  for (const float sample : sound.samples) EXPECT_FLOAT_EQ(sample, 0.125F);
}

// As programs leave them that cannot go back to the head of what they write.
TEST_F(SoundFiles, WavWithoutItsLengthsIsReadToTheEnd) {
  const Sound whole = tone(16000, 440, 0.2);
  write_wav(folder_ / "whole.wav", whole);
  std::string bytes = read_file(folder_ / "whole.wav");
  ASSERT_EQ(bytes.substr(36, 4), "data");
  for (const std::size_t at : {4, 40}) bytes.replace(at, 4, 4, '\0');
  write_file_atomically(folder_ / "piped.wav", bytes);
  const Sound read = read_sound(folder_ / "piped.wav");
  EXPECT_EQ(read.samples, read_sound(folder_ / "whole.wav").samples);
  EXPECT_EQ(sound_from_bytes(bytes, "bytes", 16000, 10).samples, read.samples);
  EXPECT_THROW((void)sound_from_bytes(bytes.substr(0, 44), "bytes", 16000, 10), DataError) << "no sample";
}

TEST_F(SoundFiles, EachBrokenFileSaysWhatIsWrong) {
  write_wav(folder_ / "whole.wav", tone(16000, 300, 0.2));
  const std::string bytes = read_file(folder_ / "whole.wav");
  write_file_atomically(folder_ / "cut.wav", bytes.substr(0, bytes.size() / 2));
  write_file_atomically(folder_ / "text.wav", "this is no sound at all, but it is long enough to be one");
  write_file_atomically(folder_ / "empty.wav", "");
  write_file_atomically(folder_ / "head.wav", bytes.substr(0, 40) + std::string(4, '\0'));
  EXPECT_NE(error_of("cut.wav").find("is cut off"), std::string::npos) << error_of("cut.wav");
  EXPECT_NE(error_of("text.wav").find("no sound"), std::string::npos) << error_of("text.wav");
  EXPECT_NE(error_of("empty.wav").find("is empty"), std::string::npos) << error_of("empty.wav");
  EXPECT_NE(error_of("head.wav").find("no sample"), std::string::npos) << error_of("head.wav");
  std::string fast = bytes;
  fast[27] = 0x77;  // the highest byte of the rate
  write_file_atomically(folder_ / "fast.wav", fast);
  EXPECT_NE(error_of("fast.wav").find("fast.wav: says that it has"), std::string::npos)
      << error_of("fast.wav");
  EXPECT_NE(error_of("none.wav").find("no such file"), std::string::npos);
  EXPECT_NE(error_of(".").find("folder"), std::string::npos);
  EXPECT_EQ(error_of("whole.wav"), "");
}

TEST_F(SoundFiles, FlacReadsAndCutOffFlacIsRefused) {
  const char* set = std::getenv("KGWALK_DATA");
  const fs::path file = fs::path(set == nullptr ? "" : set) / "fsdd/recordings/0_george_0.flac";
  if (set == nullptr || !fs::exists(file)) GTEST_SKIP() << "the Free Spoken Digit Dataset is not there";
  EXPECT_EQ(read_sound(file, 0).rate, 8000);
  EXPECT_EQ(read_sound(file).samples.size(), 2 * read_sound(file, 0).samples.size());
  const std::string bytes = read_file(file);
  write_file_atomically(folder_ / "cut.flac", bytes.substr(0, bytes.size() / 2));
  EXPECT_NE(error_of("cut.flac").find("damaged"), std::string::npos) << error_of("cut.flac");
}

}  // namespace
}  // namespace kgwalk::seq2seq
