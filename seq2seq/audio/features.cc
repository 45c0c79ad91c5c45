#include "seq2seq/audio/features.h"

#include <torch/fft.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/audio/pitch.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

namespace {

constexpr double kFullScale = 32768;  // Kaldi reads 16-bit integers
constexpr double kFloor = std::numeric_limits<float>::epsilon();

struct Framing {
  std::int64_t length, shift, fft;
};

Framing framing_of(const FeatureOptions& o) {
  const auto length = static_cast<std::int64_t>(o.rate * 0.001 * o.frame_ms);
  return {length, o.shift_samples(),
          static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(length)))};
}

double upper_edge(const FeatureOptions& o) { return o.high_hz > 0 ? o.high_hz : o.rate / 2.0 + o.high_hz; }

double mel(double hz) { return 1127.0 * std::log(1.0 + hz / 700.0); }

// Hann's window to the power of 0.85.
Tensor povey_window(std::int64_t length) {
  const Tensor window = torch::empty({length}, torch::kFloat64);
  for (std::int64_t i = 0; i < length; ++i)
    window.data_ptr<double>()[i] = std::pow(
        0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(length - 1)),
        0.85);
  return window;
}

// Triangles that are linear in mel: [fft / 2 + 1, bands]; the highest bin has no weight.
Tensor mel_filters(const FeatureOptions& o, std::int64_t fft) {
  const double low = mel(o.low_hz), width = (mel(upper_edge(o)) - low) / (o.bands + 1);
  const Tensor filters = torch::zeros({fft / 2 + 1, o.bands}, torch::kFloat64);
  auto cell = filters.accessor<double, 2>();
  for (std::int64_t i = 0; i < fft / 2; ++i) {
    const double m = mel(static_cast<double>(o.rate) / static_cast<double>(fft) * static_cast<double>(i));
    for (int b = 0; b < o.bands; ++b) {
      const double left = low + b * width, center = left + width, right = center + width;
      if (m > left && m < right) cell[i][b] = m <= center ? (m - left) / width : (right - m) / width;
    }
  }
  return filters;
}

// Orthonormal DCT-II, liftered: [bands, cepstra].
Tensor cepstrum_matrix(const FeatureOptions& o) {
  const Tensor matrix = torch::empty({o.bands, o.cepstra}, torch::kFloat64);
  auto cell = matrix.accessor<double, 2>();
  for (int c = 0; c < o.cepstra; ++c) {
    const double lift = o.lifter > 0 ? 1 + 0.5 * o.lifter * std::sin(std::numbers::pi * c / o.lifter) : 1;
    for (int b = 0; b < o.bands; ++b)
      cell[b][c] = lift * std::sqrt((c == 0 ? 1.0 : 2.0) / o.bands) *
                   std::cos(std::numbers::pi / o.bands * (b + 0.5) * c);
  }
  return matrix;
}

Tensor log_floored(const Tensor& x) { return x.clamp_min(kFloor).log(); }

// Frames without their means, float64 [T, length].
Tensor frames_of(const Sound& sound, const Framing& framing) {
  const Tensor samples = torch::from_blob(const_cast<float*>(sound.samples.data()),
                                          {static_cast<std::int64_t>(sound.samples.size())}, torch::kFloat32)
                             .to(torch::kFloat64) *
                         kFullScale;
  const Tensor frames = samples.unfold(0, framing.length, framing.shift);
  return frames - frames.mean(1, true);
}

Tensor power_spectrum(const Tensor& frames, const FeatureOptions& o, const Framing& framing) {
  const std::int64_t last = framing.length - 1;
  const Tensor before = torch::cat({frames.narrow(1, 0, 1), frames.narrow(1, 0, last)}, 1);
  const Tensor windowed = (frames - o.preemphasis * before) * povey_window(framing.length);
  return torch::fft::rfft(windowed, framing.fft, 1).abs().square();  // [T, fft / 2 + 1]
}

Tensor spectral_features(const Sound& sound, const FeatureOptions& o, const Framing& framing) {
  const Tensor frames = frames_of(sound, framing);
  Tensor x = log_floored(torch::matmul(power_spectrum(frames, o, framing), mel_filters(o, framing.fft)));
  if (o.kind == FeatureKind::kMfcc) x = torch::matmul(x, cepstrum_matrix(o));
  if (!o.energy) return x;
  const Tensor energy = log_floored(frames.square().sum(1, true));
  return torch::cat({energy, o.kind == FeatureKind::kMfcc ? x.narrow(1, 1, o.cepstra - 1) : x}, 1);
}

}  // namespace

void FeatureOptions::check(Problems& problems) const {
  const double high = upper_edge(*this);
  if (high > rate / 2.0 || high <= low_hz)
    problems.add("high_hz", "must lie between low_hz and half of the rate");
  if (pitch && shift_ms != 10) problems.add("pitch", "is tracked every 10 ms; set shift_ms to 10");
  if (kind == FeatureKind::kMfcc && cepstra > bands) problems.add("cepstra", "are more than bands");
}

std::int64_t FeatureOptions::shift_samples() const {
  return static_cast<std::int64_t>(rate * 0.001 * shift_ms);
}

int FeatureOptions::width() const {
  return ((kind == FeatureKind::kMfcc ? cepstra : bands + (energy ? 1 : 0)) + (pitch ? kPitchWidth : 0)) *
         (1 + deltas);
}

