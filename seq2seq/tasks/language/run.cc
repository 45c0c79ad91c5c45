// Training of language models into run folders, and trained ones opened again.
#include <algorithm>
#include <optional>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/metrics/words.h"
#include "seq2seq/tasks/language/task.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::seq2seq {
namespace {

using LanguageStart = GroupedStart<LanguageConfig>;

WordVocabulary vocabulary_of(const LanguageStart& start) {
  const std::filesystem::path file = start.checkpoint / "words.txt";
  return WordVocabulary::parse(read_file(file), file.string());
}

LanguageModelOptions pillar_model(const LanguageConfig& config) {
  LanguageModelOptions model = config.model;
  model.decoder = model.decoder.with_pillars(config.heads.groups);
  return model;
}

void copy_pillars_to(LanguageModel& to, const LanguageStart& start, std::span<const std::int64_t> train,
                     Reporter& reporter, const StopFlag& stop) {
  LanguageModel model(start.config.model, to->vocabulary->vocabulary());
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
      vote_pillars(net, start.checkpoint, (windows + rows - 1) / rows, read_batch, reporter, stop);
  const torch::NoGradGuard no_grad;
  copy_pillars(*model, *to, pillars);
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
  std::optional<LanguageStart> start;
  LanguageConfig config = options.config;
  if (!options.pillars_of.empty()) {
    start.emplace(options.pillars_of, kLanguageRun);
    config.model = pillar_model(start->config);
  }
  validate(config, "language configuration");
  const std::vector<std::string> train = read_text_lines(options.train), dev = read_text_lines(options.dev);
  const WordVocabulary vocabulary =
      start ? vocabulary_of(*start) : WordVocabulary::count(train, config.min_count);
  RunFolder folder = RunFolder::create(options.run, kLanguageRun);
  RunManifest manifest(kLanguageRun, to_json_of(config), options.seed);
  manifest.sources["pillars_of"] = options.pillars_of;
  manifest.checksums = {{"train", checksum_of_lines(train)}, {"dev", checksum_of_lines(dev)}};
  seed_torch(options.seed);
  std::vector<std::int64_t> words = vocabulary.stream(train);
  LanguageTrainReport report;
  report.vocabulary = vocabulary.size();
  report.words = static_cast<std::int64_t>(words.size());
  LanguageModel model(config.model, vocabulary.size());
  for (const torch::Tensor& p : model->parameters()) report.parameters += p.numel();
  if (start && !folder.has_checkpoint("last")) copy_pillars_to(model, *start, words, reporter, stop);
  LanguageTask task(config, model, vocabulary, std::move(words), vocabulary.stream(dev));
  reporter.info("language model, " + with_commas(report.parameters) + " trained weights, " +
                with_commas(report.vocabulary) + " words; " + with_commas(report.words) + " words of text");
  report.training = kgwalk::train(task, config.trainer, manifest, folder, reporter, stop);
  load_state(*task.net(), read_checkpoint_model(folder.checkpoint("best")), "best checkpoint");
  report.model = folder.path() / "model";
  write_model_folder(report.model, kLanguageRun, to_json_of(config), state_of(*model),
                     {"words.txt", vocabulary.bytes()});
  folder.write_result("training", report.to_json());
  return report;
}

LanguageGenerator LanguageGenerator::open(const std::filesystem::path& path) {
  const ModelFiles files = read_model_files(path, kLanguageRun, "words.txt");
  LanguageConfig config;
  apply_json(config, files.config, path.string());
  WordVocabulary vocabulary = WordVocabulary::parse(files.vocabulary, path.string() + "/words.txt");
  LanguageModel model(config.model, vocabulary.size());
  load_state(*model, files.weights, path.string());
  return {std::move(config), std::move(model), std::move(vocabulary)};
}

LanguageGenerator::LanguageGenerator(LanguageConfig config, LanguageModel model, WordVocabulary vocabulary)
    : config_(std::move(config)), model_(std::move(model)), vocabulary_(std::move(vocabulary)) {
  if (model_->vocabulary->vocabulary() != vocabulary_.size())
    throw ConfigError("the vocabulary has " + std::to_string(vocabulary_.size()) +
                      " words, the weights are for " + std::to_string(model_->vocabulary->vocabulary()));
  model_->eval();
}

Likelihood LanguageGenerator::likelihood(std::span<const std::string> lines) const {
  const std::vector<std::int64_t> stream = vocabulary_.stream(lines);
  const std::vector<float> told = sliding_log_probs(model_, vocabulary_, stream, config_);
  Likelihood all;
  all.unknown = std::count(stream.begin(), stream.end(), vocabulary_.unknown());
  auto word = told.begin();
  for (const std::string& text : lines) {
    LineLikelihood line{0, static_cast<std::int64_t>(split_words(text).size()) + 1};
    for (const auto end = word + line.words; word != end; ++word) line.negative_log_prob -= *word;
    all += line;
    all.lines.push_back(line);
  }
  return all;
}

std::vector<std::string> LanguageGenerator::continue_line(const std::string& text) const {
  const torch::NoGradGuard no_grad;
  std::vector<std::int64_t> seen{vocabulary_.line_end()};
  for (const std::string& word : split_words(text)) seen.push_back(vocabulary_.id_of(word));
  // The continuation has its places in the window too; half of it stays for what is continued.
  const auto most = static_cast<std::size_t>(
      std::max({config_.eval_window - config_.search.max_pieces, config_.eval_window / 2, 1}));
  if (seen.size() > most) seen.erase(seen.begin(), seen.end() - static_cast<std::ptrdiff_t>(most));
  DecoderState state = model_->start(1);
  const auto step = [&](const torch::Tensor& words, const torch::Tensor& parents) {
    if (state.length == 0) return model_->step(torch::tensor(seen, torch::kInt64).unsqueeze(0), state);
    state.reorder(parents);
    return model_->step(words.unsqueeze(1), state);
  };
  const auto found = search_tokens(
      {vocabulary_.line_end(), vocabulary_.line_end(), {vocabulary_.unknown()}, {config_.search.max_pieces}},
      config_.search, step);
  std::vector<std::string> continuations;
  for (const FoundSequence& sequence : found[0]) {
    std::string line;
    for (const std::int64_t id : sequence.pieces) {
      if (!line.empty()) line += ' ';
      line += vocabulary_.word(id);
    }
    continuations.push_back(std::move(line));
  }
  return continuations;
}

}  // namespace kgwalk::seq2seq
