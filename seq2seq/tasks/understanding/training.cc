// Training of a head on a frozen speech encoder.
#include <torch/nn/functional/loss.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/int64_tensor.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/understanding/encoded_speech.h"
#include "seq2seq/tasks/understanding/run_kinds.h"
#include "seq2seq/tasks/understanding/speech_batch.h"
#include "seq2seq/tasks/understanding/teacher.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;
namespace fs = std::filesystem;

// Utterances as the frozen encoder sees them.
struct Encoded {
  std::vector<Tensor> states;
  std::vector<std::vector<std::string>> gold;
  [[nodiscard]] Encoded part(const std::vector<std::size_t>& places) const {
    Encoded some;
    for (const std::size_t place : places) {
      some.states.push_back(states[place]);
      some.gold.push_back(gold[place]);
    }
    return some;
  }
};

std::vector<std::string> labels_of(const Encoded& data) {
  std::set<std::string> names;
  for (const auto& row : data.gold) names.insert(row.begin(), row.end());
  return {names.begin(), names.end()};
}

class HeadTask : public Task {
 public:
  HeadTask(const UnderstandingConfig& config, UnderstandingHead head, Encoded train, Encoded dev,
           const std::vector<std::string>& labels)
      : config_(config),
        head_(std::move(head)),
        train_(std::move(train)),
        dev_(std::move(dev)),
        labels_(labels) {
    order_.resize(train_.states.size());
    for (const auto& row : train_.gold) {
      ids_.emplace_back();
      for (const std::string& name : row)
        ids_.back().push_back(std::lower_bound(labels_.begin(), labels_.end(), name) - labels_.begin());
    }
  }

  [[nodiscard]] torch::nn::Module& module() override { return *head_; }

  std::int64_t begin_epoch(int /*epoch*/, Random& random) override {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    random.shuffle(std::span(order_));
    const auto size = static_cast<std::size_t>(config_.batch);
    return static_cast<std::int64_t>((order_.size() + size - 1) / size);
  }

  [[nodiscard]] StepResult step(std::int64_t batch) override {
    const auto size = static_cast<std::size_t>(config_.batch), begin = static_cast<std::size_t>(batch) * size;
    const auto places = std::span(order_).subspan(begin, std::min(size, order_.size() - begin));
    const Tensor loss = config_.head.sequence() ? ctc_loss(places) : class_loss(places);
    return {loss, static_cast<double>(places.size()), {}};
  }

  [[nodiscard]] Json evaluate() override {
    const auto told = understand_states(head_, config_.head, dev_.states, labels_, config_.batch);
    const UnderstandingScore score = score_understanding(told, dev_.gold, config_.head.task);
    return {{score.name, score.value}, {"score", score.value}};
  }

 private:
  [[nodiscard]] Tensor class_loss(std::span<const std::size_t> places) {
    std::vector<Tensor> rows;
    for (const std::size_t place : places) rows.push_back(train_.states[place]);
    const Tensor scores = head_->classify(torch::stack(rows));  // [B, labels]
    if (config_.head.task == HeadKind::kSlotValues) {
      Tensor gold = torch::zeros(scores.sizes());
      for (std::size_t b = 0; b < places.size(); ++b)
        for (const std::int64_t id : ids_[places[b]]) gold[static_cast<std::int64_t>(b)][id] = 1;
      return torch::nn::functional::binary_cross_entropy_with_logits(scores, on(scores.device(), gold));
    }
    std::vector<std::int64_t> gold;
    for (const std::size_t place : places) gold.push_back(ids_[place].front());
    return torch::nn::functional::cross_entropy(scores, int64_tensor(gold, scores.device()));
  }

  [[nodiscard]] Tensor ctc_loss(std::span<const std::size_t> places) {
    const PaddedStates padded = pad_states(train_.states, places);
    std::vector<std::int64_t> targets, counts;
    for (const std::size_t place : places) {
      for (const std::int64_t id : ids_[place]) targets.push_back(id + 1);  // 0 is blank
      counts.push_back(static_cast<std::int64_t>(ids_[place].size()));
    }
    const Tensor log_probs = head_->tag(padded.states, padded.lengths).transpose(0, 1);  // [T, B, 1 + labels]
    return torch::ctc_loss(log_probs, int64_tensor(targets, log_probs.device()), padded.lengths,
                           torch::tensor(counts, torch::kInt64), /*BLANK=*/0, at::Reduction::Mean,
                           /*zero_infinity=*/true);
  }

  const UnderstandingConfig& config_;
  UnderstandingHead head_;
  Encoded train_, dev_;
  const std::vector<std::string>& labels_;
  std::vector<std::vector<std::int64_t>> ids_;  // labels of each training utterance
  std::vector<std::size_t> order_;
};

// Every label of the other parts must be known from training where an utterance has exactly one.
void check_labels(const Manifest& manifest, const std::vector<std::size_t>& places,
                  const std::vector<std::string>& labels, HeadKind task) {
  if (task != HeadKind::kIntent && task != HeadKind::kEmotion) return;
  for (const std::size_t place : places) {
    const std::string label = gold_labels(manifest.items[place], task).front();
    if (!std::binary_search(labels.begin(), labels.end(), label))
      throw DataError(manifest.file.string(), manifest.items[place].line,
                      "no training utterance has the " + choice_name(task) + " '" + label + "'" +
                          did_you_mean(label, labels));
  }
}

// One fold: what is trained, where, and from what.
struct Fold {
  const UnderstandingTrainOptions& options;
  const Manifest& manifest;
  const Encoded& all;
  const Wav2Vec2& encoder;
  const Json& checksums;
  UnderstandingConfig config;
  fs::path run;
};