Tensor features_of(const Sound& sound, const FeatureOptions& o) {
  if (sound.rate != o.rate)
    throw ConfigError("features are for " + std::to_string(o.rate) + " samples a second, the sound has " +
                      std::to_string(sound.rate));
  const Framing framing = framing_of(o);
  if (static_cast<std::int64_t>(sound.samples.size()) < framing.length)
    return torch::zeros({0, o.width()}, torch::kFloat32);
  Tensor x = spectral_features(sound, o, framing).to(torch::kFloat32);
  if (o.pitch) {
    std::vector<float> pitch = pitch_features_of(sound, static_cast<int>(x.size(0)));
    x = torch::cat({x, torch::from_blob(pitch.data(), {x.size(0), kPitchWidth}, torch::kFloat32)}, 1);
  }
  return with_deltas(x, o.deltas);
}

Tensor spectrum_of_cepstra(const Tensor& x, int bands) {
  const std::int64_t cepstra = x.size(1);
  const Tensor back = torch::empty({cepstra, bands}, torch::kFloat32);
  auto cell = back.accessor<float, 2>();
  for (std::int64_t c = 0; c < cepstra; ++c)
    for (int b = 0; b < bands; ++b)
      cell[c][b] = static_cast<float>(
          (c == 0 ? 1.0 : 2.0) * std::cos(std::numbers::pi * static_cast<double>(c) * (b + 0.5) / bands));
  return torch::matmul(x, back);
}

Tensor vocal_tract_warped(const Tensor& x, int groups, double factor, const FeatureOptions& o) {
  const std::int64_t bands = x.size(1) / groups;
  if (factor == 1 || bands < 2) return x;
  const double high = upper_edge(o), low = mel(o.low_hz),
               width = (mel(high) - low) / static_cast<double>(bands + 1);
  // From this frequency on the map is bent so that the upper edge stays.
  const double bend = 0.8 * high / std::max(1.0, factor);
  const Tensor left = torch::empty({bands}, torch::kInt64), share = torch::empty({bands});
  for (std::int64_t b = 0; b < bands; ++b) {
    const double hz = 700 * (std::exp((low + static_cast<double>(b + 1) * width) / 1127.0) - 1);
    const double from =
        hz <= bend ? hz * factor : high - (high - bend * factor) / (high - bend) * (high - hz);
    const double place = std::clamp((mel(from) - low) / width - 1, 0.0, static_cast<double>(bands - 1));
    const auto whole = std::min(static_cast<std::int64_t>(place), bands - 2);
    left.data_ptr<std::int64_t>()[b] = whole;
    share.data_ptr<float>()[b] = static_cast<float>(place - static_cast<double>(whole));
  }
  const Tensor y = x.reshape({x.size(0), groups, bands});
  return torch::lerp(y.index_select(2, left), y.index_select(2, left + 1), share).reshape_as(x);
}

Tensor with_deltas(const Tensor& x, int order) {
  if (order == 0 || x.size(0) == 0) return x;
  const std::int64_t frames = x.size(0);
  const Tensor places = torch::arange(frames, torch::kInt64);
  const auto difference = [&](const Tensor& y) {
    Tensor sum = torch::zeros_like(y);
    for (int k = 1; k <= 2; ++k)
      sum = sum + k * (y.index_select(0, (places + k).clamp_max(frames - 1)) -
                       y.index_select(0, (places - k).clamp_min(0)));
    return sum / 10;
  };
  std::vector<Tensor> all{x};
  for (int i = 0; i < order; ++i) all.push_back(difference(all.back()));
  return torch::cat(all, 1);
}

Tensor read_sphinx_features(const std::filesystem::path& file, int width) {
  const std::string bytes = read_file(file);
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at * 4 + i]);
    return value;
  };
  if (bytes.size() < 4) throw FormatError(file.string() + ": is too short to hold features");
  const std::size_t count = word(0);
  if (bytes.size() != 4 + 4 * count)
    throw FormatError(file.string() + ": promises " + std::to_string(count) + " numbers, holds " +
                      std::to_string((bytes.size() - 4) / 4) + "; big-endian counts and floats are expected");
  if (count % static_cast<std::size_t>(width) != 0)
    throw FormatError(file.string() + ": " + std::to_string(count) + " numbers are no frames of " +
                      std::to_string(width));
  const Tensor x = torch::empty({static_cast<std::int64_t>(count) / width, width}, torch::kFloat32);
  for (std::size_t i = 0; i < count; ++i) x.data_ptr<float>()[i] = std::bit_cast<float>(word(i + 1));
  if (!torch::isfinite(x).all().item<bool>())
    throw FormatError(file.string() + ": holds values that are no numbers");
  return x;
}

void FeatureStatistics::add(const Tensor& x) {
  const Tensor wide = x.to(torch::kFloat64);
  sum_ = sum_.defined() ? sum_ + wide.sum(0) : wide.sum(0);
  squares_ = squares_.defined() ? squares_ + wide.square().sum(0) : wide.square().sum(0);
  frames_ += static_cast<double>(x.size(0));
}

Tensor FeatureStatistics::mean() const {
  if (frames_ == 0) throw ConfigError("there are no frames to take a mean of");
  return (sum_ / frames_).to(torch::kFloat32);
}

Tensor FeatureStatistics::deviation() const {
  if (frames_ == 0) throw ConfigError("there are no frames to take a deviation of");
  const Tensor mean = sum_ / frames_;
  return (squares_ / frames_ - mean.square()).clamp_min(1e-10).sqrt().to(torch::kFloat32);
}

Tensor normalized_utterance(const Tensor& x, bool variance) {
  if (x.size(0) == 0) return x;
  const Tensor centered = x - x.mean(0, true);
  if (!variance) return centered;
  const Tensor deviation = centered.square().mean(0, true).sqrt();
  return torch::where(deviation > 1e-5, centered / deviation.clamp_min(1e-5), torch::zeros_like(centered));
}

}  // namespace kgwalk::seq2seq
