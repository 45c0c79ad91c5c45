// Training of the scorer on questions as a task of the one training loop.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "listening/candidates/question.h"
#include "listening/network/answer_groups.h"
#include "listening/network/config.h"
#include "listening/network/form_scorer.h"
#include "listening/network/word_tables.h"

namespace kgwalk::listening {

// A question with its candidates, ready to be learned from.
struct ListenExample {
  FormInput input;
  torch::Tensor encoded;  // [T, D] float16 from a text encoder; undefined without one
  std::string kind;
  AnswerGroups groups;              // of those that are measured
  std::vector<std::int32_t> right;  // groups of right answers
};

// Scores of a batch of examples.
[[nodiscard]] torch::Tensor score(FormScorer& scorer, const WordTables& tables,
                                  std::span<const ListenExample* const> examples, FormBatch& batch);
// The same with keys of all relations and types, which are made once a graph.
[[nodiscard]] torch::Tensor score(FormScorer& scorer, const FormKeys& keys,
                                  std::span<const ListenExample* const> examples);

class ListenTask : public Task {
 public:
  // `dev` chooses the best checkpoint. `tables`: of the graph that the questions ask about.
  ListenTask(FormScorer scorer, const WordTables& tables, std::vector<ListenExample> train,
             std::vector<ListenExample> dev, int batch);

  [[nodiscard]] torch::nn::Module& module() override { return *scorer_; }
  std::int64_t begin_epoch(int epoch, Random& random) override;
  [[nodiscard]] StepResult step(std::int64_t batch) override;
  // "score": share of the questions whose likeliest answer is right, in percent; the same by kind.
  [[nodiscard]] Json evaluate() override;

 private:
  FormScorer scorer_;
  WordTables tables_;
  std::vector<ListenExample> train_, dev_;
  int batch_;
  std::vector<std::vector<const ListenExample*>> batches_;
};

// Share of `examples` whose likeliest answer is right, in percent, and of each kind: {"score", "right KIND"}.
// `right`, unless null, takes for each whether it was.
[[nodiscard]] Json measure(FormScorer& scorer, const WordTables& tables,
                           const std::vector<ListenExample>& examples, int batch,
                           std::vector<bool>* right = nullptr);

}  // namespace kgwalk::listening
