// Acoustic features as Kaldi computes them (compute-fbank-feats, compute-mfcc-feats without dither): log-mel
// filter banks and MFCC, optional pitch, differences over time; and the masks of SpecAugment.
//
// Shapes: T frames, F values a frame. The spectrum comes from LibTorch's FFT: one library less, and far below
// the cost of any model.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/config.h"
#include "runtime/random.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/audio/sound.h"

namespace kgwalk::seq2seq {

// Log-mel filter banks or cepstra.
enum class FeatureKind { kFbank, kMfcc };
constexpr auto choice_names(FeatureKind) { return choices_in_order<FeatureKind>("fbank", "mfcc"); }

struct FeatureOptions {
  Choice<FeatureKind> kind = FeatureKind::kFbank;
  int rate = 16000;      // sounds are resampled to it
  double frame_ms = 25;  // length of a frame
  double shift_ms = 10;  // from frame to frame; frames that do not fit wholly are left out
  int bands = 80;        // mel filters
  int cepstra = 13;      // mfcc: coefficients, the zeroth replaced by the log-energy with `energy`
  double low_hz = 20;    // edges of the filters
  double high_hz = 0;    // 0 = half of the rate; negative: below that
  double preemphasis = 0.97;
  double lifter = 22;   // mfcc: cepstral liftering; 0 = none
  bool energy = false;  // log-energy of the raw frame: fbank in front, mfcc as the zeroth
  bool pitch = false;   // three more values a frame, behind the others (audio/pitch.h)
  int deltas = 0;       // differences over time, of first and second order, over two frames on both sides
  template <class F>
  void fields(F& f) {
    f("kind", kind, "Log-mel filter banks (fbank) or cepstra (mfcc).");
    f("rate", rate, "Sampling rate that sound is brought to, in Hz.").range(1000, 192000);
    f("frame_ms", frame_ms, "Length of a frame in milliseconds.").range(1, 1000);
    f("shift_ms", shift_ms, "Time from one frame to the next in milliseconds.").range(1, 1000);
    f("bands", bands, "Number of mel filters.").range(3, 512);
    f("cepstra", cepstra, "Number of coefficients of mfcc.").range(1, 512);
    f("low_hz", low_hz, "Lower edge of the filters in Hz.").range(0, 96000);
    f("high_hz", high_hz,
      "Upper edge of the filters in Hz; 0 is half of the rate, a negative number so much "
      "below it.")
        .range(-96000, 96000);
    f("preemphasis", preemphasis, "Share of the previous sample that is taken away from each.").range(0, 1);
    f("lifter", lifter, "Cepstral liftering; 0 means none.").range(0, 1000);
    f("energy", energy, "The log-energy of the raw frame is a value too.");
    f("pitch", pitch, "Voicing, log-pitch and its slope are values too; shift_ms must be 10.");
    f("deltas", deltas, "Number of orders of differences over time that are added.").range(0, 2);
  }
  void check(Problems& problems) const;
  [[nodiscard]] int width() const;                   // F
  [[nodiscard]] std::int64_t shift_samples() const;  // from frame to frame
};

// float32 [T, F] of a sound at options.rate (ConfigError at another); T = 0 when it is shorter than a frame.
// Samples count at the scale of 16-bit integers. Thread-safe.
[[nodiscard]] torch::Tensor features_of(const Sound& sound, const FeatureOptions& options);

// x [T, F] with its differences up to `order` behind it, [T, (order + 1) F] (Kaldi's add-deltas, window 2).
[[nodiscard]] torch::Tensor with_deltas(const torch::Tensor& x, int order);

// Features of CMU Sphinx: a big-endian int32 count, then as many float32, `width` a frame; float32 [T,
// width]. FormatError when the file does not hold what its count says.
[[nodiscard]] torch::Tensor read_sphinx_features(const std::filesystem::path& file, int width = 13);

// Cepstra [T, C] of CMU Sphinx (its legacy cosine transform, unliftered) turned back into `bands` log-mel
// values [T, bands]: the spectrum without the detail that the missing coefficients held. Neighbors are near
// in frequency again, as convolutions, masks and warping suppose.
[[nodiscard]] torch::Tensor spectrum_of_cepstra(const torch::Tensor& x, int bands);

// x [T, groups * B], B log-mel bands between options.low_hz and the upper edge side by side with their
// differences, as a vocal tract would have sounded that changes every frequency by `factor` (Jaitly and
// Hinton, 2013): piecewise linear in hertz, the upper edge stays. float32 [T, groups * B].
[[nodiscard]] torch::Tensor vocal_tract_warped(const torch::Tensor& x, int groups, double factor,
                                               const FeatureOptions& options);

// Mean and deviation of every value over all frames seen (global normalization).
class FeatureStatistics {
 public:
  void add(const torch::Tensor& x);               // [T, F]
  [[nodiscard]] torch::Tensor mean() const;       // float32 [F]
  [[nodiscard]] torch::Tensor deviation() const;  // float32 [F], at least 1e-5
  [[nodiscard]] double frames() const noexcept { return frames_; }

 private:
  torch::Tensor sum_, squares_;  // float64 [F]
  double frames_ = 0;
};

// x [T, F] with mean 0 and, with `variance`, deviation 1 of every value over its own frames. A value that
// does not change becomes 0.
[[nodiscard]] torch::Tensor normalized_utterance(const torch::Tensor& x, bool variance);

// SpecAugment (Park et al., INTERSPEECH 2019): time warping, masks in frequency and in time; and how far
// vocal_tract_warped may go, which is called apart.
struct SpecAugmentOptions {
  int warp = 5;  // frames that a point may be moved; 0 = none
  int frequency_masks = 2;
  int frequency_width = 27;  // values at most
  int time_masks = 2;
  int time_width = 40;      // frames at most
  double time_share = 0.2;  // and at most this share of the utterance
  double vocal_tract = 0;   // every frequency changes by up to this share; bands only
  template <class F>
  void fields(F& f) {
    f("warp", warp, "Number of frames by which a point in time may be moved in training; 0 means none.")
        .range(0, 1000);
    f("frequency_masks", frequency_masks, "Number of masks over values in training.").range(0, 100);
    f("frequency_width", frequency_width, "Widest mask over values.").range(0, 1000);
    f("time_masks", time_masks, "Number of masks over frames in training.").range(0, 100);
    f("time_width", time_width, "Widest mask over frames, in frames.").range(0, 10000);
    f("time_share", time_share, "Widest mask over frames, as a share of the utterance.").range(0, 1);
    f("vocal_tract", vocal_tract, "Largest change of all frequencies in training, as a share; 0 means none.")
        .range(0, 0.4);
  }
};
// A changed copy of x [T, F]; what is masked becomes `fill`, the mean of normalized features. With `repeats`
// > 1 the values of a frame are so many groups side by side (deltas), masked alike.
[[nodiscard]] torch::Tensor spec_augmented(const torch::Tensor& x, const SpecAugmentOptions& options,
                                           int repeats, Random& random, double fill = 0);

}  // namespace kgwalk::seq2seq
