#include "runtime/tensor/trainer.h"

#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/processor_share.h"
#include "runtime/stopwatch.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/generators.h"
#include "runtime/tensor/precision.h"
#include "runtime/tensor/team.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/tensor/train_report.h"
#include "runtime/tensor/training_plots.h"
#include "runtime/tensor/training_state.h"
#include "runtime/tensor/weight_average.h"
#include "runtime/tensorboard.h"
#include "runtime/text.h"

namespace kgwalk {
namespace {

using Clock = std::chrono::steady_clock;

// Moved before an optimizer takes its weights over.
torch::nn::Module& on_compute_device(torch::nn::Module& module) {
  move_to(module, compute_device());
  return module;
}

// What a training that goes on in the folder may not change.
std::vector<std::string> differences_that_count(const TrainerConfig& config, const RunManifest& manifest,
                                                const RunFolder& folder) {
  // The length of a training may change where the learning rate does not follow it.
  const bool free_length =
      config.schedule.total_steps > 0 ||
      (config.schedule.kind != ScheduleKind::kLinear && config.schedule.kind != ScheduleKind::kCosine);
  std::vector<std::string> differences = manifest.differences(folder.manifest());
  std::erase_if(differences, [&](const std::string& difference) {
    const std::string key = difference.substr(0, difference.find(':'));
    const std::string last = key.substr(key.rfind('.') + 1);
    return last == "max_minutes" || last == "checkpoint_every_s" || (free_length && last == "max_epochs");
  });
  return differences;
}

void refuse_differences(const std::vector<std::string>& differences, const RunFolder& folder) {
  std::string text;
  for (const std::string& difference : differences) text += (text.empty() ? "" : "; ") + difference;
  if (!text.empty())
    throw ConfigError(folder.path().string() + ": was begun with another configuration: " + text +
                      "; give the same values or another run folder");
}

class Training {
 public:
  Training(Task& task, const TrainerConfig& config, RunFolder& folder, std::uint64_t seed, Reporter& reporter,
           const StopFlag& stop)
      : team_(world()),
        task_(task),
        config_(config),
        folder_(folder),
        reporter_(reporter),
        stop_(stop),
        module_(on_compute_device(task.module())),
        device_(device_of(module_)),
        precision_(available_precision(config.precision)),
        optimizer_(module_.parameters(), config.adam),
        average_(config.weight_average > 0 || config.kept_start > 0
                     ? std::make_optional<WeightAverage>(module_, config.weight_average, config.kept_start)
                     : std::nullopt),
        metrics_(folder.metrics()),
        shuffle_(seed) {
    state_.seed = seed;
    if (precision_ != Precision::kFloat32 && !device_.is_cpu())
      throw ConfigError("trainer.precision " + std::string(config.precision.name()) +
                            " is for training on the processor; on another device it must be float32",
                        Remedy{Remedy::kComputeOn, "cpu"});
  }

  TrainReport run(const RunManifest& manifest) {
    team_.check(config_.accumulate, manifest);
    team_.share_checkpoint(folder_);
    if (folder_.has_checkpoint("last"))
      resume(manifest);
    else
      begin(manifest);
    team_.share_weights(module_);
    // What dropout draws in one process, no other does.
    if (!team_.leads()) seed_torch(seed_of_rank(state_.seed + static_cast<std::uint64_t>(state_.step)));
    open_events();
    while (!state_.finished) run_epoch();
    return report();
  }

 private:
  void begin(const RunManifest& manifest) {
    folder_.write_manifest(manifest);
    metrics_.rewind(-1);  // rows of a run that was killed before its first checkpoint
    seed_torch(state_.seed);
    state_.shuffle = shuffle_.state();
    save_last();
  }

