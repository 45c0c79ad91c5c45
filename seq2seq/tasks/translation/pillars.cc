#include "seq2seq/tasks/translation/pillars.h"

namespace kgwalk::seq2seq {

EncoderDecoderOptions pillar_model(const TranslationConfig& config) {
  EncoderDecoderOptions model = config.model;
  model.encoder = model.encoder.with_pillars(config.heads.groups);
  model.decoder = model.decoder.with_pillars(config.heads.groups);
  return model;
}

void copy_pillars_to(EncoderDecoder& to, const TranslationStart& start, const SentencePiece& vocabulary,
                     const PieceData& train, Reporter& reporter, const StopFlag& stop) {
  EncoderDecoder model(start.config.model, vocabulary.size());
  GroupedNet net(start.config.heads, model.ptr(), *model);
  Random random(1);
  const auto batches = token_batches(lengths_of(train.pairs), start.config.max_tokens, random);
  const auto run_batch = [&](std::int64_t index) {
    const TranslationBatch batch =
        make_batch(train.pairs, batches[static_cast<std::size_t>(index)], vocabulary.id_of(kStartPiece));
    (void)model->teach(model->encode(batch.source.ids, batch.source.keep), batch.target.previous,
                       batch.target.keep);
  };
  const auto pillars = find_pillars(
      net, {start.checkpoint, start.stay, start.seed, static_cast<std::int64_t>(batches.size()), run_batch},
      reporter, stop);
  const torch::NoGradGuard no_grad;
  copy_pillars(*model, *to, pillars);
}

}  // namespace kgwalk::seq2seq
