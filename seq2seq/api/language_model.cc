#include "kgwalk/language_model.h"

#include "seq2seq/api/decoding_options.h"
#include "seq2seq/tasks/language/language_model.h"

namespace kgwalk {

struct LanguageModel::Model {
  seq2seq::LanguageModel model;
};

LanguageModel LanguageModel::open(const std::filesystem::path& path, const LanguageModelOptions& options) {
  seq2seq::LanguageModel model = seq2seq::LanguageModel::open(path);
  seq2seq::LanguageConfig& config = model.config();
  if (options.beam != 0) config.search.beam = options.beam;
  if (options.words != 0) config.search.max_pieces = options.words;
  if (options.window != 0) config.eval_window = options.window;
  if (options.stride != 0) config.eval_stride = options.stride;
  config.search.nbest = options.nbest;
  validate(config, "language model");
  seq2seq::check_nbest(config.search, "language model");
  return LanguageModel(std::make_unique<Model>(Model{std::move(model)}));
}

LanguageModel::LanguageModel(std::unique_ptr<Model> model) : model_(std::move(model)) {}
LanguageModel::LanguageModel(LanguageModel&&) noexcept = default;
LanguageModel& LanguageModel::operator=(LanguageModel&&) noexcept = default;
LanguageModel::~LanguageModel() = default;

Perplexity LanguageModel::perplexity(const std::vector<std::string>& lines) const {
  const seq2seq::Likelihood found = model_->model.likelihood(lines);
  return {.per_word = found.perplexity(),
          .log_prob = -found.negative_log_prob,
          .words = found.words,
          .unknown = found.unknown};
}

std::vector<std::string> LanguageModel::continue_line(const std::string& text) const {
  return model_->model.continue_line(text);
}

}  // namespace kgwalk
