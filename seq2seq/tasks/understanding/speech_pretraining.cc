#include "seq2seq/tasks/understanding/speech_pretraining.h"

#include <torch/nn/functional/loss.h>

#include <algorithm>
#include <cmath>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/audio/features.h"
#include "seq2seq/tasks/understanding/run_kinds.h"
#include "seq2seq/tasks/understanding/speech_batch.h"

namespace kgwalk::seq2seq {

using torch::Tensor;
namespace fs = std::filesystem;

RandomCodebook::RandomCodebook(const CodebookOptions& options, std::int64_t samples_per_frame,
                               std::uint64_t seed)
    : options_(options), stacked_(samples_per_frame / 160) {
  if (samples_per_frame % 160 != 0)
    throw ConfigError("a frame of the encoder is " + std::to_string(samples_per_frame) +
                      " samples; codes need a multiple of 160 (model.conv_stride)");
  Random random(seed, 77);
  const auto normal = [&](std::int64_t rows, std::int64_t columns) {
    Tensor x = torch::empty({rows, columns});
    for (std::int64_t i = 0; i < x.numel(); ++i) x.data_ptr<float>()[i] = static_cast<float>(random.normal());
    return x;
  };
  projection_ = normal(stacked_ * options.bands, options.width);
  entries_ = normal(options.entries, options.width);
  entries_ = entries_ / entries_.norm(2, 1, true);
}

Tensor RandomCodebook::codes(const std::vector<float>& samples, std::int64_t frames) const {
  const torch::NoGradGuard no_grad;
  FeatureOptions mel;
  mel.bands = options_.bands;
  // Waveforms come scaled to deviation 1; features count in 16-bit units, which normalization takes away.
  const Tensor bands = features_of(Sound{kSpeechRate, samples}, mel);  // [m, bands]
  if (bands.size(0) < 1) throw ShapeError("codes: the sound is shorter than a frame of 25 ms");
  const Tensor place = torch::arange(frames * stacked_)
                           .clamp_max(bands.size(0) - 1);  // the last one stands for what is cut off
  const Tensor stacked =
      normalized_utterance(bands, true).index_select(0, place).reshape({frames, stacked_ * options_.bands});
  const Tensor projected = torch::matmul(stacked, projection_);  // [frames, width]
  return torch::matmul(projected, entries_.t()).argmax(1);       // nearest among entries of length 1
}

std::vector<bool> hidden_frames(std::int64_t frames, double share, int length, Random& random) {
  std::vector<bool> hide(static_cast<std::size_t>(frames));
  const double start = 1 - std::pow(1 - share, 1.0 / length);
  const auto hide_from = [&](std::int64_t first) {
    for (std::int64_t i = first; i < std::min<std::int64_t>(frames, first + length); ++i)
      hide[static_cast<std::size_t>(i)] = true;
  };
  bool any = false;
  for (std::int64_t i = 0; i < frames; ++i)
    if (random.uniform() < start) {
      hide_from(i);
      any = true;
    }
  if (!any) hide_from(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(frames))));
  return hide;
}

namespace {

class CodePredictorImpl : public torch::nn::Module {
 public:
  CodePredictorImpl(const SpeechPretrainConfig& config) {
    encoder = register_module("encoder", Wav2Vec2(config.model));
    head = register_module("head", Linear(config.model.hidden_size, config.codebook.entries));
  }
  Wav2Vec2 encoder{nullptr};
  Linear head{nullptr};
};
TORCH_MODULE(CodePredictor);

struct CodedSpeech {
  std::vector<std::vector<float>> waves;
  std::vector<Tensor> codes;
  std::vector<std::int64_t> frames;
};

class MaskedSpeechTask : public Task {
 public:
  MaskedSpeechTask(const SpeechPretrainConfig& config, CodedSpeech train, CodedSpeech dev)
      : config_(config), train_(std::move(train)), dev_(std::move(dev)), net_(config) {}

  [[nodiscard]] torch::nn::Module& module() override { return *net_; }
  [[nodiscard]] Wav2Vec2 encoder() const { return net_->encoder; }

  std::int64_t begin_epoch(int /*epoch*/, Random& random) override {
    epoch_seed_ = random.next();
    batches_ = frame_batches(train_.frames, config_.batch_frames, random);
    return static_cast<std::int64_t>(batches_.size());
  }

  [[nodiscard]] StepResult step(std::int64_t batch) override {
    Random random(epoch_seed_, static_cast<std::uint64_t>(batch) + 1);
    const Guess guess = predict(train_, batches_[static_cast<std::size_t>(batch)], random);
    return {torch::nn::functional::cross_entropy(guess.logits, guess.gold),
            static_cast<double>(guess.gold.size(0)),
            {}};
  }

