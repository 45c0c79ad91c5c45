#include "seq2seq/tasks/translator.h"

#include <algorithm>
#include <numeric>

#include "runtime/error.h"
#include "seq2seq/search/token_search.h"
#include "seq2seq/tasks/batching.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/parallel_text.h"
#include "seq2seq/tasks/translation_task.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

struct Translator::Line {
  std::size_t place;
  std::vector<int> pieces;
};

Translator Translator::open(const std::filesystem::path& path) {
  ModelFiles files = read_model_files(path, "mt", "sentencepiece.model");
  TranslationConfig config;
  apply_json(config, files.config, path.string());
  SentencePiece vocabulary(std::move(files.vocabulary), path.string() + "/sentencepiece.model");
  EncoderDecoder model(config.model, vocabulary.size());
  load_state(*model, files.weights, path.string());
  return {std::move(config), std::move(model), std::move(vocabulary)};
}

Translator::Translator(TranslationConfig config, EncoderDecoder model, SentencePiece vocabulary)
    : config_(std::move(config)),
      model_(std::move(model)),
      vocabulary_(std::make_shared<const SentencePiece>(std::move(vocabulary))) {
  if (vocabulary_->size() != model_->vocabulary())
    throw ConfigError("the vocabulary has " + std::to_string(vocabulary_->size()) +
                      " pieces, the weights are for " + std::to_string(model_->vocabulary()));
  for (const char* piece : {kStartPiece, kEndPiece})
    if (!vocabulary_->find(piece))
      throw ConfigError(std::string("the vocabulary has no piece ") + piece +
                        "; it was not made for this task");
  model_->eval();
}

void Translator::set_search(const TokenSearchOptions& search) {
  validate(search, "search");
  config_.search = search;
}

std::vector<Translation> Translator::translate(std::span<const std::string> lines, int batch) const {
  const torch::NoGradGuard no_grad;
  std::vector<Translation> results(lines.size());
  std::vector<Line> work;
  const auto limit = static_cast<std::size_t>(config_.model.max_length);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string text = lines[i];
    results[i].repaired = repair_utf8(text);
    Line line{i, encode_line(*vocabulary_, text, config_.vocabulary)};
    if (line.pieces.size() > limit) {
      results[i].cut = true;
      line.pieces.erase(line.pieces.begin() + static_cast<std::ptrdiff_t>(limit) - 1, line.pieces.end() - 1);
    }
    if (line.pieces.size() < 2)
      results[i].hypotheses.emplace_back();
    else
      work.push_back(std::move(line));
  }
  std::vector<Line*> order;
  for (Line& line : work) order.push_back(&line);
  std::stable_sort(order.begin(), order.end(),
                   [](const Line* a, const Line* b) { return a->pieces.size() < b->pieces.size(); });
  for (std::size_t begin = 0; begin < order.size(); begin += static_cast<std::size_t>(batch))
    translate_batch(
        std::span(order).subspan(begin, std::min(static_cast<std::size_t>(batch), order.size() - begin)),
        results);
  return results;
}

void Translator::translate_batch(std::span<Line* const> lines, std::vector<Translation>& results) const {
  std::vector<const std::vector<int>*> rows;
  TokenSearchTask task{vocabulary_->id_of(kStartPiece), vocabulary_->id_of(kEndPiece), {}, {}};
  const SpecialIds special = vocabulary_->special();
  task.never = {task.start_piece, special.pad, special.unk};
  for (const Line* line : lines) {
    rows.push_back(&line->pieces);
    const double length = config_.search.max_ratio * static_cast<double>(line->pieces.size()) + 10;
    task.limits.push_back(
        std::min({static_cast<int>(length), config_.search.max_pieces, config_.model.max_length - 1}));
  }
  const Padded source = pad_rows(rows);
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
      results[lines[i]->place].hypotheses.push_back(
          {vocabulary_->decode(ids), sequence.log_prob, sequence.score});
    }
}

}  // namespace kgwalk::seq2seq
