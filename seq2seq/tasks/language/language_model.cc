#include "seq2seq/tasks/language/language_model.h"

#include <algorithm>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/tensor_io.h"
#include "seq2seq/metrics/words.h"
#include "seq2seq/tasks/language/task.h"
#include "seq2seq/tasks/model_folder.h"

namespace kgwalk::seq2seq {

LanguageModel LanguageModel::open(const std::filesystem::path& path) {
  const ModelFiles files = read_model_files(path, kLanguageRun, "words.txt");
  LanguageConfig config;
  apply_json(config, files.config, path.string());
  WordVocabulary vocabulary = WordVocabulary::parse(files.vocabulary, path.string() + "/words.txt");
  TransformerLanguageModel model(config.model, vocabulary.size());
  load_state(*model, files.weights, path.string());
  move_to(*model, compute_device());
  return {std::move(config), std::move(model), std::move(vocabulary)};
}

LanguageModel::LanguageModel(LanguageConfig config, TransformerLanguageModel model, WordVocabulary vocabulary)
    : config_(std::move(config)), model_(std::move(model)), vocabulary_(std::move(vocabulary)) {
  if (model_->vocabulary->vocabulary() != vocabulary_.size())
    throw ConfigError("the vocabulary has " + std::to_string(vocabulary_.size()) +
                      " words, the weights are for " + std::to_string(model_->vocabulary->vocabulary()));
  model_->eval();
}

Likelihood LanguageModel::likelihood(std::span<const std::string> lines) const {
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

std::vector<std::string> LanguageModel::continue_line(const std::string& text) const {
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
