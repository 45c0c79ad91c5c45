#include "seq2seq/tasks/summary/task.h"

#include <algorithm>

namespace kgwalk::seq2seq {

void SummaryConfig::check(Problems& problems) const {
  PairConfig::check(problems);
  if (!model.copy && coverage > 0)
    problems.add("coverage", "is of the attention that copies; set model.copy");
  if (!model.copy && speaker_coverage > 0)
    problems.add("speaker_coverage", "is of the attention that copies; set model.copy");
}

void add_pair(const DialogueCoder& coder, const Dialogue& dialogue, const std::string& summary,
              std::size_t limit, SummaryData& data) {
  SummaryPair pair{coder.encode(dialogue, limit), {}};
  pair.target = coder.encode_summary(summary, dialogue, pair.source);
  if (pair.source.empty() || pair.target.size() < 2) {
    ++data.empty;
  } else if (pair.target.size() > limit) {
    ++data.too_long;
  } else {
    data.cut += pair.source.cut;
    data.source_pieces += static_cast<std::int64_t>(pair.source.ids.size());
    data.target_pieces += static_cast<std::int64_t>(pair.target.size());
    data.pairs.push_back(std::move(pair));
  }
}

SummaryData encode_examples(const DialogueCoder& coder, const std::vector<SummaryExample>& examples,
                            const SummaryConfig& config) {
  SummaryData data;
  const auto limit = static_cast<std::size_t>(config.model.transformer.max_length);
  for (const SummaryExample& example : examples)
    add_pair(coder, parse_dialogue(example.dialogue), example.summary, limit, data);
  return data;
}

std::vector<LengthPair> lengths_of(const SummaryData& data) {
  std::vector<LengthPair> list;
  for (const SummaryPair& pair : data.pairs)  // sorted by the second
    list.push_back(
        {static_cast<std::int64_t>(pair.target.size()), static_cast<std::int64_t>(pair.source.ids.size())});
  return list;
}

PointedSource pointed_source(std::span<const DialoguePieces* const> dialogues) {
  std::vector<const std::vector<int>*> ids, copies, speakers;
  PointedSource source;
  for (const DialoguePieces* dialogue : dialogues) {
    ids.push_back(&dialogue->ids);
    copies.push_back(&dialogue->copies);
    speakers.push_back(&dialogue->speakers);
    source.extra = std::max(source.extra, static_cast<std::int64_t>(dialogue->unknown.size()));
  }
  const Padded padded = pad_rows(ids);
  source.ids = padded.ids;
  source.keep = padded.keep;
  source.copies = pad_rows(copies).ids;
  source.speakers = pad_rows(speakers).ids;
  return source;
}

SummaryBatch make_batch(const SummaryData& data, std::span<const std::size_t> chosen, int start_piece) {
  std::vector<const DialoguePieces*> sources;
  std::vector<const std::vector<int>*> targets;
  for (const std::size_t i : chosen) {
    sources.push_back(&data.pairs[i].source);
    targets.push_back(&data.pairs[i].target);
  }
  return {pointed_source(sources), teaching_of(targets, start_piece)};
}

SummaryTask::SummaryTask(const SummaryConfig& config, PointerGenerator model, const SentencePiece& vocabulary,
                         SummaryData train, SummaryData dev, std::filesystem::path snapshots)
    : PairTask(
          config, vocabulary,
          {model.ptr(), model->transformer.get(), lengths_of(train), lengths_of(dev), std::move(snapshots)}),
      config_(config),
      model_(std::move(model)),
      train_(std::move(train)),
      dev_(std::move(dev)) {}

std::int64_t SummaryTask::begin_epoch(int epoch, Random& random) {
  coverage_ = epoch >= config_.coverage_from ? config_.coverage : 0;
  return PairTask::begin_epoch(epoch, random);
}

PairLoss SummaryTask::loss_of(bool training, std::span<const std::size_t> chosen) {
  const SummaryBatch batch = make_batch(training ? train_ : dev_, chosen, vocabulary().id_of(kStartPiece));
  const PointedLoss found = model_->loss(model_->encode(batch.source), batch.target,
                                         training ? config_.smoothing : 0, training ? coverage_ : 0);
  PairLoss result{found.loss, found.nll, batch.target.gold.size(0), {}};
  if (config_.model.copy) result.metrics["generating"] = found.generating;
  if (coverage_ > 0) result.metrics["coverage"] = found.coverage;
  return result;
}

}  // namespace kgwalk::seq2seq
