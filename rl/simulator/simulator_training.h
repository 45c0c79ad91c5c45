// Training of the user simulator as a task of the one training loop, and its perplexity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rl/simulator/situations.h"
#include "rl/simulator/user_simulator.h"
#include "runtime/tensor/trainer.h"

namespace kgwalk::rl {

// How well utterances are predicted. The end of an utterance counts as a piece and as a word.
struct UtterancePerplexity {
  std::int64_t turns = 0, pieces = 0, words = 0;
  std::int64_t cut = 0;                    // utterances longer than max_pieces, whose rest is left out
  double negative_log_prob = 0;            // of all pieces
  [[nodiscard]] double per_piece() const;  // perplexities
  [[nodiscard]] double per_word() const;
  [[nodiscard]] Json to_json() const;
};

// By teacher forcing, in evaluation mode. Of a cut utterance the words that its kept pieces
// begin are counted.
[[nodiscard]] UtterancePerplexity perplexity_of(const SimulatedUser& user, std::span<const UserTurn> turns);

// Not thread-safe. `user` is borrowed and trained in place.
class UtteranceTask : public Task {
 public:
  // ConfigError when there is nothing to train on.
  UtteranceTask(SimulatedUser& user, std::vector<UserTurn> train, std::vector<UserTurn> dev);

  [[nodiscard]] torch::nn::Module& module() override { return user_.net(); }
  std::int64_t begin_epoch(int epoch, Random& random) override;
  [[nodiscard]] StepResult step(std::int64_t batch) override;
  // Perplexities of the dev turns that follow a path, and of openings; "score" is the former
  // a piece, negated.
  [[nodiscard]] Json evaluate() override;
  // The vocabulary belongs into every checkpoint.
  void save_extra(const std::filesystem::path& folder) const override { user_.vocabulary().save(folder); }

 private:
  SimulatedUser& user_;
  std::vector<UserTurn> train_;
  std::vector<std::vector<int>> targets_;  // of train_
  std::vector<UserTurn> dev_, dev_openings_;
  std::vector<std::vector<std::size_t>> batches_;
};

}  // namespace kgwalk::rl
