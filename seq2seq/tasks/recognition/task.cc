#include "seq2seq/tasks/recognition/task.h"

#include <algorithm>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/tensor_io.h"
#include "seq2seq/metrics/words.h"
#include "seq2seq/tasks/batching.h"
#include "seq2seq/tasks/teaching.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

SpeechBatch pad_features(std::span<const Tensor> features) {
  SpeechBatch batch;
  std::vector<std::int64_t> lengths;
  for (const Tensor& x : features) lengths.push_back(x.size(0));
  batch.lengths = torch::tensor(lengths, torch::kInt64);
  batch.x = torch::zeros({static_cast<std::int64_t>(features.size()),
                          *std::max_element(lengths.begin(), lengths.end()), features[0].size(1)});
  for (std::size_t b = 0; b < features.size(); ++b)
    batch.x[static_cast<std::int64_t>(b)].narrow(0, 0, lengths[b]).copy_(features[b]);
  return batch;
}

SpeechTargets targets_of(std::span<const std::vector<int>* const> units) {
  std::vector<std::int64_t> all, lengths;
  std::vector<std::vector<int>> ended;
  for (const std::vector<int>* row : units) {
    all.insert(all.end(), row->begin(), row->end());
    lengths.push_back(static_cast<std::int64_t>(row->size()));
    ended.push_back(*row);
    ended.back().push_back(kEndUnit);
  }
  std::vector<const std::vector<int>*> rows;
  for (const std::vector<int>& row : ended) rows.push_back(&row);
  return {torch::tensor(all, torch::kInt64), torch::tensor(lengths, torch::kInt64),
          teaching_of(rows, kStartUnit)};
}

FrameScores frame_scores_of(const Tensor& log_probs, const Tensor& lengths, std::int64_t b) {
  const std::int64_t frames = log_probs.size(1), units = log_probs.size(2);
  const std::int64_t length = lengths[b].item<std::int64_t>();
  return {{log_probs.data_ptr<float>() + b * frames * units, static_cast<std::size_t>(length * units)},
          length,
          units,
          kBlankUnit};
}

namespace {

std::vector<std::vector<std::size_t>> batches_of(const SpeechData& data, int max_frames, Random& random) {
  std::vector<LengthPair> lengths;
  for (const Utterance& u : data.utterances)
    lengths.push_back({static_cast<std::int64_t>(u.units.size()), u.frames()});
  return token_batches(lengths, max_frames, random);
}

}  // namespace

RecognitionTask::RecognitionTask(const RecognitionConfig& config, const SpeechUnits& units, SpeechData train,
                                 SpeechData dev, std::filesystem::path snapshots, std::uint64_t seed)
    : config_(config),
      units_(units),
      train_(std::move(train)),
      dev_(std::move(dev)),
      snapshots_(std::move(snapshots), config.average),
      model_(config.model, config.feature_width(), config.feature_groups(), units.size()),
      seed_(seed) {
  std::erase_if(dev_.utterances, [](const Utterance& u) { return u.frames() == 0 || u.units.empty(); });
  if (train_.utterances.empty()) throw ConfigError("no training utterance has text and enough frames for it");
  if (dev_.utterances.empty()) throw ConfigError("no development utterance has text and frames");
  FeatureStatistics statistics;
  for (const Utterance& u : train_.utterances) statistics.add(u.features.front());
  model_->set_normalization(statistics.mean(), statistics.deviation());
  Random fixed(1);
  dev_batches_ = batches_of(dev_, config.max_frames, fixed);
}

std::int64_t RecognitionTask::begin_epoch(int epoch, Random& random) {
  epoch_ = epoch;
  batches_ = batches_of(train_, config_.max_frames, random);
  return static_cast<std::int64_t>(batches_.size());
}

StepResult RecognitionTask::step(std::int64_t index) {
  // A stream of its own a batch, so that a resumed training draws the same.
  Random random(seed_, (static_cast<std::uint64_t>(epoch_) << 32) + static_cast<std::uint64_t>(index) + 1);
  std::vector<Tensor> features;
  std::vector<const std::vector<int>*> units;
  const Tensor mean = on_processor(model_->mean);
  for (const std::size_t i : batches_[static_cast<std::size_t>(index)]) {
    const Utterance& u = train_.utterances[i];
    Tensor x = u.features[random.below(u.features.size())];
    if (const double reach = config_.spec_augment.vocal_tract; reach > 0)
      x = vocal_tract_warped(x, config_.feature_groups(), 1 + reach * (2 * random.uniform() - 1),
                             config_.features);
    // What is masked becomes the mean: 0 after the model's normalization.
    features.push_back(spec_augmented(x - mean, config_.spec_augment, config_.feature_groups(), random) +
                       mean);
    units.push_back(&u.units);
  }
  const SpeechBatch batch = pad_features(features);
  const SpeechTargets targets = targets_of(units);
  const CtcAttentionLoss loss =
      model_->loss(model_->encode(batch.x, batch.lengths), targets, config_.smoothing);
  const auto weight = static_cast<double>(targets.units.size(0));
  return {loss.loss / weight, weight, {{"ctc", loss.ctc / weight}, {"attention", loss.attention / weight}}};
}

Json RecognitionTask::evaluate() {
  double ctc = 0, attention = 0;
  std::int64_t count = 0;
  EditCounts words, characters;
  for (const std::vector<std::size_t>& chosen : dev_batches_) {
    std::vector<Tensor> features;
    std::vector<const std::vector<int>*> units;
    for (const std::size_t i : chosen) {
      features.push_back(dev_.utterances[i].features.front());
      units.push_back(&dev_.utterances[i].units);
      count += static_cast<std::int64_t>(dev_.utterances[i].units.size());
    }
    const SpeechBatch batch = pad_features(features);
    const EncodedSpeech speech = model_->encode(batch.x, batch.lengths);
    const CtcAttentionLoss loss = model_->loss(speech, targets_of(units), 0);
    ctc += loss.ctc;
    attention += loss.attention;
    const Tensor scores = on_processor(model_->frame_scores(speech));
    for (std::size_t b = 0; b < chosen.size(); ++b) {
      const std::string text = units_.decode(
          ctc_greedy(frame_scores_of(scores, speech.lengths, static_cast<std::int64_t>(b))).units);
      const std::string wanted = units_.normalized(dev_.utterances[chosen[b]].text);
      words += count_edits(split_words(wanted), split_words(text));
      characters += count_edits(error_characters(wanted, true), error_characters(text, true));
    }
  }
  snapshots_.write(*model_, updates_);
  const auto total = static_cast<double>(count);
  Json json = {{"ctc", ctc / total}, {"wer", words.rate()}, {"cer", characters.rate()}};
  if (config_.model.attends()) json["attention"] = attention / total;
  json["score"] = -characters.rate();
  return json;
}

void RecognitionTask::save_extra(const std::filesystem::path& folder) const {
  write_file_atomically(folder / units_.file_name(), units_.bytes());
}

void RecognitionTask::load_extra(const std::filesystem::path& folder) {
  updates_ = read_json_file((folder / "state.json").string()).value("step", std::int64_t{0});
}

}  // namespace kgwalk::seq2seq
