// Pitch and voicing a frame, after Kaldi's tracker (Ghahremani et al., ICASSP 2014): normalized
// cross-correlation of the sound at 4 kHz, interpolated to lags that grow by 0.5 %, and the cheapest
// path through them. The whole sound is searched at once, and ends are padded with zeros, where Kaldi
// works online. Torch-free.
#pragma once

#include <vector>

#include "seq2seq/audio/sound.h"

namespace kgwalk::seq2seq {

inline constexpr int kPitchWidth = 3;

struct PitchFrame {
  double hz = 0;           // of the path, also where nothing is voiced
  double correlation = 0;  // normalized cross-correlation there, -1 .. 1
};

// One entry for each of `frames` frames, 10 ms apart; samples at 4 kHz and the scale of 16-bit integers.
[[nodiscard]] std::vector<PitchFrame> track_pitch(std::span<const float> samples, int frames);

// What recognizers read (process-kaldi-pitch-feats without its noise): voicing 2 ((1.0001 - n)^0.15 - 1); 2
// times the logarithm of the pitch less its mean over 151 frames weighted by the probability of voicing; 10
// times the slope of the logarithm. Row-major [frames, 3].
[[nodiscard]] std::vector<float> pitch_features(std::span<const PitchFrame> track);

// Both for a sound of any rate; `frames` as many as its other features have.
[[nodiscard]] std::vector<float> pitch_features_of(const Sound& sound, int frames);

}  // namespace kgwalk::seq2seq
