#include "seq2seq/tasks/translation/translator.h"

#include "runtime/tensor/device.h"
#include "seq2seq/search/token_search.h"
#include "seq2seq/tasks/batching.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/text_lines.h"
#include "seq2seq/tasks/translation/task.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

Translator Translator::open(const std::filesystem::path& path) {
  ModelFiles files = read_model_files(path, kTranslationRun, "sentencepiece.model");
  TranslationConfig config;
  apply_json(config, files.config, path.string());
  SentencePiece vocabulary(std::move(files.vocabulary), path.string() + "/sentencepiece.model");
  EncoderDecoder model(config.model, vocabulary.size());
  load_state(*model, files.weights, path.string());
  move_to(*model, compute_device());
  return {std::move(config), std::move(model), std::move(vocabulary)};
}

Translator::Translator(TranslationConfig config, EncoderDecoder model, SentencePiece vocabulary)
    : config_(std::move(config)),
      model_(std::move(model)),
      vocabulary_(std::make_shared<const SentencePiece>(std::move(vocabulary))) {
  check_vocabulary(*vocabulary_, model_->vocabulary());
  model_->eval();
}

void Translator::set_search(const TokenSearchOptions& search) {
  validate(search, "search");
  config_.search = search;
}

std::vector<Decoded> Translator::translate(std::span<const std::string> lines, int batch) const {
  const torch::NoGradGuard no_grad;
  std::vector<Decoded> results(lines.size());
  std::vector<std::vector<int>> sources;
  std::vector<Decoded*> places;
  std::vector<std::size_t> lengths;
  const auto limit = static_cast<std::size_t>(config_.model.max_length);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string text = lines[i];
    results[i].repaired = repair_utf8(text);
    std::vector<int> pieces = encode_line(*vocabulary_, text, config_.vocabulary);
    if (pieces.size() > limit) {
      results[i].cut = true;
      pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(limit) - 1, pieces.end() - 1);
    }
    if (pieces.size() < 2) {
      results[i].hypotheses.emplace_back();
      continue;
    }
    lengths.push_back(pieces.size());
    places.push_back(&results[i]);
    sources.push_back(std::move(pieces));
  }
  for (const std::vector<std::size_t>& chosen : batches_by_length(lengths, batch)) {
    std::vector<const std::vector<int>*> part;
    std::vector<Decoded*> to;
    for (const std::size_t i : chosen) {
      part.push_back(&sources[i]);
      to.push_back(places[i]);
    }
    translate_batch(part, to);
  }
  return results;
}

void Translator::translate_batch(std::span<const std::vector<int>* const> lines,
                                 std::span<Decoded* const> results) const {
  std::vector<std::size_t> lengths;
  for (const std::vector<int>* line : lines) lengths.push_back(line->size());
  const TokenSearchTask task = piece_search(*vocabulary_, config_.search, lengths, config_.model.max_length);
  const Padded source = pad_rows(lines);
  const EncodedSource encoded = model_->encode(source.ids, source.keep);
  DecoderState state = model_->start(encoded);
  const ScoreStep step = [&](const Tensor& pieces, const Tensor& parents) {
    if (state.length > 0) state.reorder(parents);
    return model_->step(pieces, state);
  };
  const auto found = search_tokens(task, config_.search, step);
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (const FoundSequence& sequence : found[i]) {
      const std::vector<int> ids(sequence.pieces.begin(), sequence.pieces.end());
      results[i]->hypotheses.push_back({vocabulary_->decode(ids), sequence.log_prob, sequence.score});
    }
}

}  // namespace kgwalk::seq2seq
