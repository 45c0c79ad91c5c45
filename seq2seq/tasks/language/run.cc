#include "seq2seq/tasks/language/run.h"

#include <algorithm>
#include <optional>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/tasks/language/task.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/starting_run.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::seq2seq {
namespace {

using LanguageStart = GroupedStart<LanguageConfig>;

WordVocabulary vocabulary_in(const std::filesystem::path& file) {
  return WordVocabulary::parse(read_file(file), file.string());
}

TransformerLanguageModelOptions pillar_model(const LanguageConfig& config) {
  TransformerLanguageModelOptions model = config.model;
  model.decoder = model.decoder.with_pillars(config.heads.groups);
  return model;
}

void copy_pillars_to(TransformerLanguageModel& to, const LanguageStart& start,
                     std::span<const std::int64_t> train, Reporter& reporter, const StopFlag& stop) {
  TransformerLanguageModel model(start.config.model, to->vocabulary->vocabulary());
  GroupedNet net(start.config.heads, model.ptr(), *model);
  const std::int64_t length = start.config.window, rows = start.config.rows;
  const std::int64_t windows = static_cast<std::int64_t>(train.size()) / length;
  const auto read_batch = [&](std::int64_t batch) {
    std::vector<std::int64_t> begins;
    for (std::int64_t w = batch * rows; w < std::min(windows, (batch + 1) * rows); ++w)
      begins.push_back(w * length);
    (void)model->forward(windows_of(train, begins, length));
  };
  const auto pillars =
      find_pillars(net, {start.checkpoint, start.stay, start.seed, (windows + rows - 1) / rows, read_batch},
                   reporter, stop);
  const torch::NoGradGuard no_grad;
  copy_pillars(*model, *to, pillars);
}

// What a training begins with besides its text: the pillars of a run, the weights of one, or neither.
struct LanguageBeginning {
  explicit LanguageBeginning(const LanguageTrainOptions& options) : config(options.config) {
    check_starts(options.pillars_of, options.from);
    if (!options.pillars_of.empty()) {
      pillars.emplace(options.pillars_of, kLanguageRun, config.heads, options.seed);
      config.model = pillar_model(pillars->config);
    }
    if (!options.from.empty()) from.emplace(options.from, kLanguageRun);
  }
  [[nodiscard]] WordVocabulary vocabulary(const std::vector<std::string>& text) const {
    if (pillars) return vocabulary_in(pillars->checkpoint / "words.txt");
    return from ? vocabulary_in(from->file("words.txt")) : WordVocabulary::count(text, config.min_count);
  }
  LanguageConfig config;
  std::optional<LanguageStart> pillars;
  std::optional<StartingRun> from;
};

RunManifest manifest_of(const LanguageTrainOptions& options, const LanguageConfig& config,
                        const std::vector<std::string>& train, const std::vector<std::string>& dev) {
  RunManifest manifest(kLanguageRun, config, options.seed);
  if (!options.pillars_of.empty())
    manifest.sources["pillars_of"] = std::filesystem::absolute(options.pillars_of);
  if (!options.from.empty()) manifest.sources["from"] = std::filesystem::absolute(options.from);
  manifest.checksums = {{"train", checksum_of_lines(train)}, {"dev", checksum_of_lines(dev)}};
  return manifest;
}

}  // namespace

Json LanguageTrainReport::to_json() const {
  return {{"vocabulary", vocabulary},
          {"parameters", parameters},
          {"words", words},
          {"training", training.to_json()},
          {"model", model.string()}};
}

LanguageTrainReport train_language(const LanguageTrainOptions& options, Reporter& reporter,
                                   const StopFlag& stop) {
  const LanguageBeginning beginning(options);
  const LanguageConfig& config = beginning.config;
  validate(config, "language configuration");
  const std::vector<std::string> train = read_text_lines(options.train), dev = read_text_lines(options.dev);
  const WordVocabulary vocabulary = beginning.vocabulary(train);
  RunFolder folder = RunFolder::create(options.run, kLanguageRun);
  seed_torch(options.seed);
  std::vector<std::int64_t> words = vocabulary.stream(train);
  LanguageTrainReport report;
  report.vocabulary = vocabulary.size();
  report.words = static_cast<std::int64_t>(words.size());
  TransformerLanguageModel model(config.model, vocabulary.size());
  for (const torch::Tensor& p : model->parameters()) report.parameters += p.numel();
  if (!folder.has_checkpoint("last")) {
    if (beginning.pillars) copy_pillars_to(model, *beginning.pillars, words, reporter, stop);
    if (beginning.from) beginning.from->copy_to(*model);
  }
  LanguageTask task(config, model, vocabulary, std::move(words), vocabulary.stream(dev));
  task.net()->keep_converged(folder.checkpoint("converged"),
                             [&](const std::filesystem::path& to) { task.save_extra(to); });
  reporter.info("language model, " + with_commas(report.parameters) + " trained weights, " +
                with_commas(report.vocabulary) + " words; " + with_commas(report.words) + " words of text");
  report.training =
      kgwalk::train(task, config.trainer, manifest_of(options, config, train, dev), folder, reporter, stop);
  task.net()->tell_converged(reporter);
  load_state(*task.net(), read_checkpoint_model(folder.checkpoint("best")), "best checkpoint");
  report.model = folder.path() / "model";
  write_model_folder(report.model, kLanguageRun, to_json_of(config), state_of(*model),
                     {"words.txt", vocabulary.bytes()});
  folder.write_result("training", report.to_json());
  return report;
}

}  // namespace kgwalk::seq2seq
