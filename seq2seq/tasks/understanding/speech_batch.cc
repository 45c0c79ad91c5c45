#include "seq2seq/tasks/understanding/speech_batch.h"

#include <algorithm>

#include "kgwalk/error.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/device.h"
#include "seq2seq/audio/sound.h"
#include "seq2seq/tasks/batching.h"
#include "seq2seq/tasks/understanding/run_kinds.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

std::vector<float> read_speech(const std::filesystem::path& file, const Wav2Vec2Options& options,
                               double max_seconds) {
  Sound sound = read_sound(file, kSpeechRate);
  if (options.frames(static_cast<std::int64_t>(sound.samples.size())) < 1)
    throw DataError(file.string(), 0,
                    "is too short: " + std::to_string(sound.samples.size()) +
                        " samples at 16 kHz, one frame needs " + std::to_string(options.receptive_field()));
  if (max_seconds > 0 && sound.seconds() > max_seconds)
    throw DataError(file.string(), 0,
                    "lasts " + std::to_string(sound.seconds()) + " s, more than max_seconds " +
                        std::to_string(max_seconds) + "; cut it or raise the limit");
  normalize_samples(sound.samples);
  return std::move(sound.samples);
}

std::vector<std::vector<float>> read_all_speech(const Manifest& manifest, std::span<const std::size_t> places,
                                                const Wav2Vec2Options& options, double max_seconds,
                                                Reporter& reporter) {
  const auto progress = reporter.start("reading sounds", static_cast<std::int64_t>(places.size()), "files");
  std::vector<std::vector<float>> waves;
  for (const std::size_t place : places) {
    waves.push_back(read_speech(manifest.items[place].file, options, max_seconds));
    progress->add(1);
  }
  return waves;
}

SpeechInput pad_speech(std::span<const std::vector<float>* const> waves) {
  std::size_t longest = 0, shortest = SIZE_MAX;
  for (const std::vector<float>* wave : waves) {
    longest = std::max(longest, wave->size());
    shortest = std::min(shortest, wave->size());
  }
  const auto count = static_cast<std::int64_t>(waves.size());
  SpeechInput input;
  input.samples = torch::zeros({count, static_cast<std::int64_t>(longest)});
  Tensor lengths = torch::empty({count}, torch::kInt64);
  for (std::int64_t b = 0; b < count; ++b) {
    const std::vector<float>& wave = *waves[static_cast<std::size_t>(b)];
    std::copy(wave.begin(), wave.end(),
              input.samples.data_ptr<float>() + b * static_cast<std::int64_t>(longest));
    lengths[b] = static_cast<std::int64_t>(wave.size());
  }
  if (shortest < longest) input.lengths = lengths;
  return input;
}

SpeechInput pad_speech(const std::vector<std::vector<float>>& waves, std::span<const std::size_t> places) {
  std::vector<const std::vector<float>*> chosen;
  for (const std::size_t place : places) chosen.push_back(&waves[place]);
  return pad_speech(chosen);
}

std::vector<std::int64_t> frames_of(const std::vector<std::vector<float>>& waves,
                                    const Wav2Vec2Options& options) {
  std::vector<std::int64_t> frames;
  for (const std::vector<float>& wave : waves)
    frames.push_back(options.frames(static_cast<std::int64_t>(wave.size())));
  return frames;
}

std::vector<std::vector<std::size_t>> frame_batches(std::span<const std::int64_t> frames,
                                                    std::int64_t max_frames, Random& random) {
  std::vector<LengthPair> lengths;
  for (const std::int64_t count : frames) lengths.push_back({count, count});
  return token_batches(lengths, max_frames, random);
}

Wav2Vec2 open_speech_encoder(const std::filesystem::path& path) {
  const auto load = [](const std::filesystem::path& folder) {
    Wav2Vec2 encoder = load_wav2vec2(folder);
    move_to(*encoder, compute_device());
    return encoder;
  };
  if (!RunFolder::is_run(path)) return load(path);
  constexpr RunKind kinds[] = {kSpeechEncoderRun, kAlignRun};
  const RunFolder run = RunFolder::open(path, kinds);
  if (!std::filesystem::exists(path / "encoder"))
    throw FormatError(path.string() + ": the training has not finished; resume it",
                      Remedy{Remedy::kTrain, run.manifest().command});
  return load(path / "encoder");
}

}  // namespace kgwalk::seq2seq
