#include "seq2seq/tasks/pair_task.h"

#include <cmath>

#include "kgwalk/error.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/text.h"
#include "seq2seq/tasks/model_folder.h"

namespace kgwalk::seq2seq {

void PairConfig::check(Problems& problems) const {
  if (search.nbest > search.beam) problems.add("search.nbest", "is more than search.beam");
  if (trainer.adam.clip_norm < 0) problems.add("trainer.adam.clip_norm", "is negative");
}

PairTask::PairTask(const PairConfig& config, const SentencePiece& vocabulary, Parts parts)
    : config_(config),
      vocabulary_(vocabulary),
      lengths_(std::move(parts.train)),
      snapshots_(std::move(parts.snapshots), config.average),
      net_(config.heads, std::move(parts.model), *parts.attended) {
  if (lengths_.empty())
    throw ConfigError("the training files have no pair with two sides that is short enough");
  if (parts.dev.empty())
    throw ConfigError("the development files have no pair with two sides that is short enough");
  Random fixed(1);
  dev_batches_ = token_batches(parts.dev, config.max_tokens, fixed);
}

std::vector<std::vector<std::size_t>> PairTask::training_batches(Random& random) const {
  return token_batches(lengths_, config_.max_tokens, random);
}

std::int64_t PairTask::begin_epoch(int /*epoch*/, Random& random) {
  batches_ = training_batches(random);
  return static_cast<std::int64_t>(batches_.size());
}

StepResult PairTask::step(std::int64_t index) {
  net_->observe(true);
  const PairLoss found = loss_of(true, batches_[static_cast<std::size_t>(index)]);
  const auto weight = static_cast<double>(found.pieces);
  StepResult result{found.loss / weight, weight, {{"nll", found.nll / weight}}};
  for (const auto& [name, sum] : found.metrics.items()) result.metrics[name] = sum.get<double>() / weight;
  net_->add_loss(result);
  return result;
}

Json PairTask::evaluate() {
  net_->observe(true);
  double nll = 0;
  std::int64_t pieces = 0;
  for (const std::vector<std::size_t>& chosen : dev_batches_) {
    const PairLoss found = loss_of(false, chosen);
    nll += found.nll;
    pieces += found.pieces;
  }
  snapshots_.write(*net_->model, updates_);
  Json json = {{"perplexity", std::exp(nll / static_cast<double>(pieces))}};
  net_->describe_into(json);
  json["score"] = -nll / static_cast<double>(pieces);
  return json;
}

void PairTask::after_update(std::int64_t step) {
  updates_ = step;
  net_->after_update(step);
}

void PairTask::load_extra(const std::filesystem::path& folder) {
  updates_ = read_json_file((folder / "state.json").string()).value("step", std::int64_t{0});
}

void PairTask::take_final_weights(const RunFolder& folder, std::int64_t updates) {
  const std::vector<std::filesystem::path> files = snapshots_.newest(updates);
  if (config_.keep == KeptWeights::kAverage && !files.empty())
    load_state(*net_->model, average_weights(files), "averaged snapshots");
  else
    load_state(*net_, read_checkpoint_model(folder.checkpoint("best")), "best checkpoint");
}

Json PairTrainReport::to_json() const {
  return {{"vocabulary", vocabulary},
          {"parameters", parameters.all},
          {"embedding_parameters", parameters.embeddings},
          {"pairs", pairs},
          {"left_out", left_out},
          {"cut", cut},
          {"target_pieces", pieces},
          {"training", training.to_json()},
          {"model", model.string()}};
}

SentencePiece vocabulary_of_run(const RunFolder& folder, Reporter& reporter,
                                const std::function<SentencePiece()>& make) {
  if (folder.has_checkpoint("last"))
    return SentencePiece::load(folder.checkpoint("last") / "sentencepiece.model");
  reporter.info("training the vocabulary (spm_train)");
  return make();
}

void train_pairs(PairTask& task, const PairRun& run, RunFolder& folder, const SentencePiece& vocabulary,
                 PairTrainReport& report, Reporter& reporter, const StopFlag& stop) {
  reporter.info(run.what + ", " + with_commas(report.parameters.all) + " trained weights (" +
                with_commas(report.parameters.embeddings) + " of them embeddings), " +
                with_commas(report.vocabulary) + " pieces; " + with_commas(report.pairs) + " pairs with " +
                with_commas(report.pieces) + " target pieces");
  task.net()->keep_converged(folder.checkpoint("converged"),
                             [&](const std::filesystem::path& to) { task.save_extra(to); });
  report.training = kgwalk::train(task, run.pairs->trainer, run.manifest, folder, reporter, stop);
  task.net()->tell_converged(reporter);
  task.take_final_weights(folder, report.training.steps);
  report.model = folder.path() / "model";
  write_model_folder(report.model, run.kind, folder.manifest().part_json(run.kind.parts[0]),
                     state_of(*task.net()->model), {"sentencepiece.model", vocabulary.bytes()});
  folder.write_result("training", report.to_json());
}

}  // namespace kgwalk::seq2seq
