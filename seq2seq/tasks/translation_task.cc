#include "seq2seq/tasks/translation_task.h"

#include <algorithm>
#include <cmath>

#include "runtime/error.h"
#include "runtime/files.h"
#include "runtime/tensor/tensor_io.h"
#include "seq2seq/text/unicode_text.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

std::string prepared_text(std::string_view text, const PieceOptions& options) {
  return options.lower ? lower_case(text) : std::string(text);
}

std::vector<int> encode_line(const SentencePiece& vocabulary, std::string_view text,
                             const PieceOptions& options) {
  std::vector<int> ids = vocabulary.encode(prepared_text(text, options)).ids;
  ids.push_back(vocabulary.id_of(kEndPiece));
  return ids;
}

PieceData encode_pairs(const SentencePiece& vocabulary, const ParallelText& text,
                       const TranslationConfig& config) {
  PieceData data;
  const auto limit = static_cast<std::size_t>(config.model.max_length);
  for (std::size_t i = 0; i < text.source.size(); ++i) {
    PiecePair pair{encode_line(vocabulary, text.source[i], config.vocabulary),
                   encode_line(vocabulary, text.target[i], config.vocabulary)};
    if (pair.source.size() < 2 || pair.target.size() < 2) {
      ++data.empty;
    } else if (pair.source.size() > limit || pair.target.size() > limit) {
      ++data.too_long;
    } else {
      data.source_pieces += static_cast<std::int64_t>(pair.source.size());
      data.target_pieces += static_cast<std::int64_t>(pair.target.size());
      data.pairs.push_back(std::move(pair));
    }
  }
  return data;
}

std::vector<LengthPair> lengths_of(const PieceData& data) {
  std::vector<LengthPair> list;
  for (const PiecePair& pair : data.pairs)
    list.push_back(
        {static_cast<std::int64_t>(pair.source.size()), static_cast<std::int64_t>(pair.target.size())});
  return list;
}

TranslationNetImpl::TranslationNetImpl(const TranslationConfig& config, std::int64_t vocabulary) {
  model = register_module("model", EncoderDecoder(config.model, vocabulary));
  if (config.heads.active())
    groups = register_module("groups", GroupedHeads(config.heads, attentions_of(*model)));
}

TranslationBatch make_batch(std::span<const PiecePair* const> pairs, int start_piece) {
  std::vector<const std::vector<int>*> sources, targets;
  for (const PiecePair* pair : pairs) {
    sources.push_back(&pair->source);
    targets.push_back(&pair->target);
  }
  TranslationBatch batch;
  batch.source = pad_rows(sources);
  const Padded target = pad_rows(targets);
  const std::int64_t width = target.ids.size(1);
  auto* ids = target.ids.data_ptr<std::int64_t>();
  std::vector<std::int64_t> rows, gold;
  for (std::size_t b = 0; b < targets.size(); ++b) {
    std::int64_t* row = ids + static_cast<std::int64_t>(b) * width;
    for (std::size_t t = 0; t < targets[b]->size(); ++t) {
      rows.push_back(static_cast<std::int64_t>(b) * width + static_cast<std::int64_t>(t));
      gold.push_back((*targets[b])[t]);
    }
    std::copy_backward(row, row + width - 1, row + width);
    row[0] = start_piece;
  }
  batch.target = {target.ids, target.keep, torch::tensor(rows, torch::kInt64),
                  torch::tensor(gold, torch::kInt64)};
  return batch;
}

TranslationTask::TranslationTask(const TranslationConfig& config, const SentencePiece& vocabulary,
                                 PieceData train, PieceData dev, std::filesystem::path snapshots)
    : config_(config),
      vocabulary_(vocabulary),
      train_(std::move(train)),
      dev_(std::move(dev)),
      snapshots_(std::move(snapshots)),
      net_(config, vocabulary.size()) {
  if (train_.pairs.empty())
    throw ConfigError("the training files have no pair of non-empty lines that is short enough");
  if (dev_.pairs.empty())
    throw ConfigError("the development files have no pair of non-empty lines that is short enough");
  lengths_ = lengths_of(train_);
  Random fixed(1);
  dev_batches_ = token_batches(lengths_of(dev_), config.max_tokens, fixed);
}

