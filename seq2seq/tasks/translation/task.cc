#include "seq2seq/tasks/translation/task.h"

namespace kgwalk::seq2seq {

void TranslationConfig::check(Problems& problems) const {
  PairConfig::check(problems);
  if (r_drop > 0 && model.decoder.group_layers > 0)
    problems.add("r_drop",
                 "compares two distributions, and groups of layers give several: choose one of them");
  if (r_drop > 0 && model.decoder.dropout <= 0 && model.encoder.dropout <= 0)
    problems.add("r_drop", "has nothing to compare without dropout");
}

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
      data.lines.push_back(i);
    }
  }
  return data;
}

std::vector<PiecePair> sample_pairs(const SentencePiece& vocabulary, const ParallelText& text,
                                    const TranslationConfig& config, const PieceData& best, Random& random) {
  std::vector<PiecePair> pairs;
  pairs.reserve(best.pairs.size());
  const auto limit = static_cast<std::size_t>(config.model.max_length);
  const auto sample = [&](const std::string& line) {
    return sample_line(vocabulary, line, config.vocabulary, config.sampling, random);
  };
  for (std::size_t i = 0; i < best.pairs.size(); ++i) {
    PiecePair pair{sample(text.source[best.lines[i]]), sample(text.target[best.lines[i]])};
    const bool fits = pair.source.size() <= limit && pair.target.size() <= limit;
    pairs.push_back(fits ? std::move(pair) : best.pairs[i]);
  }
  return pairs;
}

std::vector<LengthPair> lengths_of(std::span<const PiecePair> pairs) {
  std::vector<LengthPair> list;
  for (const PiecePair& pair : pairs)
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

TranslationBatch make_batch(std::span<const PiecePair> pairs, std::span<const std::size_t> chosen,
                            int start_piece) {
  std::vector<const PiecePair*> rows;
  for (const std::size_t i : chosen) rows.push_back(&pairs[i]);
  return make_batch(rows, start_piece);
}

TranslationTask::TranslationTask(const TranslationConfig& config, EncoderDecoder model,
                                 const SentencePiece& vocabulary, const ParallelText& train_text,
                                 PieceData train, PieceData dev, std::filesystem::path snapshots)
    : PairTask(
          config, vocabulary,
          {model.ptr(), model.get(), lengths_of(train.pairs), lengths_of(dev.pairs), std::move(snapshots)}),
      config_(config),
      model_(std::move(model)),
      train_text_(train_text),
      train_(std::move(train)),
      dev_(std::move(dev)) {}

std::int64_t TranslationTask::begin_epoch(int epoch, Random& random) {
  if (config_.sampling > 0) {
    sampled_ = sample_pairs(vocabulary(), train_text_, config_, train_, random);
    set_training_lengths(lengths_of(sampled_));
  }
  return PairTask::begin_epoch(epoch, random);
}

PairLoss TranslationTask::loss_of(bool training, std::span<const std::size_t> chosen) {
  const std::vector<PiecePair>& pairs = !training ? dev_.pairs : sampled_.empty() ? train_.pairs : sampled_;
  std::vector<std::size_t> rows(chosen.begin(), chosen.end());
  const bool twice = training && config_.r_drop > 0;
  if (twice) rows.insert(rows.end(), chosen.begin(), chosen.end());
  const TranslationBatch batch = make_batch(pairs, rows, vocabulary().id_of(kStartPiece));
  const EncodedSource encoded = model_->encode(batch.source.ids, batch.source.keep);
  const std::int64_t pieces = batch.target.gold.size(0);
  if (!training) return {{}, model_->negative_log_prob(encoded, batch.target), pieces, {}};
  const ProjectionLoss found =
      twice ? model_->paired_loss(encoded, batch.target, config_.smoothing, config_.r_drop)
            : model_->loss(encoded, batch.target, config_.smoothing);
  return {found.loss, found.nll, pieces, {}};
}

}  // namespace kgwalk::seq2seq
