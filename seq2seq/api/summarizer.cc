#include "kgwalk/summarizer.h"

#include "seq2seq/api/decoding_options.h"
#include "seq2seq/tasks/summary/summarizer.h"

namespace kgwalk {

struct Summarizer::Model {
  seq2seq::Summarizer summarizer;
  int batch;
};

Summarizer Summarizer::open(const std::filesystem::path& path, const DecodingOptions& options) {
  seq2seq::Summarizer summarizer = seq2seq::Summarizer::open(path);
  const double coverage = summarizer.config().speaker_coverage;
  summarizer.set_search(seq2seq::with_options(summarizer.config().search, options), coverage);
  if (options.int8) summarizer.quantize();
  return Summarizer(std::make_unique<Model>(Model{std::move(summarizer), options.batch}));
}

Summarizer::Summarizer(std::unique_ptr<Model> model) : model_(std::move(model)) {}
Summarizer::Summarizer(Summarizer&&) noexcept = default;
Summarizer& Summarizer::operator=(Summarizer&&) noexcept = default;
Summarizer::~Summarizer() = default;

std::vector<Decoded> Summarizer::summarize(const std::vector<std::string>& dialogues) const {
  return model_->summarizer.summarize(dialogues, model_->batch);
}

}  // namespace kgwalk
