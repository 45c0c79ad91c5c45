#include "kgwalk/translator.h"

#include "seq2seq/api/decoding_options.h"
#include "seq2seq/tasks/translation/translator.h"

namespace kgwalk {

struct Translator::Model {
  seq2seq::Translator translator;
  int batch;
};

Translator Translator::open(const std::filesystem::path& path, const DecodingOptions& options) {
  seq2seq::Translator translator = seq2seq::Translator::open(path);
  translator.set_search(seq2seq::with_options(translator.config().search, options));
  if (options.int8) translator.quantize();
  return Translator(std::make_unique<Model>(Model{std::move(translator), options.batch}));
}

Translator::Translator(std::unique_ptr<Model> model) : model_(std::move(model)) {}
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;
Translator::~Translator() = default;

std::vector<Decoded> Translator::translate(const std::vector<std::string>& lines) const {
  return model_->translator.translate(lines, model_->batch);
}

}  // namespace kgwalk
