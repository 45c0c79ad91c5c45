#include "seq2seq/tasks/summary/summarizer.h"

#include <algorithm>
#include <cmath>

#include "runtime/tensor/device.h"
#include "seq2seq/tasks/model_folder.h"
#include "seq2seq/tasks/summary/search.h"
#include "seq2seq/tasks/teaching.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

namespace {

constexpr double kLeastCoverage = 0.1;

// The part of `source` that belongs to example b alone.
EncodedPointedSource part_of(const EncodedPointedSource& source, std::int64_t b) {
  const Tensor one = torch::tensor({b}, torch::kInt64);
  EncodedPointedSource part;
  part.source.states = source.source.states.narrow(0, b, 1);
  if (source.source.keep.defined()) part.source.keep = source.source.keep.narrow(0, b, 1);
  part.source.traced = source.source.traced;
  for (TraceEntry entry : source.source.trace.layers) {
    entry.packed = entry.packed.narrow(0, b, 1);
    part.source.trace.layers.push_back(std::move(entry));
  }
  part.pointed = source.pointed.select(one);
  part.copies = source.copies.narrow(0, b, 1);
  part.extra = source.extra;
  return part;
}

}  // namespace

double speaker_coverage_penalty(const std::vector<double>& masses) {
  double sum = 0;
  for (const double mass : masses) sum += std::log(std::min(1.0, std::max(kLeastCoverage, mass)));
  return sum;
}

struct Summarizer::Source {
  Dialogue dialogue;
  DialoguePieces pieces;
};

Summarizer Summarizer::open(const std::filesystem::path& path) {
  ModelFiles files = read_model_files(path, kSummaryRun, "sentencepiece.model");
  SummaryConfig config;
  apply_json(config, files.config, path.string());
  SentencePiece vocabulary(std::move(files.vocabulary), path.string() + "/sentencepiece.model");
  PointerGenerator model(config.model, vocabulary.size(), vocabulary.special().unk);
  load_state(*model, files.weights, path.string());
  move_to(*model, compute_device());
  return {std::move(config), std::move(model), std::move(vocabulary)};
}

Summarizer::Summarizer(SummaryConfig config, PointerGenerator model, SentencePiece vocabulary)
    : config_(std::move(config)),
      model_(std::move(model)),
      vocabulary_(std::make_shared<const SentencePiece>(std::move(vocabulary))),
      coder_(*vocabulary_, config_.vocabulary, config_.model.speakers) {
  check_vocabulary(*vocabulary_, model_->transformer->vocabulary());
  model_->eval();
}

void Summarizer::set_search(const TokenSearchOptions& search, double speaker_coverage) {
  SummaryConfig changed = config_;
  changed.search = search;
  changed.speaker_coverage = speaker_coverage;
  validate(changed, "summary configuration");
  config_ = std::move(changed);
}

std::vector<Decoded> Summarizer::summarize(std::span<const std::string> dialogues, int batch) const {
  const torch::NoGradGuard no_grad;
  std::vector<Decoded> results(dialogues.size());
  std::vector<Source> sources;
  std::vector<Decoded*> places;
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < dialogues.size(); ++i) {
    std::string text = dialogues[i];
    results[i].repaired = repair_utf8(text);
    Source source{parse_dialogue(text), {}};
    source.pieces =
        coder_.encode(source.dialogue, static_cast<std::size_t>(config_.model.transformer.max_length));
    results[i].cut = source.pieces.cut;
    if (source.pieces.empty()) {
      results[i].hypotheses.emplace_back();
      continue;
    }
    lengths.push_back(source.pieces.ids.size());
    places.push_back(&results[i]);
    sources.push_back(std::move(source));
  }
  for (const std::vector<std::size_t>& chosen : batches_by_length(lengths, batch)) {
    std::vector<const Source*> part;
    std::vector<Decoded*> to;
    for (const std::size_t i : chosen) {
      part.push_back(&sources[i]);
      to.push_back(places[i]);
    }
    summarize_batch(part, to);
  }
  return results;
}

void Summarizer::summarize_batch(std::span<const Source* const> sources,
                                 std::span<Decoded* const> results) const {
  std::vector<const DialoguePieces*> rows;
  for (const Source* source : sources) rows.push_back(&source->pieces);
  TokenSearchOptions options = config_.search;
  if (config_.speaker_coverage > 0) options.nbest = options.beam;
  auto [encoded, found] = search_dialogues(model_, *vocabulary_, options, rows);
  if (config_.speaker_coverage > 0) rescore(encoded, sources, found);
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (const FoundSequence& sequence : found[i]) {
      const std::vector<int> ids(sequence.pieces.begin(), sequence.pieces.end());
      results[i]->hypotheses.push_back(
          {coder_.decode(ids, sources[i]->dialogue, sources[i]->pieces), sequence.log_prob, sequence.score});
    }
}

void Summarizer::rescore(const EncodedPointedSource& encoded, std::span<const Source* const> sources,
                         std::vector<std::vector<FoundSequence>>& found) const {
  for (std::size_t b = 0; b < sources.size(); ++b) {
    std::vector<std::vector<int>> targets;
    std::vector<const std::vector<int>*> rows;
    for (const FoundSequence& sequence : found[b])
      targets.emplace_back(sequence.pieces.begin(), sequence.pieces.end())
          .push_back(vocabulary_->id_of(kEndPiece));
    for (const std::vector<int>& target : targets) rows.push_back(&target);
    const Teaching teaching = teaching_of(rows, vocabulary_->id_of(kStartPiece));
    const Tensor weights =
        model_->attention(part_of(encoded, static_cast<std::int64_t>(b)), teaching);  // [H, T, Ts]
    const int speakers =
        std::min(static_cast<int>(sources[b]->dialogue.speakers.size()), config_.model.speakers);
    for (std::size_t h = 0; h < found[b].size(); ++h) {
      const Tensor given = weights[static_cast<std::int64_t>(h)]
                               .narrow(0, 0, static_cast<std::int64_t>(targets[h].size()))
                               .sum(0);  // [Ts]
      std::vector<double> masses;
      for (int s = 1; s <= speakers; ++s)
        masses.push_back(given.masked_select(encoded.copies[static_cast<std::int64_t>(b)] == coder_.name(s))
                             .sum()
                             .item<double>());
      found[b][h].score += config_.speaker_coverage * speaker_coverage_penalty(masses);
    }
    std::stable_sort(found[b].begin(), found[b].end(),
                     [](const FoundSequence& x, const FoundSequence& y) { return x.score > y.score; });
    found[b].resize(std::min(found[b].size(), static_cast<std::size_t>(config_.search.nbest)));
  }
}

}  // namespace kgwalk::seq2seq