  void resume(const RunManifest& manifest) {
    const std::filesystem::path path = folder_.checkpoint("last");
    Checkpoint checkpoint = read_checkpoint(path);
    TrainingState saved = TrainingState::from_json(checkpoint.state, (path / "state.json").string());
    check_same(manifest, saved);
    state_ = std::move(saved);
    load_state(module_, checkpoint.model, (path / "model.safetensors").string());
    restore_generators(checkpoint.optimizer, device_, path);
    if (average_) average_->take_state(checkpoint.optimizer, (path / "optimizer.safetensors").string());
    optimizer_.set_state(checkpoint.optimizer, (path / "optimizer.safetensors").string());
    shuffle_.set_state(state_.shuffle);
    task_.load_extra(path);
    metrics_.rewind(state_.step);
    resumed_seconds_ = state_.seconds;
    resumed_processor_seconds_ = state_.processor_seconds;
    // A longer training than before goes on behind its old end.
    state_.finished = state_.finished && (is_tired() || is_late() || state_.epoch >= config_.max_epochs);
    reporter_.info("resuming " + folder_.path().string() + " after update " + std::to_string(state_.step));
  }

  void check_same(const RunManifest& manifest, const TrainingState& saved) const {
    std::vector<std::string> differences = differences_that_count(config_, manifest, folder_);
    if (saved.seed != state_.seed)
      differences.push_back("seed: " + std::to_string(state_.seed) + ", was " + std::to_string(saved.seed));
    refuse_differences(differences, folder_);
  }

  void note(const Json& row) {
    metrics_.write(row);
    if (events_) events_->write(row);
  }

  // Where the run folder has a place for them (runtime/tensorboard.h), with the rows of before.
  void open_events() {
    const std::filesystem::path events = folder_.path() / kTensorboardFolder;
    if (std::filesystem::is_directory(events)) events_.emplace(events, folder_.read_metrics());
  }

  void run_epoch() {
    if (state_.epoch >= config_.max_epochs) return finish();
    // Generator states belong to the update at which the run was left, not to the shuffling that
    // is repeated here.
    const NamedTensors generators = state_.next_batch > 0 ? generator_states(device_) : NamedTensors{};
    const std::int64_t batches = task_.begin_epoch(state_.epoch, shuffle_);
    if (!generators.empty()) set_generators(generators, device_);
    if (batches <= 0) throw ConfigError("the training data has no batch");
    state_.batches = batches;
    if (state_.total_steps == 0)
      state_.total_steps = config_.max_epochs * ((batches + config_.accumulate - 1) / config_.accumulate);
    if (std::exchange(state_.evaluation_due, false)) evaluate();
    if (state_.finished) return;
    const auto progress = reporter_.start(
        "epoch " + std::to_string(state_.epoch + 1) + "/" + std::to_string(config_.max_epochs), batches,
        "batches");
    progress->add(state_.next_batch);
    while (state_.next_batch < batches && !state_.finished) {
      const std::int64_t end = std::min(batches, state_.next_batch + config_.accumulate);
      update(end);
      progress->add(end - std::exchange(state_.next_batch, end), "loss " + brief_loss());
      after_update(batches);
    }
    if (state_.finished) return;
    ++state_.epoch;
    state_.next_batch = 0;
    state_.shuffle = shuffle_.state();
  }

  // One update from the batches [next_batch, end), of which each process computes its own.
  void update(std::int64_t end) {
    share_.update();
    module_.train();
    optimizer_.zero_grad();
    UpdateNotes notes;
    // Alone with one batch its gradient is the update's as it is.
    const bool single = team_.alone() && end - state_.next_batch == 1;
    stopping_ = team_.exchange(notes, stop_.requested(), [&] {
      for (std::int64_t batch = state_.next_batch; batch < end; ++batch)
        if (team_.takes(batch - state_.next_batch)) compute(batch, single, notes);
    });
    notes.add_to(state_.window);
    if (!single) {
      const double weights = notes.weight();
      if (!(weights > 0)) throw ConfigError("the batches of an update have no weight");
      team_.sum_gradients(optimizer_);
      optimizer_.scale_grad(1 / weights);
    }
    factor_ = lr_factor(config_.schedule, state_.step, state_.total_steps, state_.plateau_cuts);
    try {
      state_.window.add("grad_norm", optimizer_.step(factor_), 1);
    } catch (const NumericError& error) {
      stop_for_numbers(error.what());
    }
    ++state_.step;
    if (average_) average_->update(state_.step);
    ++state_.window_updates;
    task_.after_update(state_.step);
  }