void write_model(const Fold& fold, const RunFolder& folder, const UnderstandingHead& head,
                 const std::vector<std::string>& labels) {
  NamedTensors weights = state_of(*head);
  for (const auto& [name, tensor] : state_of(*fold.encoder)) weights["encoder." + name] = tensor;
  std::string lines;
  for (const std::string& label : labels) lines += label + '\n';
  write_model_folder(
      folder.path() / "model", kUnderstandingRun,
      {{"understanding", to_json_of(fold.config)}, {"speech", to_json_of(fold.encoder->options())}}, weights,
      {"labels.txt", lines});
}

// Trains and tests; what was told of the test utterances goes to `told` and `gold`.
void train_fold(const Fold& fold, Reporter& reporter, const StopFlag& stop, UnderstandingTrainReport& report,
                std::vector<Understanding>& told, std::vector<std::vector<std::string>>& gold) {
  const UnderstandingConfig& config = fold.config;
  const Splits splits = split_manifest(fold.manifest, config.split);
  Encoded train = fold.all.part(splits.train), test = fold.all.part(splits.test);
  const std::vector<std::string> labels = labels_of(train);
  if (labels.empty()) throw ConfigError(fold.manifest.file.string() + ": no training utterance has a label");
  check_labels(fold.manifest, splits.dev, labels, config.head.task);
  check_labels(fold.manifest, splits.test, labels, config.head.task);
  RunFolder folder = RunFolder::create(fold.run, kUnderstandingRun);
  seed_torch(fold.options.seed);
  UnderstandingHead head(config.head, fold.encoder->options().num_hidden_layers + 1,
                         fold.encoder->options().hidden_size, static_cast<std::int64_t>(labels.size()));
  HeadTask task(config, head, std::move(train), fold.all.part(splits.dev), labels);
  RunManifest made(kUnderstandingRun, config, fold.options.seed);
  made.checksums = fold.checksums;
  report.parameters = parameter_count(*head);
  report.trainings.push_back(kgwalk::train(task, config.trainer, made, folder, reporter, stop));
  write_model(fold, folder, head, labels);
  report.models.push_back(folder.path() / "model");
  head->eval();
  const auto found = understand_states(head, config.head, test.states, labels, config.batch);
  const UnderstandingScore score = score_understanding(found, test.gold, config.head.task);
  folder.write_result("test", score.to_json());
  report.fold_scores.push_back(score.value);
  told.insert(told.end(), found.begin(), found.end());
  gold.insert(gold.end(), test.gold.begin(), test.gold.end());
}

Encoded encode_all(const Manifest& manifest, Wav2Vec2& encoder, const UnderstandingConfig& config,
                   Reporter& reporter) {
  std::vector<std::size_t> used;
  if (config.split.by == SplitBy::kSplit) {
    const Splits splits = split_manifest(manifest, config.split);
    for (const auto* part : {&splits.train, &splits.dev, &splits.test})
      used.insert(used.end(), part->begin(), part->end());
  } else {
    used.resize(manifest.items.size());
    std::iota(used.begin(), used.end(), std::size_t{0});
  }
  std::vector<Tensor> states = encode_speech(
      encoder, read_all_speech(manifest, used, encoder->options(), config.max_seconds, reporter),
      config.head.sequence(), reporter);
  Encoded all;
  all.states.resize(manifest.items.size());
  for (std::size_t i = 0; i < used.size(); ++i) all.states[used[i]] = std::move(states[i]);
  for (const SpokenItem& item : manifest.items) all.gold.push_back(gold_labels(item, config.head.task));
  return all;
}

}  // namespace

Json UnderstandingTrainReport::to_json() const {
  Json runs = Json::array(), folders = Json::array();
  for (const TrainReport& training : trainings) runs.push_back(training.to_json());
  for (const fs::path& model : models) folders.push_back(model.string());
  return {{"test", test.to_json()},
          {"fold_scores", fold_scores},
          {"parameters", parameters},
          {"trainings", runs},
          {"models", folders}};
}

UnderstandingTrainReport train_understanding(const UnderstandingTrainOptions& options, Reporter& reporter,
                                             const StopFlag& stop) {
  validate(options.config, "understanding configuration");
  if (options.all_folds && options.config.split.by == SplitBy::kSplit)
    throw ConfigError("all folds: split.by must be speaker or random; column 'split' has one fold only");
  const Manifest manifest = read_manifest(options.manifest);
  require_labels(manifest, options.config.head.task);
  Wav2Vec2 encoder = open_speech_encoder(options.student);
  const Json checksums = {{"manifest", checksum_of_file(options.manifest)},
                          {"student", checksum_of(wav2vec2_state(encoder))}};
  const Encoded all = encode_all(manifest, encoder, options.config, reporter);
  UnderstandingTrainReport report;
  std::vector<Understanding> told;
  std::vector<std::vector<std::string>> gold;
  Fold fold{options, manifest, all, encoder, checksums, options.config, options.run};
  const int folds = options.all_folds ? options.config.split.folds : 1;
  for (int k = 0; k < folds; ++k) {
    if (options.all_folds) {
      fold.config.split.fold = k;
      fold.run = options.run / ("fold_" + std::to_string(k));
    }
    train_fold(fold, reporter, stop, report, told, gold);
  }
  report.test = score_understanding(told, gold, options.config.head.task);
  return report;
}

}  // namespace kgwalk::seq2seq
