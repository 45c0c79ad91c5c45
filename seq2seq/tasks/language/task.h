// Language modeling as a task of the one training loop, and perplexity a word by sliding windows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "runtime/tensor/trainer.h"
#include "seq2seq/models/transformer_language_model.h"
#include "seq2seq/tasks/grouped_net.h"
#include "seq2seq/tasks/language/config.h"
#include "seq2seq/tasks/word_vocabulary.h"

namespace kgwalk::seq2seq {

// Words [begin, begin + length) of each row: int64 [rows, length].
[[nodiscard]] torch::Tensor windows_of(std::span<const std::int64_t> stream,
                                       std::span<const std::int64_t> begins, std::int64_t length);

// log p of every word of the stream, told exactly once: of the first one after a line's end, of the
// others after their at most `window` - 1 predecessors, at least window - stride of them (fewer only
// at the beginning).
[[nodiscard]] std::vector<float> sliding_log_probs(TransformerLanguageModel& model,
                                                   const WordVocabulary& vocabulary,
                                                   std::span<const std::int64_t> stream,
                                                   const LanguageConfig& config);

// Not thread-safe. A pass goes over windows of the stream, which begin at another word in each pass.
class LanguageTask : public Task {
 public:
  // Borrows config and vocabulary. ConfigError when a stream is too short.
  LanguageTask(const LanguageConfig& config, TransformerLanguageModel model, const WordVocabulary& vocabulary,
               std::vector<std::int64_t> train, std::vector<std::int64_t> dev);
  [[nodiscard]] torch::nn::Module& module() override { return *net_; }
  std::int64_t begin_epoch(int epoch, Random& random) override;
  [[nodiscard]] StepResult step(std::int64_t batch) override;
  // Perplexity a word of the development stream; "score": -its logarithm.
  [[nodiscard]] Json evaluate() override;
  void after_update(std::int64_t step) override { net_->after_update(step); }
  void save_extra(const std::filesystem::path& folder) const override;

  [[nodiscard]] GroupedNet& net() noexcept { return net_; }

 private:
  const LanguageConfig& config_;
  const WordVocabulary& vocabulary_;
  TransformerLanguageModel model_;
  std::vector<std::int64_t> train_, dev_;
  GroupedNet net_;
  std::vector<std::int64_t> starts_;  // of the windows of this pass
};

}  // namespace kgwalk::seq2seq
