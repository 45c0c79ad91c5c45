// Sound from files (wav, flac and whatever else libsndfile reads), mixed down and resampled. Torch-free.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/progress.h"

namespace kgwalk::seq2seq {

// One channel in [-1, 1] (full scale of the file).
struct Sound {
  int rate = 0;  // samples a second
  std::vector<float> samples;
  [[nodiscard]] double seconds() const {
    return rate > 0 ? static_cast<double>(samples.size()) / static_cast<double>(rate) : 0;
  }
};

// The whole file at `rate` (0 = the file's own), channels averaged. IoError when it cannot be opened;
// DataError when it is no sound, holds no sample, ends before its header says, or holds values that
// are no numbers. A pipe is opened and read once; Stopped when the flag is raised before its end.
[[nodiscard]] Sound read_sound(const std::filesystem::path& file, int rate = 16000,
                               const StopFlag& stop = never_stop());

// The same for the bytes of a file, which messages call `name`. DataError also when it lasts longer than
// `max_seconds`, which is noticed before its samples are read.
[[nodiscard]] Sound sound_from_bytes(std::string_view bytes, const std::string& name, int rate,
                                     double max_seconds);

// As 16-bit wav; values beyond [-1, 1] are clipped. IoError.
void write_wav(const std::filesystem::path& file, const Sound& sound);

// Band-limited resampling (libsamplerate, its medium sinc filter); unchanged when the rates agree.
[[nodiscard]] Sound resampled(const Sound& sound, int rate);

// The same sound `factor` times faster, pitch and all (speed perturbation of Ko et al., INTERSPEECH 2015):
// 1 / factor times as many samples at the same rate. ConfigError unless factor is within [0.25, 4].
[[nodiscard]] Sound with_speed(const Sound& sound, double factor);

}  // namespace kgwalk::seq2seq
