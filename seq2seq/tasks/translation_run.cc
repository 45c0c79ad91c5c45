#include "seq2seq/tasks/translation_run.h"

#include "runtime/checksum.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/pillars.h"
#include "seq2seq/tasks/translation_task.h"
#include "seq2seq/text/spm_train.h"

namespace kgwalk::seq2seq {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKind = "task-mt";

// That of the interrupted training when there is one, else a new one.
SentencePiece make_vocabulary(const ParallelText& text, const PieceOptions& options, const RunFolder& folder,
                              Reporter& reporter) {
  if (folder.has_checkpoint("last"))
    return SentencePiece::load(folder.checkpoint("last") / "sentencepiece.model");
  reporter.info("training the vocabulary (spm_train)");
  std::vector<std::string> lines;
  for (const auto* side : {&text.source, &text.target})
    for (const std::string& line : *side) lines.push_back(prepared_text(line, options));
  const fs::path scratch = folder.path() / "vocabulary";
  fs::create_directories(scratch);
  VocabularyOptions vocabulary;
  vocabulary.size = options.size;
  vocabulary.algorithm = options.algorithm;
  vocabulary.fold_case = false;
  vocabulary.coverage = options.coverage;
  vocabulary.control = {kStartPiece, kEndPiece};
  SentencePiece trained = train_sentencepiece(lines, vocabulary, scratch);
  fs::remove_all(scratch);
  return trained;
}

std::string checksum_of_text(const ParallelText& text) {
  Checksum sum;
  for (const auto* side : {&text.source, &text.target})
    for (const std::string& line : *side) sum.add(line + '\n');
  return sum.hex();
}

Json full_config(const TranslationTrainOptions& options, const ParallelText& train, const ParallelText& dev,
                 const SentencePiece& vocabulary) {
  return {{"translation", to_json_of(options.config)},
          {"seed", options.seed},
          {"pillars_of", options.pillars_of.string()},
          {"checksums",
           {{"train", checksum_of_text(train)},
            {"dev", checksum_of_text(dev)},
            {"vocabulary", vocabulary.checksum()}}}};
}

void tell_left_out(const PieceData& data, const fs::path& file, int limit, Reporter& reporter) {
  if (data.empty > 0)
    reporter.warn(file.string() + ": " + with_commas(data.empty) + " pairs with an empty side are left out");
  if (data.too_long > 0)
    reporter.warn(file.string() + ": " + with_commas(data.too_long) + " pairs of more than " +
                  std::to_string(limit) + " pieces are left out");
}

}  // namespace

Json TranslationTrainReport::to_json() const {
  return {{"vocabulary", vocabulary},
          {"parameters", parameters.all},
          {"embedding_parameters", parameters.embeddings},
          {"sentences", sentences},
          {"left_out", left_out},
          {"target_pieces", pieces},
          {"steps", training.steps},
          {"epochs", training.epochs},
          {"best_step", training.best_step},
          {"best", training.best_metrics},
          {"seconds", training.seconds},
          {"processor_seconds", training.processor_seconds},
          {"model", model.string()}};
}

namespace {

// The finished model's folder.
fs::path write_model(TranslationTask& task, const TranslationConfig& config, const SentencePiece& vocabulary,
                     const RunFolder& folder, std::int64_t steps) {
  const std::vector<fs::path> snapshots = task.snapshots(steps);
  if (config.keep == "average" && !snapshots.empty())
    load_state(*task.net()->model, average_weights(snapshots), "averaged snapshots");
  else
    load_state(*task.net(), read_checkpoint_model(folder.checkpoint("best")), "best checkpoint");
  const fs::path model = folder.path() / "model";
  write_model_folder(model, "mt", to_json_of(config), state_of(*task.net()->model),
                     {"sentencepiece.model", vocabulary.bytes()});
  return model;
}

void tell_sizes(const TranslationTrainReport& report, Reporter& reporter) {
  reporter.info("translator, " + with_commas(report.parameters.all) + " trained weights (" +
                with_commas(report.parameters.embeddings) + " of them embeddings), " +
                with_commas(report.vocabulary) + " pieces; " + with_commas(report.sentences) +
                " sentences with " + with_commas(report.pieces) + " target pieces");
}

// `start`: the run whose pillars the model begins with, or null.
TranslationTrainReport train_from(const TranslationTrainOptions& options, const GroupedRun* start,
                                  Reporter& reporter, const StopFlag& stop) {
  validate(options.config, "translation configuration");
  const TranslationConfig& config = options.config;
  const ParallelText train_text = read_parallel_text(options.train_source, options.train_target);
  const ParallelText dev_text = read_parallel_text(options.dev_source, options.dev_target);
  RunFolder folder = RunFolder::create(options.run, kKind);
  const SentencePiece vocabulary =
      start ? SentencePiece(start->vocabulary().bytes(), options.pillars_of.string())
            : make_vocabulary(train_text, config.vocabulary, folder, reporter);
  PieceData train = encode_pairs(vocabulary, train_text, config),
            dev = encode_pairs(vocabulary, dev_text, config);
  tell_left_out(train, options.train_source, config.model.max_length, reporter);
  tell_left_out(dev, options.dev_source, config.model.max_length, reporter);
  TranslationTrainReport report;
  report.vocabulary = vocabulary.size();
  report.sentences = static_cast<std::int64_t>(train.pairs.size());
  report.left_out = train.empty + train.too_long;
  report.pieces = train.target_pieces;
  const Json full = full_config(options, train_text, dev_text, vocabulary);
  seed_torch(options.seed);
  TranslationTask task(config, vocabulary, std::move(train), std::move(dev), folder.path() / "snapshots");
  if (start && !folder.has_checkpoint("last"))
    start->copy_pillars_to(task.net()->model, task.training_data(), reporter, stop);
  report.parameters = count_parameters(*task.net()->model);
  tell_sizes(report, reporter);
  report.training = kgwalk::train(task, config.trainer, full, folder, options.seed, reporter, stop);
  report.model = write_model(task, config, vocabulary, folder, report.training.steps);
  folder.write_result("training", report.to_json());
  return report;
}

}  // namespace

TranslationTrainReport train_translation(const TranslationTrainOptions& options, Reporter& reporter,
                                         const StopFlag& stop) {
  if (options.pillars_of.empty()) return train_from(options, nullptr, reporter, stop);
  const GroupedRun start = GroupedRun::open(options.pillars_of);
  TranslationTrainOptions smaller = options;
  smaller.config.model = start.pillar_model();
  return train_from(smaller, &start, reporter, stop);
}

}  // namespace kgwalk::seq2seq
