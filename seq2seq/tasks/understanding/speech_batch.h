// Sounds as what a wav2vec 2.0 encoder reads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kgwalk/progress.h"
#include "runtime/random.h"
#include "seq2seq/models/wav2vec2.h"
#include "seq2seq/tasks/understanding/manifest.h"

namespace kgwalk::seq2seq {

inline constexpr int kSpeechRate = 16000;  // samples a second

// Normalized samples of the item's file at 16 kHz. DataError naming file and length when it is shorter than a
// frame of the model or longer than max_seconds (0 = no limit); errors as read_sound's.
[[nodiscard]] std::vector<float> read_speech(const std::filesystem::path& file,
                                             const Wav2Vec2Options& options, double max_seconds);

// Those of many items, in order.
[[nodiscard]] std::vector<std::vector<float>> read_all_speech(const Manifest& manifest,
                                                              std::span<const std::size_t> places,
                                                              const Wav2Vec2Options& options,
                                                              double max_seconds, Reporter& reporter);

// Waveforms side by side, zeros behind the shorter ones.
[[nodiscard]] SpeechInput pad_speech(std::span<const std::vector<float>* const> waves);
// The chosen ones of a list.
[[nodiscard]] SpeechInput pad_speech(const std::vector<std::vector<float>>& waves,
                                     std::span<const std::size_t> places);

// Frames of each waveform, as token_batches() wants lengths.
[[nodiscard]] std::vector<std::int64_t> frames_of(const std::vector<std::vector<float>>& waves,
                                                  const Wav2Vec2Options& options);
// Batches of similar lengths with at most `max_frames` frames, padding counted.
[[nodiscard]] std::vector<std::vector<std::size_t>> frame_batches(std::span<const std::int64_t> frames,
                                                                  std::int64_t max_frames, Random& random);

// The encoder of a folder in Hugging Face's format, or of a finished run of `kgwalk task slu pretrain` or
// `align`. FormatError for other ones.
[[nodiscard]] Wav2Vec2 open_speech_encoder(const std::filesystem::path& path);

}  // namespace kgwalk::seq2seq
