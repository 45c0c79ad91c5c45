#include "seq2seq/tasks/summary/run.h"

#include "runtime/checksum.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/tasks/starting_run.h"
#include "seq2seq/tasks/summary/task.h"

namespace kgwalk::seq2seq {
namespace {

namespace fs = std::filesystem;

SentencePiece train_vocabulary(const std::vector<SummaryExample>& examples, const SummaryConfig& config,
                               const RunFolder& folder) {
  return train_pieces(
      [&](const auto& add) {
        for (const SummaryExample& example : examples) {
          const Dialogue dialogue = parse_dialogue(example.dialogue);
          for (const std::string& text : DialogueCoder::plain_parts(example.summary, dialogue)) add(text);
          for (const Turn& turn : dialogue.turns)
            for (const std::string& text : DialogueCoder::plain_parts(turn.text, dialogue)) add(text);
        }
      },
      config.vocabulary, folder.path() / "vocabulary", DialogueCoder::control_pieces(config.model.speakers));
}

std::string checksum_of_examples(const std::vector<SummaryExample>& examples) {
  Checksum sum;
  for (const SummaryExample& example : examples) sum.add(example.dialogue + '\0' + example.summary + '\0');
  return sum.hex();
}

void tell_left_out(const SummaryData& data, const fs::path& file, int limit, Reporter& reporter) {
  const auto tell = [&](std::int64_t count, const std::string& what) {
    if (count > 0) reporter.warn(file.string() + ": " + with_commas(count) + what);
  };
  const std::string more = " of more than " + std::to_string(limit) + " pieces are ";
  tell(data.empty, " examples without a dialogue or a summary are left out");
  tell(data.too_long, " examples with a summary" + more + "left out");
  tell(data.cut, " dialogues" + more + "cut to their beginning");
}

using SummaryStart = GroupedStart<SummaryConfig>;

PointerGeneratorOptions pillar_model(const SummaryConfig& config) {
  PointerGeneratorOptions model = config.model;
  for (StackOptions* stack : {&model.transformer.encoder, &model.transformer.decoder})
    *stack = stack->with_pillars(config.heads.groups);
  return model;
}

void copy_pillars_to(PointerGenerator& to, const SummaryStart& start, const SentencePiece& vocabulary,
                     const SummaryData& train, Reporter& reporter, const StopFlag& stop) {
  PointerGenerator model(start.config.model, vocabulary.size(), vocabulary.special().unk);
  GroupedNet net(start.config.heads, model.ptr(), *model->transformer);
  Random random(1);
  const auto batches = token_batches(lengths_of(train), start.config.max_tokens, random);
  const auto read_batch = [&](std::int64_t index) {
    const SummaryBatch batch =
        make_batch(train, batches[static_cast<std::size_t>(index)], vocabulary.id_of(kStartPiece));
    (void)model->loss(model->encode(batch.source), batch.target, 0, 0);
  };
  const auto pillars = find_pillars(
      net, {start.checkpoint, start.stay, start.seed, static_cast<std::int64_t>(batches.size()), read_batch},
      reporter, stop);
  const torch::NoGradGuard no_grad;
  copy_pillars(*model->transformer, *to->transformer, pillars);
  NamedTensors rest = state_of(*to);
  for (const auto& [name, tensor] : state_of(*model))
    if (!name.starts_with("transformer.")) rest.at(name) = tensor;
  load_state(*to, rest, "the run with groups of heads");
}

PairTrainReport report_of(const SummaryData& train, const SentencePiece& vocabulary) {
  PairTrainReport report;
  report.vocabulary = vocabulary.size();
  report.pairs = static_cast<std::int64_t>(train.pairs.size());
  report.left_out = train.empty + train.too_long;
  report.cut = train.cut;
  report.pieces = train.target_pieces;
  return report;
}

RunManifest manifest_of(const SummaryTrainOptions& options, const SummaryConfig& config,
                        const std::vector<SummaryExample>& train, const std::vector<SummaryExample>& dev,
                        const SentencePiece& vocabulary) {
  RunManifest manifest(kSummaryRun, config, options.seed);
  if (!options.pillars_of.empty())
    manifest.sources["pillars_of"] = std::filesystem::absolute(options.pillars_of);
  if (!options.from.empty()) manifest.sources["from"] = std::filesystem::absolute(options.from);
  manifest.checksums = {{"train", checksum_of_examples(train)},
                        {"dev", checksum_of_examples(dev)},
                        {"vocabulary", vocabulary.checksum()}};
  return manifest;
}

}  // namespace

PairTrainReport train_summarizer(const SummaryTrainOptions& options, Reporter& reporter,
                                 const StopFlag& stop) {
  check_starts(options.pillars_of, options.from);
  std::optional<SummaryStart> start;
  std::optional<StartingRun> from;
  SummaryConfig config = options.config;
  if (!options.pillars_of.empty()) {
    start.emplace(options.pillars_of, kSummaryRun, config.heads, options.seed);
    config.model = pillar_model(start->config);
  }
  if (!options.from.empty()) from.emplace(options.from, kSummaryRun);
  validate(config, "summary configuration");
  const std::vector<SummaryExample> train_examples = read_summary_examples(options.train),
                                    dev_examples = read_summary_examples(options.dev);
  RunFolder folder = RunFolder::create(options.run, kSummaryRun);
  const SentencePiece vocabulary = start  ? SentencePiece::load(start->checkpoint / "sentencepiece.model")
                                   : from ? SentencePiece::load(from->file("sentencepiece.model"))
                                          : vocabulary_of_run(folder, reporter, [&] {
                                              return train_vocabulary(train_examples, config, folder);
                                            });
  const DialogueCoder coder(vocabulary, config.vocabulary, config.model.speakers);
  SummaryData train = encode_examples(coder, train_examples, config),
              dev = encode_examples(coder, dev_examples, config);
  const int limit = config.model.transformer.max_length;
  tell_left_out(train, options.train, limit, reporter);
  tell_left_out(dev, options.dev, limit, reporter);
  PairTrainReport report = report_of(train, vocabulary);
  seed_torch(options.seed);
  PointerGenerator model(config.model, vocabulary.size(), vocabulary.special().unk);
  report.parameters = count_parameters(*model, *model->transformer);
  if (start && !folder.has_checkpoint("last"))
    copy_pillars_to(model, *start, vocabulary, train, reporter, stop);
  if (from && !folder.has_checkpoint("last")) from->copy_to(*model);
  SummaryTask task(config, model, vocabulary, std::move(train), std::move(dev), folder.path() / "snapshots");
  train_pairs(task,
              {kSummaryRun, "summarizer",
               manifest_of(options, config, train_examples, dev_examples, vocabulary), &config},
              folder, vocabulary, report, reporter, stop);
  return report;
}

}  // namespace kgwalk::seq2seq
