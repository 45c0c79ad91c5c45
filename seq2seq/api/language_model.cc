#include "kgwalk/language_model.h"

#include "kgwalk/error.h"
#include "seq2seq/tasks/language/task.h"

namespace kgwalk {

struct LanguageModel::Model {
  seq2seq::LanguageGenerator generator;
};

LanguageModel LanguageModel::open(const std::filesystem::path& path, const LanguageModelSettings& settings) {
  seq2seq::LanguageGenerator generator = seq2seq::LanguageGenerator::open(path);
  seq2seq::LanguageConfig& config = generator.config();
  if (settings.beam != 0) config.search.beam = settings.beam;
  if (settings.words != 0) config.search.max_pieces = settings.words;
  if (settings.window != 0) config.eval_window = settings.window;
  if (settings.stride != 0) config.eval_stride = settings.stride;
  config.search.nbest = settings.nbest;
  validate(config, "language model");
  if (config.search.nbest > config.search.beam)
    throw ConfigError("language model: nbest is " + std::to_string(config.search.nbest) +
                      " and the beam keeps " + std::to_string(config.search.beam));
  return LanguageModel(std::make_unique<Model>(Model{std::move(generator)}));
}

LanguageModel::LanguageModel(std::unique_ptr<Model> model) : model_(std::move(model)) {}
LanguageModel::LanguageModel(LanguageModel&&) noexcept = default;
LanguageModel& LanguageModel::operator=(LanguageModel&&) noexcept = default;
LanguageModel::~LanguageModel() = default;

Perplexity LanguageModel::perplexity(const std::vector<std::string>& lines) const {
  const seq2seq::Likelihood found = model_->generator.likelihood(lines);
  return {.per_word = found.perplexity(),
          .log_prob = -found.negative_log_prob,
          .words = found.words,
          .unknown = found.unknown};
}

std::vector<std::string> LanguageModel::continue_line(const std::string& text) const {
  return model_->generator.continue_line(text);
}

}  // namespace kgwalk
