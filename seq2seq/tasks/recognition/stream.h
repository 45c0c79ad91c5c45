// Recognition of sound while it is heard, with a model whose frames see chunks (CtcAttentionOptions::chunk):
//
//   SpeechStream stream(recognizer);
//   while (microphone.read(samples)) { stream.hear(samples); show(stream.text()); }
//   const Transcription all = stream.finish();
//
// A chunk is computed as soon as its last frame and that one's look-ahead are heard, over a window that holds
// every frame it depends on; so the result is that of the whole sound at once, and a stream's cost grows with
// its length alone: a chunk costs layers x (left chunks + the convolution's reach) + 2 chunks of the encoder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/tasks/recognition/recognizer.h"

namespace kgwalk::seq2seq {

// One utterance; not thread-safe, but streams of one recognizer are independent. Memory grows by the frames'
// scores, units x 4 bytes each.
class SpeechStream {
 public:
  // Borrows the recognizer. ConfigError unless it reads sound, has chunks, searches by CTC, and normalizes by
  // nothing that only the whole utterance tells (utterance_norm, pitch, absolute positions).
  explicit SpeechStream(const Recognizer& recognizer);

  // More samples in [-1, 1] at the model's rate, any number of them.
  void hear(std::span<const float> samples);
  // The end: what is still unsettled is settled. The same as transcribing the whole sound at once.
  Transcription finish();

  // The best path's text over the settled frames; it only grows. Behind what was heard by at most the model's
  // latency_frames() and the time to compute.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] double heard_s() const noexcept;
  [[nodiscard]] double settled_s() const noexcept;

 private:
  void frame_samples();
  void settle(bool last);
  [[nodiscard]] std::int64_t finished_frames(bool last) const;
  // First frame (after subsampling) of the window that the states from `frame` on are computed in.
  [[nodiscard]] std::int64_t window_begin(std::int64_t frame) const;
  void append(const torch::Tensor& scores);

  const Recognizer& recognizer_;
  FeatureOptions plain_;        // without differences
  std::int64_t reach_ = 0;      // chunks before its own that a frame's state depends on; -1 = all
  std::vector<float> samples_;  // not yet in a frame, or shared with the next one
  torch::Tensor base_;          // [frames from first_ on, values], without differences
  std::int64_t first_ = 0;      // frame that base_ begins with
  std::int64_t settled_ = 0;    // frames after subsampling
  std::int64_t heard_ = 0;      // samples
  bool sounded_ = false, finished_ = false;
  std::vector<torch::Tensor> scores_;  // [frames, V] each
  std::vector<int> units_;
  int last_ = -1;  // best unit of the last settled frame
  std::string text_;
};

}  // namespace kgwalk::seq2seq
