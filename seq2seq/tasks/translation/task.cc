#include "seq2seq/tasks/translation/task.h"

namespace kgwalk::seq2seq {

PieceData encode_pairs(const SentencePiece& vocabulary, const ParallelText& text,
                       const TranslationConfig& config) {
  PieceData data;
  const auto limit = static_cast<std::size_t>(config.model.max_length);
  for (std::size_t i = 0; i < text.source.size(); ++i) {
    PiecePair pair{encode_line(vocabulary, text.source[i], config.vocabulary),
                   encode_line(vocabulary, text.target[i], config.vocabulary)};
    if (pair.source.size() < 2 || pair.target.size() < 2) {
      ++data.empty;
    } else if (pair.source.size() > limit || pair.target.size() > limit) {
      ++data.too_long;
    } else {
      data.source_pieces += static_cast<std::int64_t>(pair.source.size());
      data.target_pieces += static_cast<std::int64_t>(pair.target.size());
      data.pairs.push_back(std::move(pair));
    }
  }
  return data;
}

std::vector<LengthPair> lengths_of(const PieceData& data) {
  std::vector<LengthPair> list;
  for (const PiecePair& pair : data.pairs)
    list.push_back(
        {static_cast<std::int64_t>(pair.source.size()), static_cast<std::int64_t>(pair.target.size())});
  return list;
}

TranslationBatch make_batch(std::span<const PiecePair* const> pairs, int start_piece) {
  std::vector<const std::vector<int>*> sources, targets;
  for (const PiecePair* pair : pairs) {
    sources.push_back(&pair->source);
    targets.push_back(&pair->target);
  }
  TranslationBatch batch;
  batch.source = pad_rows(sources);
  batch.target = teaching_of(targets, start_piece);
  return batch;
}

TranslationBatch make_batch(const PieceData& data, std::span<const std::size_t> chosen, int start_piece) {
  std::vector<const PiecePair*> pairs;
  for (const std::size_t i : chosen) pairs.push_back(&data.pairs[i]);
  return make_batch(pairs, start_piece);
}

TranslationTask::TranslationTask(const TranslationConfig& config, EncoderDecoder model,
                                 const SentencePiece& vocabulary, PieceData train, PieceData dev,
                                 std::filesystem::path snapshots)
    : PairTask(config, vocabulary,
               {model.ptr(), model.get(), lengths_of(train), lengths_of(dev), std::move(snapshots)}),
      config_(config),
      model_(std::move(model)),
      train_(std::move(train)),
      dev_(std::move(dev)) {}

PairLoss TranslationTask::loss_of(bool training, std::span<const std::size_t> chosen) {
  const TranslationBatch batch =
      make_batch(training ? train_ : dev_, chosen, vocabulary().id_of(kStartPiece));
  const EncodedSource encoded = model_->encode(batch.source.ids, batch.source.keep);
  const std::int64_t pieces = batch.target.gold.size(0);
  if (!training) return {{}, model_->negative_log_prob(encoded, batch.target), pieces, {}};
  const ProjectionLoss found = model_->loss(encoded, batch.target, config_.smoothing);
  return {found.loss, found.nll, pieces, {}};
}

}  // namespace kgwalk::seq2seq
