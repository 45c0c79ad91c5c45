// Where long sound is cut, and how what its pieces say is joined.
#include "seq2seq/tasks/recognition/long_sound.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kgwalk::seq2seq {
namespace {

constexpr int kToneRate = 8000;

// A loud tone, with silence in [from, to) seconds for each of the pauses.
Sound tone(double seconds, const std::vector<std::pair<double, double>>& pauses) {
  Sound sound{kToneRate, std::vector<float>(static_cast<std::size_t>(seconds * kToneRate))};
  for (std::size_t i = 0; i < sound.samples.size(); ++i)
    sound.samples[i] = 0.5F * std::sin(0.5F * static_cast<float>(i));
  for (const auto& [from, to] : pauses)
    std::fill(sound.samples.begin() + static_cast<std::ptrdiff_t>(from * kToneRate),
              sound.samples.begin() + static_cast<std::ptrdiff_t>(to * kToneRate), 0.0F);
  return sound;
}

std::vector<double> ends_of(const Sound& sound, double longest_s) {
  std::vector<double> ends;
  std::size_t at = 0;
  for (const SoundPiece& piece : cut_at_pauses(sound, longest_s)) {
    EXPECT_EQ(piece.begin, at) << "the pieces cover the sound";
    EXPECT_GT(piece.end, piece.begin);
    EXPECT_LE(piece.end - piece.begin, static_cast<std::size_t>(longest_s * sound.rate));
    at = piece.end;
    ends.push_back(static_cast<double>(at) / sound.rate);
  }
  EXPECT_EQ(at, sound.samples.size());
  return ends;
}

TEST(LongSound, IsCutInTheMiddleOfPauses) {
  const std::vector<double> ends =
      ends_of(tone(25, {{3, 3.4}, {7, 7.6}, {9, 9.05}, {13, 13.5}, {15.8, 16.3}}), 10);
  ASSERT_EQ(ends.size(), 3U);
  EXPECT_NEAR(ends[0], 7.3, 0.15) << "the pause of 3 s is in the first half, that at 9 s is short";
  EXPECT_NEAR(ends[1], 16.05, 0.1) << "of two pauses the later one";
  EXPECT_EQ(ends[2], 25);
}

TEST(LongSound, ShortSoundIsOnePieceAndNoRestIsTiny) {
  EXPECT_EQ(ends_of(tone(10, {{5, 6}}), 10), std::vector<double>{10});
  EXPECT_EQ(cut_at_pauses(Sound{kToneRate, {}}, 10).size(), 1U);
  const std::vector<double> rest = ends_of(tone(10.2, {}), 10);
  ASSERT_EQ(rest.size(), 2U);
  EXPECT_GE(rest[1] - rest[0], 2.4);
  EXPECT_GE(ends_of(tone(100, {}), 10).size(), 10U) << "without a pause it is cut all the same";
  EXPECT_GE(ends_of(Sound{kToneRate, std::vector<float>(100 * kToneRate)}, 10).size(), 10U) << "silence too";
}

TEST(LongSound, TextsAndTimesAreJoinedAndSilenceSaysNothing) {
  const Transcription silence{{SpeechHypothesis{}}, 2, kSilence};
  JoinedTranscription joined(" ");
  joined.add({{{"two words", -1, {{"two", 0.5, 1}, {"words", 1, 1.5}}}, {"too", -2, {}}}, 10, ""}, 0);
  joined.add(silence, 10);
  joined.add({{{"more", -0.5, {{"more", 0.25, 0.5}}}}, 8, ""}, 12);
  const Transcription whole = joined.finish(20);
  ASSERT_EQ(whole.hypotheses.size(), 1U);
  EXPECT_EQ(whole.best().text, "two words more");
  EXPECT_DOUBLE_EQ(whole.best().score, -1.5);
  ASSERT_EQ(whole.best().words.size(), 3U);
  EXPECT_DOUBLE_EQ(whole.best().words[2].begin_s, 12.25);
  EXPECT_DOUBLE_EQ(whole.best().words[2].end_s, 12.5);
  EXPECT_EQ(whole.seconds, 20);
  EXPECT_EQ(whole.note, "");
  JoinedTranscription nothing(" ");
  nothing.add(silence, 0);
  EXPECT_EQ(nothing.finish(2).note, kSilence);
}

}  // namespace
}  // namespace kgwalk::seq2seq