  // The gradient of one batch, added to those of the update.
  void compute(std::int64_t batch, bool single, UpdateNotes& notes) {
    const PrecisionGuard guard(precision_);
    const StepResult result = task_.step(batch);
    loss_ = result.loss.item<double>();
    if (!std::isfinite(loss_)) stop_for_numbers("the loss is " + std::to_string(loss_));
    (single ? result.loss : result.loss * result.weight).backward();
    notes.add(batch, "loss", loss_, result.weight);
    for (const auto& item : result.metrics.items())
      if (item.value().is_number()) notes.add(batch, item.key(), item.value().get<double>(), result.weight);
  }

  [[noreturn]] void stop_for_numbers(const std::string& what) const {
    throw NumericError(what + " in update " + std::to_string(state_.step + 1) + " (epoch " +
                       std::to_string(state_.epoch + 1) + "); the last good state is in " +
                       folder_.checkpoint("last").string() +
                       "; lower the learning rate or clip the gradient");
  }

  void after_update(std::int64_t batches) {
    if (state_.window_updates >= config_.log_every) write_row();
    const bool epoch_ends = state_.next_batch == batches;
    const bool due = config_.eval_every > 0 ? state_.step % config_.eval_every == 0 : epoch_ends;
    if (stopping_ || (team_.alone() && stop_.requested())) {
      state_.evaluation_due = due;
      save_last();
      throw Interrupted("stopped after update " + std::to_string(state_.step) + "; saved in " +
                        folder_.checkpoint("last").string());
    }
    if (due) return evaluate();
    if (Clock::now() - saved_ >= std::chrono::seconds(config_.checkpoint_every_s)) save_last();
  }

  void write_row() {
    Json row = {{"kind", "train"}, {"step", state_.step}, {"epoch", state_.epoch}};
    row.update(state_.window.means());
    row["lr"] = config_.adam.lr * factor_;
    row["seconds"] = elapsed();
    note(row);
    state_.window.clear();
    state_.window_updates = 0;
  }

  void evaluate() {
    // Processors of other kinds round otherwise: from time to time all go on from the same weights.
    team_.share_state(optimizer_);
    if (average_) average_->swap();
    const Json told = team_.from_leader([&] { return Json{{"metrics", measured()}, {"late", is_late()}}; });
    const Json& metrics = told.at("metrics");
    if (!metrics.contains("score") || !metrics.at("score").is_number())
      throw ConfigError("the evaluation gave no number called 'score'");
    const auto score = metrics.at("score").get<double>();
    if (!std::isfinite(score)) stop_for_numbers("the score is not finite");
    Json row = {{"kind", "dev"}, {"step", state_.step}, {"epoch", state_.epoch}};
    row.update(metrics);
    row["seconds"] = elapsed();
    note(row);
    const bool better = judge(score, metrics);
    if (average_) average_->swap();
    reporter_.info("epoch " + std::to_string(state_.epoch + 1) + ", update " + std::to_string(state_.step) +
                   ": " + in_brief(metrics) + (better ? " (best)" : ""));
    if (team_.leads()) write_training_plots(folder_);
    state_.evaluated_step = state_.step;
    state_.finished = is_tired() || told.at("late").get<bool>();
    save_last();
  }

  [[nodiscard]] Json measured() {
    const torch::NoGradGuard no_grad;
    module_.eval();
    Json metrics = task_.evaluate();
    module_.train();
    return metrics;
  }

  [[nodiscard]] bool is_tired() const {
    return config_.patience > 0 && state_.since_best >= config_.patience;
  }
  [[nodiscard]] bool is_late() const {
    return config_.max_minutes > 0 && elapsed() >= 60 * config_.max_minutes;
  }

