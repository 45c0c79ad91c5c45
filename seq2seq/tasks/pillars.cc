#include "seq2seq/tasks/pillars.h"

#include "runtime/error.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/checkpoint.h"

namespace kgwalk::seq2seq {

GroupedRun::GroupedRun(TranslationConfig config, SentencePiece vocabulary, std::filesystem::path checkpoint)
    : config_(std::move(config)), vocabulary_(std::move(vocabulary)), checkpoint_(std::move(checkpoint)) {}

GroupedRun GroupedRun::open(const std::filesystem::path& run) {
  const RunFolder folder = RunFolder::open(run, "task-mt");
  if (!folder.has_checkpoint("best"))
    throw FormatError(run.string() + ": has no best checkpoint yet; let its training reach an evaluation");
  TranslationConfig config;
  apply_json(config, folder.read_config().at("translation"), (run / "config.json").string());
  if (!config.heads.active())
    throw ConfigError(run.string() + ": was trained without groups of heads; set heads.groups");
  const std::filesystem::path checkpoint = folder.checkpoint("best");
  return {std::move(config), SentencePiece::load(checkpoint / "sentencepiece.model"), checkpoint};
}

EncoderDecoderOptions GroupedRun::pillar_model() const {
  EncoderDecoderOptions model = config_.model;
  model.encoder = model.encoder.with_pillars(config_.heads.groups);
  model.decoder = model.decoder.with_pillars(config_.heads.groups);
  return model;
}

void GroupedRun::copy_pillars_to(EncoderDecoder& to, const PieceData& train, Reporter& reporter,
                                 const StopFlag& stop) const {
  const torch::NoGradGuard no_grad;
  TranslationNet net(config_, vocabulary_.size());
  load_state(*net, read_checkpoint_model(checkpoint_), checkpoint_.string());
  net->eval();
  net->groups->observe(true);
  net->groups->clear_votes();
  Random random(1);
  const auto batches = token_batches(lengths_of(train), config_.max_tokens, random);
  const auto progress = reporter.start("heads vote", static_cast<std::int64_t>(batches.size()), "batches");
  for (const std::vector<std::size_t>& chosen : batches) {
    if (stop.requested()) throw Interrupted("stopped while heads were voting; nothing was written");
    std::vector<const PiecePair*> pairs;
    for (const std::size_t i : chosen) pairs.push_back(&train.pairs[i]);
    const TranslationBatch batch = make_batch(pairs, vocabulary_.id_of(kStartPiece));
    (void)net->model->teach(net->model->encode(batch.source.ids, batch.source.keep), batch.target.previous,
                            batch.target.keep);
    net->groups->vote();
    progress->add(1);
  }
  copy_pillars(*net->model, *to, net->groups->pillars());
}

}  // namespace kgwalk::seq2seq
