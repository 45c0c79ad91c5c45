#include "seq2seq/tasks/recognition/run.h"

#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/recognition/task.h"

namespace kgwalk::seq2seq {
namespace {

namespace fs = std::filesystem;

std::vector<Recording> read_all(const std::vector<std::string>& lists) {
  std::vector<Recording> all;
  for (const std::string& list : lists)
    for (Recording& recording : read_recordings(list)) all.push_back(std::move(recording));
  return all;
}

// Every so many-th recording, in the middle of its run of them.
std::vector<Recording> held_out(std::vector<Recording>& train, int every) {
  std::vector<Recording> kept, dev;
  for (std::size_t i = 0; i < train.size(); ++i) {
    const bool out = i % static_cast<std::size_t>(every) == static_cast<std::size_t>(every) / 2;
    (out ? dev : kept).push_back(std::move(train[i]));
  }
  train = std::move(kept);
  return dev;
}

std::vector<std::string> texts_of(const std::vector<Recording>& recordings) {
  std::vector<std::string> texts;
  for (const Recording& r : recordings) texts.push_back(r.text);
  return texts;
}

// Those of the interrupted training when there is one, else new ones.
SpeechUnits make_units(const std::vector<Recording>& train, const UnitOptions& options,
                       const RunFolder& folder) {
  const std::string name = SpeechUnits::file_name(options);
  if (folder.has_checkpoint("last")) {
    const fs::path file = folder.checkpoint("last") / name;
    return SpeechUnits::parse(read_file(file), options, file.string());
  }
  return SpeechUnits::make(texts_of(train), options, folder.path() / "vocabulary");
}

void write_unit_text(const std::vector<Recording>& recordings, const SpeechUnits& units,
                     const fs::path& file) {
  std::string text;
  for (const Recording& recording : recordings) {
    std::string line;
    for (const int id : units.encode(recording.text)) line += (line.empty() ? "" : " ") + units.unit(id);
    text += line + '\n';
  }
  write_file_atomically(file, text);
}

fs::path write_model(RecognitionTask& task, const RecognitionConfig& config, const SpeechUnits& units,
                     const RunFolder& folder, std::int64_t steps) {
  const std::vector<fs::path> snapshots = task.snapshots(steps);
  if (config.keep == KeptWeights::kAverage && !snapshots.empty())
    load_state(*task.model(), average_weights(snapshots), "averaged snapshots");
  else
    load_state(*task.model(), read_checkpoint_model(folder.checkpoint("best")), "best checkpoint");
  const fs::path model = folder.path() / "model";
  write_model_folder(model, kRecognitionRun, to_json_of(config), state_of(*task.model()),
                     {units.file_name(), units.bytes()});
  return model;
}

void tell_left_out(const RecognitionTrainReport& report, Reporter& reporter) {
  if (report.silent > 0)
    reporter.warn(with_commas(report.silent) + " training utterances without text are left out");
  if (report.too_short > 0)
    reporter.warn(
        with_commas(report.too_short) +
        " training utterances are too short for their text and left out; model.subsampling.factor 2 or "
        "other units may keep them");
}

}  // namespace

Json RecognitionTrainReport::to_json() const {
  return {{"units", units},
          {"parameters", parameters},
          {"utterances", utterances},
          {"development", development},
          {"hours", hours},
          {"left_out", {{"without_text", silent}, {"too_short", too_short}}},
          {"training", training.to_json()},
          {"model", model.string()}};
}

RecognitionTrainReport train_recognition(const RecognitionTrainOptions& options, Reporter& reporter,
                                         const StopFlag& stop) {
  validate(options.config, "recognition configuration");
  const RecognitionConfig& config = options.config;
  std::vector<Recording> train = read_all(options.train);
  const std::vector<Recording> dev =
      options.dev.empty() ? held_out(train, config.hold_out) : read_all(options.dev);
  RunFolder folder = RunFolder::create(options.run, kRecognitionRun);
  const SpeechUnits units = make_units(train, config.units, folder);
  write_unit_text(train, units, folder.path() / "units.text");
  write_unit_text(dev, units, folder.path() / "units.dev.text");
  SpeechData train_data = load_speech(train, config, units, true, reporter);
  SpeechData dev_data = load_speech(dev, config, units, false, reporter);
  RecognitionTrainReport report;
  report.units = units.size();
  report.utterances = static_cast<std::int64_t>(train_data.utterances.size());
  report.development = static_cast<std::int64_t>(dev_data.utterances.size());
  report.silent = train_data.silent;
  report.too_short = train_data.too_short;
  report.hours = train_data.seconds / 3600;
  tell_left_out(report, reporter);
  RunManifest manifest(kRecognitionRun, config, options.seed);
  manifest.checksums = {{"train", checksum_of_recordings(train)}, {"dev", checksum_of_recordings(dev)}};
  seed_torch(options.seed);
  RecognitionTask task(config, units, std::move(train_data), std::move(dev_data), folder.path() / "snapshots",
                       options.seed);
  for (const torch::Tensor& p : task.model()->parameters()) report.parameters += p.numel();
  reporter.info("recognizer, " + with_commas(report.parameters) + " trained weights, " +
                with_commas(report.units) + " units; " + with_commas(report.utterances) + " utterances, " +
                format_duration(report.hours * 3600) + " of sound");
  report.training = kgwalk::train(task, config.trainer, manifest, folder, reporter, stop);
  report.model = write_model(task, config, units, folder, report.training.steps);
  folder.write_result("training", report.to_json());
  return report;
}

}  // namespace kgwalk::seq2seq
