#include "seq2seq/tasks/understanding/understander.h"

#include <algorithm>
#include <numeric>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/tensor_io.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/understanding/encoded_speech.h"
#include "seq2seq/tasks/understanding/run_kinds.h"
#include "seq2seq/tasks/understanding/speech_batch.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

Understander::Understander(UnderstandingConfig config, Wav2Vec2 encoder, std::vector<std::string> labels)
    : config_(std::move(config)),
      encoder_(std::move(encoder)),
      head_(config_.head, encoder_->options().num_hidden_layers + 1, encoder_->options().hidden_size,
            static_cast<std::int64_t>(labels.size())),
      labels_(std::move(labels)) {
  encoder_->eval();
  head_->eval();
}

Understander Understander::open(const std::filesystem::path& path) {
  const ModelFiles files = read_model_files(path, kUnderstandingRun, "labels.txt");
  if (!files.config.contains("understanding") || !files.config.contains("speech"))
    throw FormatError(path.string() + ": model.json lacks the options of its encoder or head");
  UnderstandingConfig config;
  apply_json(config, files.config["understanding"], path.string());
  Wav2Vec2Options speech;
  apply_json(speech, files.config["speech"], path.string());
  std::vector<std::string> labels;
  for (std::size_t begin = 0; begin < files.vocabulary.size();) {
    const std::size_t end = std::min(files.vocabulary.find('\n', begin), files.vocabulary.size());
    labels.push_back(files.vocabulary.substr(begin, end - begin));
    begin = end + 1;
  }
  Understander model(config, Wav2Vec2(speech), std::move(labels));
  NamedTensors encoder, head;
  for (const auto& [name, tensor] : files.weights)
    (name.rfind("encoder.", 0) == 0 ? encoder[name.substr(8)] : head[name]) = tensor;
  load_state(*model.encoder_, encoder, path.string());
  load_state(*model.head_, head, path.string());
  move_to(*model.encoder_, compute_device());
  move_to(*model.head_, compute_device());
  return model;
}

std::vector<Understanding> Understander::understand(std::span<const std::filesystem::path> files) const {
  std::vector<std::vector<float>> waves;
  for (const std::filesystem::path& file : files)
    waves.push_back(read_speech(file, encoder_->options(), config_.max_seconds));
  return understand_states(head_, config_.head,
                           encode_speech(encoder_, waves, config_.head.sequence(), silent_reporter()),
                           labels_, config_.batch);
}

UnderstandingScore Understander::score(const Manifest& manifest, std::span<const std::size_t> places,
                                       std::vector<Understanding>* told) const {
  const HeadKind task = config_.head.task;
  require_labels(manifest, task);
  std::vector<std::filesystem::path> files;
  std::vector<std::vector<std::string>> gold;
  for (const std::size_t place : places) {
    const SpokenItem& item = manifest.items[place];
    files.push_back(item.file);
    gold.push_back(gold_labels(item, task));
    if ((task == HeadKind::kIntent || task == HeadKind::kEmotion) &&
        std::find(labels_.begin(), labels_.end(), gold.back().front()) == labels_.end())
      throw DataError(manifest.file.string(), item.line,
                      "the model does not know the " + choice_name(task) + " '" + gold.back().front() + "'" +
                          did_you_mean(gold.back().front(), labels_));
  }
  std::vector<Understanding> found = understand(files);
  const UnderstandingScore score = score_understanding(found, gold, task);
  if (told) *told = std::move(found);
  return score;
}

}  // namespace kgwalk::seq2seq
