// Language modeling: configuration, data, training as a task of the one training loop, perplexity a word by
// sliding windows, the embedded LanguageGenerator. Presets: seq2seq/presets/lm_*.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "runtime/run_manifest.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/attention/grouped_heads.h"
#include "seq2seq/models/language_model.h"
#include "seq2seq/search/token_search.h"
#include "seq2seq/tasks/grouped_net.h"
#include "seq2seq/tasks/language/likelihood.h"
#include "seq2seq/tasks/word_vocabulary.h"

namespace kgwalk::seq2seq {

inline constexpr RunKind kLanguageRun{
    .name = "task-lm", .command = "task lm train", .parts = {"language"}, .sources = {"pillars_of"}};

struct LanguageConfig {
  LanguageModelOptions model;
  GroupedHeadsOptions heads;  // group-constrained training of all attentions when groups > 0
  int min_count = 1;
  int window = 128;
  int rows = 16;
  int eval_window = 128;
  int eval_stride = 64;
  TokenSearchOptions search;
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("model", model, "Layers and vocabulary.");
    f("heads", heads, "Groups of attention heads.");
    f("min_count", min_count, "Words that occur less often are unknown.").range(1, 1e9);
    f("window", window, "Number of words in a training row.").range(1, 1 << 20);
    f("rows", rows, "Number of rows in a batch.").range(1, 1 << 20);
    f("eval_window", eval_window, "Number of words that are seen at once in evaluation.").range(1, 1 << 20);
    f("eval_stride", eval_stride,
      "Number of words told in each window but the first; the others are context.")
        .range(1, 1 << 20);
    f("search", search, "How text is continued.");
    f("trainer", trainer, "Training loop.");
  }
  // The stride is at most the window, and that at most the training's where positions are absolute: what is
  // beyond was never seen and doubles the perplexity.
  void check(Problems& problems) const;
};

// Words [begin, begin + length) of each row: int64 [rows, length].
[[nodiscard]] torch::Tensor windows_of(std::span<const std::int64_t> stream,
                                       std::span<const std::int64_t> begins, std::int64_t length);

// log p of every word of the stream, told exactly once: of the first one after a line's end, of the
// others after their at most `window` - 1 predecessors, at least window - stride of them (fewer only
// at the beginning).
[[nodiscard]] std::vector<float> sliding_log_probs(LanguageModel& model, const WordVocabulary& vocabulary,
                                                   std::span<const std::int64_t> stream,
                                                   const LanguageConfig& config);

// Not thread-safe. A pass goes over windows of the stream, which begin at another word in each pass.
class LanguageTask : public Task {
 public:
  // Borrows config and vocabulary. ConfigError when a stream is too short.
  LanguageTask(const LanguageConfig& config, LanguageModel model, const WordVocabulary& vocabulary,
               std::vector<std::int64_t> train, std::vector<std::int64_t> dev);
  [[nodiscard]] torch::nn::Module& module() override { return *net_; }
  std::int64_t begin_epoch(int epoch, Random& random) override;
  [[nodiscard]] StepResult step(std::int64_t batch) override;
  // Perplexity a word of the development stream; "score": -its logarithm.
  [[nodiscard]] Json evaluate() override;
  void save_extra(const std::filesystem::path& folder) const override;

  [[nodiscard]] GroupedNet& net() noexcept { return net_; }

 private:
  const LanguageConfig& config_;
  const WordVocabulary& vocabulary_;
  LanguageModel model_;
  std::vector<std::int64_t> train_, dev_;
  GroupedNet net_;
  std::vector<std::int64_t> starts_;  // of the windows of this pass
};

struct LanguageTrainOptions {
  std::filesystem::path train, dev, run;
  // A run trained with groups of heads: its vocabulary is taken, config.model becomes its model with one head
  // a group, and the training begins with the weights of the heads that were voted to stay. Empty = none.
  std::filesystem::path pillars_of;
  LanguageConfig config;
  std::uint64_t seed = 1;
};
struct LanguageTrainReport {
  TrainReport training;
  std::int64_t vocabulary = 0, words = 0, parameters = 0;
  std::filesystem::path model;
  [[nodiscard]] Json to_json() const;
};
// Trains into a run folder of kind "task-lm", resuming an interrupted run; the best weights go to RUN/model.
LanguageTrainReport train_language(const LanguageTrainOptions& options, Reporter& reporter,
                                   const StopFlag& stop);

// A trained model. Evaluation and continuation are safe for concurrent calls.
class LanguageGenerator {
 public:
  [[nodiscard]] static LanguageGenerator open(const std::filesystem::path& path);
  LanguageGenerator(LanguageConfig config, LanguageModel model, WordVocabulary vocabulary);

  [[nodiscard]] Likelihood likelihood(std::span<const std::string> lines) const;
  // What may follow `text` on its line, best first; the unknown word is never written. Of a longer text its
  // last words are seen: as many as leave room for search.max_pieces in eval_window, half of it at least.
  [[nodiscard]] std::vector<std::string> continue_line(const std::string& text) const;

  [[nodiscard]] LanguageConfig& config() noexcept { return config_; }
  [[nodiscard]] LanguageModel model() const { return model_; }
  [[nodiscard]] const WordVocabulary& vocabulary() const noexcept { return vocabulary_; }

 private:
  LanguageConfig config_;
  mutable LanguageModel model_;
  WordVocabulary vocabulary_;
};

}  // namespace kgwalk::seq2seq