  // Keeps the best weights; counts towards early stopping and the plateau schedule otherwise.
  bool judge(double score, const Json& metrics) {
    const bool better = !state_.best_score || score > *state_.best_score;
    if (better) {
      state_.best_score = score;
      state_.best_step = state_.step;
      state_.best_metrics = metrics;
      state_.since_best = state_.since_cut = 0;
      if (!team_.leads()) return true;
      write_checkpoint(
          folder_.checkpoint("best"),
          {state_of(module_), {}, {{"step", state_.step}, {"epoch", state_.epoch}, {"metrics", metrics}}},
          [this](const std::filesystem::path& path) { task_.save_extra(path); });
      return true;
    }
    ++state_.since_best;
    if (++state_.since_cut >= config_.schedule.plateau_patience) {
      state_.since_cut = 0;
      ++state_.plateau_cuts;
    }
    return false;
  }

  void finish() {
    // The last updates get their verdict too when `eval_every` does not divide the number of updates.
    if (state_.evaluated_step != state_.step) evaluate();
    if (!state_.finished) {
      state_.finished = true;
      save_last();
    }
  }

  void save_last() {
    if (!team_.leads()) return;
    state_.seconds = elapsed();
    state_.processor_seconds = resumed_processor_seconds_ + processor_seconds() - begin_processor_;
    NamedTensors optimizer = optimizer_.state();
    optimizer.merge(generator_states(device_));
    if (average_) optimizer.merge(average_->state());
    write_checkpoint(folder_.checkpoint("last"), {state_of(module_), std::move(optimizer), state_.to_json()},
                     [this](const std::filesystem::path& path) { task_.save_extra(path); });
    saved_ = Clock::now();
  }

  [[nodiscard]] double elapsed() const {
    return resumed_seconds_ + std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  [[nodiscard]] std::string brief_loss() const {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", loss_);
    return text;
  }

  TrainReport report() {
    if (config_.restore_best && folder_.has_checkpoint("best"))
      load_state(module_, read_checkpoint_model(folder_.checkpoint("best")),
                 folder_.checkpoint("best").string());
    team_.share_weights(module_);
    module_.eval();
    TrainReport report;
    report.steps = state_.step;
    report.epochs = state_.epoch + (state_.next_batch > 0 && state_.next_batch == state_.batches);
    report.best_score = state_.best_score.value_or(0);
    report.best_step = state_.best_step;
    report.best_metrics = state_.best_metrics;
    report.seconds = state_.seconds;
    report.processor_seconds = state_.processor_seconds;
    return report;
  }

  ProcessorShare share_;
  Team team_;
  Task& task_;
  const TrainerConfig& config_;
  RunFolder& folder_;
  Reporter& reporter_;
  const StopFlag& stop_;
  torch::nn::Module& module_;
  torch::Device device_;
  Precision precision_;
  FlatAdam optimizer_;
  std::optional<WeightAverage> average_;
  MetricsWriter metrics_;
  std::optional<EventWriter> events_;
  Random shuffle_;
  TrainingState state_;
  double loss_ = 0, factor_ = 1;
  bool stopping_ = false;  // any process was asked to
  double resumed_seconds_ = 0, resumed_processor_seconds_ = 0;
  const double begin_processor_ = processor_seconds();
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point saved_ = Clock::now();
};

}  // namespace

void refuse_another_training(const TrainerConfig& config, const RunManifest& manifest,
                             const RunFolder& folder) {
  if (folder.has_checkpoint("last"))
    refuse_differences(differences_that_count(config, manifest, folder), folder);
}

TrainReport train(Task& task, const TrainerConfig& config, const RunManifest& manifest, RunFolder& folder,
                  Reporter& reporter, const StopFlag& stop) {
  validate(config, "trainer");
  return Training(task, config, folder, manifest.seed.value(), reporter, stop).run(manifest);
}

}  // namespace kgwalk
