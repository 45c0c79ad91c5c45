#include "seq2seq/tasks/recognition/stream.h"

#include <algorithm>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

namespace {

constexpr int kDifferenceReach = 2;  // frames on both sides, of each order (with_deltas)

// Chunks that hold n frames.
std::int64_t chunks_of(std::int64_t n, std::int64_t chunk) { return (n + chunk - 1) / chunk; }

void check_stream(const RecognitionConfig& config) {
  const CtcAttentionOptions& model = config.model;
  if (config.input != SpeechInputKind::kSound)
    throw ConfigError("streaming: this recognizer reads files of features, not sound");
  if (model.chunk == 0)
    throw ConfigError(
        "streaming: this recognizer hears whole utterances; train one with model.chunk (preset streaming)");
  if (config.search.method == SpeechSearch::kJoint)
    throw ConfigError(
        "streaming: search.method must be ctc_greedy or ctc_beam; the decoder reads whole utterances");
  if (config.utterance_norm != UtteranceNorm::kNone)
    throw ConfigError("streaming: utterance_norm '" + std::string(config.utterance_norm.name()) +
                      "' needs the whole utterance; use none");
  if (config.features.pitch) throw ConfigError("streaming: pitch is tracked over whole utterances");
  if (model.positions != AddedPositions::kNone)
    throw ConfigError("streaming: model.positions must be none, with encoder.relative_positions");
}

}  // namespace

SpeechStream::SpeechStream(const Recognizer& recognizer)
    : recognizer_(recognizer), plain_(recognizer.config().features) {
  check_stream(recognizer.config());
  plain_.deltas = 0;
  const CtcAttentionOptions& model = recognizer.config().model;
  const int convolution = std::max(0, model.encoder.conformer.kernel - 1);
  reach_ = model.left_chunks == 0
               ? -1
               : model.encoder.layers * (model.left_chunks + chunks_of(convolution, model.chunk));
  base_ = torch::zeros({0, plain_.width()});
}

double SpeechStream::heard_s() const noexcept { return static_cast<double>(heard_) / plain_.rate; }

double SpeechStream::settled_s() const noexcept {
  return static_cast<double>(settled_ * recognizer_.config().model.subsampling.factor) * plain_.shift_ms /
         1000;
}

void SpeechStream::hear(std::span<const float> samples) {
  if (finished_) throw ConfigError("streaming: this stream is finished; begin another one");
  const torch::NoGradGuard no_grad;
  heard_ += static_cast<std::int64_t>(samples.size());
  sounded_ = sounded_ || std::any_of(samples.begin(), samples.end(), [](float x) { return x != 0; });
  samples_.insert(samples_.end(), samples.begin(), samples.end());
  frame_samples();
  settle(false);
}

// Frames that are whole by now; their samples go, except those that the next frame shares.
void SpeechStream::frame_samples() {
  const Tensor x = features_of(Sound{plain_.rate, samples_}, plain_);
  if (x.size(0) == 0) return;
  base_ = torch::cat({base_, x});
  samples_.erase(samples_.begin(), samples_.begin() + x.size(0) * plain_.shift_samples());
}

// Frames whose differences no later frame changes.
std::int64_t SpeechStream::finished_frames(bool last) const {
  const std::int64_t frames = first_ + base_.size(0);
  const int wait = recognizer_.config().features.deltas * kDifferenceReach;
  return last ? frames : std::max<std::int64_t>(0, frames - wait);
}

// One chunk more than a state depends on: a window's first frame has zeros before it where the subsampling
// would see earlier frames.
std::int64_t SpeechStream::window_begin(std::int64_t frame) const {
  const std::int64_t chunk = recognizer_.config().model.chunk;
  return reach_ < 0 ? 0 : std::max<std::int64_t>(0, frame / chunk - reach_ - 1) * chunk;
}

void SpeechStream::settle(bool last) {
  const RecognitionConfig& config = recognizer_.config();
  const CtcAttentionOptions& model = config.model;
  const std::int64_t factor = model.subsampling.factor, frames = finished_frames(last);
  std::int64_t settled = 0;  // frames after subsampling that can be settled now
  if (last) {
    settled = frames > 0 ? model.subsampling.frames_after(frames) : 0;
  } else if (frames > model.subsampling.look_ahead()) {
    const std::int64_t ready = (frames - 1 - model.subsampling.look_ahead()) / factor + 1;
    settled = ready / model.chunk * model.chunk;
  }
  if (settled <= settled_) return;
  const std::int64_t begin = window_begin(settled_);
  const std::int64_t end =
      last ? frames : std::min(frames, factor * (settled - 1) + model.subsampling.look_ahead() + 1);
  const int wait = config.features.deltas * kDifferenceReach;
  const std::int64_t from = std::max<std::int64_t>(first_, begin * factor - wait);
  Tensor x = with_deltas(base_.slice(0, from - first_), config.features.deltas);
  x = x.slice(0, begin * factor - from, end - from).unsqueeze(0);
  CtcAttention network = recognizer_.model();
  const Tensor scores =
      on_processor(network->frame_scores(network->encode(x, torch::full({1}, x.size(1), torch::kInt64)))[0]);
  append(scores.slice(0, settled_ - begin, settled - begin));
  settled_ = settled;
  // What no later window reads.
  const std::int64_t keep = std::max<std::int64_t>(0, window_begin(settled_) * factor - wait);
  if (keep > first_) {
    base_ = base_.slice(0, keep - first_).clone();
    first_ = keep;
  }
}

void SpeechStream::append(const Tensor& scores) {
  scores_.push_back(scores.contiguous());
  const Tensor best = scores.argmax(1);
  const std::size_t before = units_.size();
  for (std::int64_t t = 0; t < best.size(0); ++t) {
    const int unit = static_cast<int>(best[t].item<std::int64_t>());
    if (unit != last_ && unit != kBlankUnit) units_.push_back(unit);
    last_ = unit;
  }
  if (units_.size() > before) text_ = recognizer_.units().decode(units_);
}

Transcription SpeechStream::finish() {
  if (finished_) throw ConfigError("streaming: this stream is finished; begin another one");
  const torch::NoGradGuard no_grad;
  finished_ = true;
  if (sounded_) settle(true);
  Transcription found = recognizer_.transcription_of(
      scores_.empty() ? torch::zeros({0, recognizer_.units().size()}) : torch::cat(scores_));
  found.seconds = heard_s();
  if (!sounded_ && heard_ > 0) {
    found = {};
    found.hypotheses.emplace_back();
    found.seconds = heard_s();
    found.note = kSilence;
  }
  return found;
}

}  // namespace kgwalk::seq2seq
