#include "seq2seq/tasks/translation/run.h"

#include <optional>

#include "runtime/checksum.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/tasks/starting_run.h"
#include "seq2seq/tasks/translation/pillars.h"
#include "seq2seq/tasks/translation/task.h"

namespace kgwalk::seq2seq {
namespace {

namespace fs = std::filesystem;

SentencePiece train_vocabulary(const ParallelText& text, const PieceOptions& options,
                               const RunFolder& folder) {
  return train_pieces(
      [&](const auto& add) {
        for (const auto* side : {&text.source, &text.target})
          for (const std::string& line : *side) add(line);
      },
      options, folder.path() / "vocabulary");
}

std::string checksum_of_text(const ParallelText& text) {
  Checksum sum;
  for (const auto* side : {&text.source, &text.target})
    for (const std::string& line : *side) sum.add(line + '\n');
  return sum.hex();
}

RunManifest manifest_of(const TranslationTrainOptions& options, const ParallelText& train,
                        const ParallelText& dev, const SentencePiece& vocabulary) {
  RunManifest manifest(kTranslationRun, options.config, options.seed);
  if (!options.pillars_of.empty())
    manifest.sources["pillars_of"] = std::filesystem::absolute(options.pillars_of);
  if (!options.from.empty()) manifest.sources["from"] = std::filesystem::absolute(options.from);
  manifest.checksums = {{"train", checksum_of_text(train)},
                        {"dev", checksum_of_text(dev)},
                        {"vocabulary", vocabulary.checksum()}};
  return manifest;
}

void tell_left_out(const PieceData& data, const fs::path& file, int limit, Reporter& reporter) {
  if (data.empty > 0)
    reporter.warn(file.string() + ": " + with_commas(data.empty) + " pairs with an empty side are left out");
  if (data.too_long > 0)
    reporter.warn(file.string() + ": " + with_commas(data.too_long) + " pairs of more than " +
                  std::to_string(limit) + " pieces are left out");
}

// `start`: the run whose pillars the model begins with, or null.
PairTrainReport train_from(const TranslationTrainOptions& options, const TranslationStart* start,
                           Reporter& reporter, const StopFlag& stop) {
  validate(options.config, "translation configuration");
  const TranslationConfig& config = options.config;
  std::optional<StartingRun> from;
  if (!options.from.empty()) from.emplace(options.from, kTranslationRun);
  const ParallelText train_text = read_parallel_text(options.train_source, options.train_target);
  const ParallelText dev_text = read_parallel_text(options.dev_source, options.dev_target);
  RunFolder folder = RunFolder::create(options.run, kTranslationRun);
  const SentencePiece vocabulary = start  ? SentencePiece::load(start->checkpoint / "sentencepiece.model")
                                   : from ? SentencePiece::load(from->file("sentencepiece.model"))
                                          : vocabulary_of_run(folder, reporter, [&] {
                                              return train_vocabulary(train_text, config.vocabulary, folder);
                                            });
  PieceData train = encode_pairs(vocabulary, train_text, config),
            dev = encode_pairs(vocabulary, dev_text, config);
  tell_left_out(train, options.train_source, config.model.max_length, reporter);
  tell_left_out(dev, options.dev_source, config.model.max_length, reporter);
  PairTrainReport report;
  report.vocabulary = vocabulary.size();
  report.pairs = static_cast<std::int64_t>(train.pairs.size());
  report.left_out = train.empty + train.too_long;
  report.pieces = train.target_pieces;
  seed_torch(options.seed);
  EncoderDecoder model(config.model, vocabulary.size());
  report.parameters = count_parameters(*model);
  if (start && !folder.has_checkpoint("last"))
    copy_pillars_to(model, *start, vocabulary, train, reporter, stop);
  if (from && !folder.has_checkpoint("last")) from->copy_to(*model);
  TranslationTask task(config, model, vocabulary, train_text, std::move(train), std::move(dev),
                       folder.path() / "snapshots");
  train_pairs(
      task, {kTranslationRun, "translator", manifest_of(options, train_text, dev_text, vocabulary), &config},
      folder, vocabulary, report, reporter, stop);
  return report;
}

}  // namespace

PairTrainReport train_translation(const TranslationTrainOptions& options, Reporter& reporter,
                                  const StopFlag& stop) {
  check_starts(options.pillars_of, options.from);
  if (options.pillars_of.empty()) return train_from(options, nullptr, reporter, stop);
  const TranslationStart start(options.pillars_of, kTranslationRun, options.config.heads, options.seed);
  TranslationTrainOptions smaller = options;
  smaller.config.model = pillar_model(start.config);
  return train_from(smaller, &start, reporter, stop);
}

}  // namespace kgwalk::seq2seq