std::int64_t TranslationTask::begin_epoch(int /*epoch*/, Random& random) {
  batches_ = token_batches(lengths_, config_.max_tokens, random);
  return static_cast<std::int64_t>(batches_.size());
}

TranslationBatch TranslationTask::batch_of(const PieceData& data,
                                           const std::vector<std::size_t>& chosen) const {
  std::vector<const PiecePair*> pairs;
  for (const std::size_t i : chosen) pairs.push_back(&data.pairs[i]);
  return make_batch(pairs, vocabulary_.id_of(kStartPiece));
}

StepResult TranslationTask::step(std::int64_t index) {
  const TranslationBatch batch = batch_of(train_, batches_[static_cast<std::size_t>(index)]);
  if (net_->groups) net_->groups->observe(true);
  EncoderDecoder& model = net_->model;
  const ProjectionLoss loss =
      model->loss(model->encode(batch.source.ids, batch.source.keep), batch.target, config_.smoothing);
  const auto weight = static_cast<double>(batch.target.gold.size(0));
  StepResult result{loss.loss / weight, weight, {{"nll", loss.nll / weight}}};
  if (net_->groups) {
    const Tensor grouping = net_->groups->loss();
    result.metrics["groups"] = grouping.item<double>();
    result.loss = result.loss + grouping;
  }
  return result;
}

Json TranslationTask::evaluate() {
  if (net_->groups) net_->groups->observe(true);
  double nll = 0;
  std::int64_t pieces = 0;
  for (const std::vector<std::size_t>& chosen : dev_batches_) {
    const TranslationBatch batch = batch_of(dev_, chosen);
    nll += net_->model->negative_log_prob(net_->model->encode(batch.source.ids, batch.source.keep),
                                          batch.target);
    pieces += batch.target.gold.size(0);
  }
  write_snapshot();
  Json json = {{"perplexity", std::exp(nll / static_cast<double>(pieces))}};
  if (net_->groups) {
    const GroupQuality quality = net_->groups->quality();
    json["silhouette"] = quality.silhouette;
    if (quality.dunn) json["dunn"] = *quality.dunn;
    net_->groups->observe(false);
  }
  json["score"] = -nll / static_cast<double>(pieces);
  return json;
}

void TranslationTask::load_extra(const std::filesystem::path& folder) {
  updates_ = read_json_file((folder / "state.json").string()).value("step", std::int64_t{0});
}

namespace {

// Names sort as the numbers of updates do.
std::string snapshot_name(std::int64_t step) {
  const std::string digits = std::to_string(step);
  return std::string(12 - std::min<std::size_t>(12, digits.size()), '0') + digits + ".safetensors";
}

}  // namespace

void TranslationTask::write_snapshot() const {
  std::filesystem::create_directories(snapshots_);
  write_tensors(snapshots_ / snapshot_name(updates_), state_of(*net_->model));
  const std::vector<std::filesystem::path> kept = snapshots(updates_);
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(snapshots_))
    if (std::find(kept.begin(), kept.end(), entry.path()) == kept.end()) old.push_back(entry.path());
  for (const std::filesystem::path& file : old) std::filesystem::remove(file);
}

// Snapshots behind `step` are left from a run that went further before it was set back: not counted.
std::vector<std::filesystem::path> TranslationTask::snapshots(std::int64_t step) const {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(snapshots_)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(snapshots_))
    if (entry.path().extension() == ".safetensors" && entry.path().filename().string() <= snapshot_name(step))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const auto wanted = static_cast<std::size_t>(config_.average);
  if (files.size() > wanted) files.erase(files.begin(), files.end() - static_cast<std::ptrdiff_t>(wanted));
  return files;
}

}  // namespace kgwalk::seq2seq
