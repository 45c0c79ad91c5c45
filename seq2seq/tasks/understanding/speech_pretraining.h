// Self-supervised pre-training of a wav2vec 2.0 encoder by masked prediction of random-projection codes
// (BEST-RQ: Chiu, Qin, Zhang, Yu, Wu, "Self-supervised learning with random-projection quantizer for speech
// recognition", ICML 2022): stretches of frames are hidden, and the encoder tells which entry of a fixed
// random codebook lies nearest to a fixed random projection of the log-mel features there. Nothing of the
// quantizer is learned, so that it works within minutes on a processor.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "kgwalk/progress.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/models/wav2vec2.h"
#include "seq2seq/tasks/understanding/teacher.h"

namespace kgwalk::seq2seq {

struct CodebookOptions {
  int entries = 256;
  int width = 16;  // of the projection and the entries
  int bands = 40;  // of the log-mel features
  template <class F>
  void fields(F& f) {
    f("entries", entries, "Number of codes of the quantizer.").range(2, 1 << 20);
    f("width", width, "Width of the quantizer's random projection.").range(1, 4096);
    f("bands", bands, "Number of mel filters whose values are quantized.").range(3, 512);
  }
};

// The fixed quantizer: log-mel features of a frame's stretch, mean and deviation taken away over the
// utterance, projected and matched. Thread-safe.
class RandomCodebook {
 public:
  // `samples_per_frame` of the encoder; ConfigError unless it is a multiple of 160 (10 ms at 16 kHz).
  RandomCodebook(const CodebookOptions& options, std::int64_t samples_per_frame, std::uint64_t seed);
  // Codes of the first `frames` frames, int64 [frames].
  [[nodiscard]] torch::Tensor codes(const std::vector<float>& samples, std::int64_t frames) const;

 private:
  CodebookOptions options_;
  std::int64_t stacked_;                // log-mel frames a frame
  torch::Tensor projection_, entries_;  // [stacked * bands, width], [entries, width] of length 1
};

// Stretches of `length` frames, each frame beginning one with such a probability that about `share` of the
// frames are hidden; at least one stretch. bool [frames].
[[nodiscard]] std::vector<bool> hidden_frames(std::int64_t frames, double share, int length, Random& random);

struct SpeechPretrainConfig {
  Wav2Vec2Options model;
  CodebookOptions codebook;
  double mask_share = 0.4;  // of the frames
  int mask_frames = 5;      // hidden together
  double max_seconds = 20;  // longer utterances are refused; 0 = no limit
  int batch_frames = 1500;  // padding counted
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("model", model, "Encoder.");
    f("codebook", codebook, "Random-projection quantizer.");
    f("mask_share", mask_share, "Share of the frames that are hidden.").range(0.01, 0.95);
    f("mask_frames", mask_frames, "Number of frames that are hidden together.").range(1, 1000);
    f("max_seconds", max_seconds, "Longest utterance in seconds; 0 means no limit.").range(0, 1e6);
    f("batch_frames", batch_frames, "Number of frames in a batch, padding counted.").range(1, 1e7);
    f("trainer", trainer, "Training loop.");
  }
};
struct SpeechPretrainOptions {
  std::vector<std::filesystem::path> manifests;  // audio of every row, whatever its split, but of split "dev"
                                                 // and "test"; "dev" rows give the held-out loss
  std::filesystem::path run;
  SpeechPretrainConfig config;
  std::uint64_t seed = 1;
};

// Trains in a run folder of kind "task-slu-pretrain", resuming an interrupted run; RUN/encoder is what
// open_speech_encoder() reads. Errors as read_manifest(), read_speech() and the trainer's train().
PretrainReport pretrain_speech(const SpeechPretrainOptions& options, Reporter& reporter,
                               const StopFlag& stop);

}  // namespace kgwalk::seq2seq
