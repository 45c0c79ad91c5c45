// Training of a summarizer as a task of the one training loop.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "seq2seq/tasks/pair_task.h"
#include "seq2seq/tasks/summary/coder.h"
#include "seq2seq/tasks/summary/config.h"
#include "seq2seq/tasks/summary/dialogue.h"
#include "seq2seq/tasks/teaching.h"

namespace kgwalk::seq2seq {

struct SummaryPair {
  DialoguePieces source;
  std::vector<int> target;  // with the end piece; pieces of the source's unknown ones from V on
};
struct SummaryData {
  std::vector<SummaryPair> pairs;
  std::int64_t empty = 0;     // left out: a side without pieces
  std::int64_t too_long = 0;  // left out: a summary longer than the limit
  std::int64_t cut = 0;       // kept, the dialogue's end beyond the limit left out
  std::int64_t source_pieces = 0, target_pieces = 0;
};
// Adds one pair, or counts it as left out. `limit`: of the pieces of either side.
void add_pair(const DialogueCoder& coder, const Dialogue& dialogue, const std::string& summary,
              std::size_t limit, SummaryData& data);
// Every example is kept or counted as left out.
[[nodiscard]] SummaryData encode_examples(const DialogueCoder& coder,
                                          const std::vector<SummaryExample>& examples,
                                          const SummaryConfig& config);

// Batches are made of dialogues of like length.
[[nodiscard]] std::vector<LengthPair> lengths_of(const SummaryData& data);

// Rows of a batch, of which each must have a piece that can be copied.
[[nodiscard]] PointedSource pointed_source(std::span<const DialoguePieces* const> dialogues);

struct SummaryBatch {
  PointedSource source;
  Teaching target;
};
[[nodiscard]] SummaryBatch make_batch(const SummaryData& data, std::span<const std::size_t> chosen,
                                      int start_piece);

// Not thread-safe.
class SummaryTask : public PairTask {
 public:
  // Borrows config and vocabulary. ConfigError when there is nothing to train on or to evaluate.
  SummaryTask(const SummaryConfig& config, PointerGenerator model, const SentencePiece& vocabulary,
              SummaryData train, SummaryData dev, std::filesystem::path snapshots);
  std::int64_t begin_epoch(int epoch, Random& random) override;

 private:
  [[nodiscard]] PairLoss loss_of(bool training, std::span<const std::size_t> chosen) override;

  const SummaryConfig& config_;
  PointerGenerator model_;
  SummaryData train_, dev_;
  double coverage_ = 0;  // weight in this pass
};

}  // namespace kgwalk::seq2seq