  [[nodiscard]] Json evaluate() override {
    double loss = 0, right = 0, count = 0;
    Random random(20221);
    for (const std::vector<std::size_t>& batch : frame_batches(dev_.frames, config_.batch_frames, random)) {
      const Guess guess = predict(dev_, batch, random);
      const auto n = static_cast<double>(guess.gold.size(0));
      loss += n * torch::nn::functional::cross_entropy(guess.logits, guess.gold).item<double>();
      right += guess.logits.argmax(1).eq(guess.gold).sum().item<double>();
      count += n;
    }
    return {{"loss", loss / count}, {"accuracy", right / count}, {"score", -loss / count}};
  }

 private:
  struct Guess {
    Tensor logits, gold;  // [M, entries], int64 [M] of the hidden frames
  };
  [[nodiscard]] Guess predict(const CodedSpeech& speech, const std::vector<std::size_t>& places,
                              Random& random) {
    SpeechInput input = pad_speech(speech.waves, places);
    std::int64_t longest = 0;
    for (const std::size_t place : places) longest = std::max(longest, speech.frames[place]);
    input.hide = torch::zeros({static_cast<std::int64_t>(places.size()), longest}, torch::kBool);
    std::vector<Tensor> gold;
    for (std::size_t b = 0; b < places.size(); ++b) {
      const std::int64_t frames = speech.frames[places[b]];
      const std::vector<bool> hide = hidden_frames(frames, config_.mask_share, config_.mask_frames, random);
      bool* row = input.hide.data_ptr<bool>() + static_cast<std::int64_t>(b) * longest;
      std::copy(hide.begin(), hide.end(), row);
      const Tensor own = input.hide[static_cast<std::int64_t>(b)].narrow(0, 0, frames);
      gold.push_back(speech.codes[places[b]].masked_select(own));
    }
    const Tensor states = net_->encoder->forward(input).states;  // [B, T, D]
    const Tensor chosen = on(states.device(), input.hide.flatten().nonzero().squeeze(1));
    return {net_->head(states.flatten(0, 1).index_select(0, chosen)), on(states.device(), torch::cat(gold))};
  }

  const SpeechPretrainConfig& config_;
  CodedSpeech train_, dev_;
  CodePredictor net_;
  std::vector<std::vector<std::size_t>> batches_;
  std::uint64_t epoch_seed_ = 0;
};

// The utterances of all manifests: those of split "dev", or all but dev and test.
CodedSpeech coded_speech(const std::vector<Manifest>& manifests, bool dev, const SpeechPretrainConfig& config,
                         const RandomCodebook& codebook, Reporter& reporter) {
  CodedSpeech speech;
  for (const Manifest& manifest : manifests) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < manifest.items.size(); ++i) {
      const std::string& split = manifest.items[i].split;
      if (dev ? split == "dev" : split != "dev" && split != "test") places.push_back(i);
    }
    for (std::vector<float>& wave :
         read_all_speech(manifest, places, config.model, config.max_seconds, reporter))
      speech.waves.push_back(std::move(wave));
  }
  if (speech.waves.empty())
    throw ConfigError(
        dev ? "no manifest has an utterance of split 'dev', on which the held-out loss is measured"
            : "no manifest has an utterance of another split than dev and test");
  speech.frames = frames_of(speech.waves, config.model);
  for (std::size_t i = 0; i < speech.waves.size(); ++i)
    speech.codes.push_back(codebook.codes(speech.waves[i], speech.frames[i]));
  return speech;
}

}  // namespace

PretrainReport pretrain_speech(const SpeechPretrainOptions& options, Reporter& reporter,
                               const StopFlag& stop) {
  validate(options.config, "pre-training configuration");
  const SpeechPretrainConfig& config = options.config;
  const RandomCodebook codebook(config.codebook, config.model.samples_per_frame(), options.seed);
  std::vector<Manifest> manifests;
  Checksum sum;
  for (const fs::path& file : options.manifests) {
    manifests.push_back(read_manifest(file));
    sum.add(read_file(file));
  }
  RunFolder folder = RunFolder::create(options.run, kSpeechEncoderRun);
  seed_torch(options.seed);
  CodedSpeech train = coded_speech(manifests, false, config, codebook, reporter);
  PretrainReport report;
  report.items = static_cast<std::int64_t>(train.waves.size());
  MaskedSpeechTask task(config, std::move(train), coded_speech(manifests, true, config, codebook, reporter));
  report.parameters = parameter_count(*task.encoder());
  reporter.info("pre-training a speech encoder of " + with_commas(report.parameters) + " weights on " +
                with_commas(report.items) + " utterances");
  RunManifest manifest(kSpeechEncoderRun, config, options.seed);
  manifest.checksums = {{"manifests", sum.hex()}};
  report.training = kgwalk::train(task, config.trainer, manifest, folder, reporter, stop);
  report.encoder = folder.path() / "encoder";
  write_folder_atomically(report.encoder, [&](const fs::path& to) { save_wav2vec2(task.encoder(), to); });
  folder.write_result("training", report.to_json());
  return report;
}

}  // namespace kgwalk::seq2seq
