#include "rl/simulator/simulator_training.h"

#include <torch/nn/functional/loss.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::rl {

using torch::Tensor;

namespace {

constexpr std::size_t kEvaluationBatch = 64;

// Pieces to say, the end last; without the end when the rest was left out.
std::vector<int> target_of(const SimulatedUser& user, const std::string& text) {
  std::vector<int> pieces = user.vocabulary().encode(text).ids;
  const auto longest = static_cast<std::size_t>(user.config().max_pieces);
  if (pieces.size() < longest) {
    pieces.push_back(user.end_piece());
  } else {
    pieces.resize(longest);
  }
  return pieces;
}

bool is_cut(const SimulatedUser& user, const std::vector<int>& target) {
  return target.back() != user.end_piece();
}

// Logits of all pieces of some targets, [N, V], and the pieces, int64 [N]; targets one after the other.
struct ScoredBatch {
  Tensor logits, gold;
};

ScoredBatch score_batch(const SimulatedUser& user, std::span<const walker::Example* const> situations,
                        std::span<const std::vector<int>* const> targets) {
  std::size_t longest = 1;
  for (const auto* target : targets) longest = std::max(longest, target->size());
  const auto positions = static_cast<std::int64_t>(longest);
  const auto batch = static_cast<std::int64_t>(targets.size());
  // The decoder reads all pieces but the last.
  const Tensor said = torch::full({batch, positions - 1}, user.end_piece(), torch::kInt64);
  std::vector<std::int64_t> rows, gold;
  for (std::int64_t b = 0; b < batch; ++b) {
    const std::vector<int>& target = *targets[static_cast<std::size_t>(b)];
    std::copy(target.begin(), target.end() - 1, said.data_ptr<std::int64_t>() + b * (positions - 1));
    for (std::size_t i = 0; i < target.size(); ++i) {
      rows.push_back(b * positions + static_cast<std::int64_t>(i));
      gold.push_back(target[i]);
    }
  }
  SimulatorNetImpl& net = user.net();
  const Tensor states = net.teach(user.inputs(situations), said);  // [B, longest, D]
  const Tensor chosen = states.reshape({-1, states.size(2)}).index_select(0, torch::tensor(rows));
  return {net.logits(chosen), torch::tensor(gold)};
}

}  // namespace

double UtterancePerplexity::per_piece() const {
  return pieces > 0 ? std::exp(negative_log_prob / static_cast<double>(pieces)) : 0;
}

double UtterancePerplexity::per_word() const {
  return words > 0 ? std::exp(negative_log_prob / static_cast<double>(words)) : 0;
}

Json UtterancePerplexity::to_json() const {
  return {{"turns", turns},
          {"pieces", pieces},
          {"words", words},
          {"cut", cut},
          {"negative_log_prob", negative_log_prob},
          {"perplexity_per_piece", per_piece()},
          {"perplexity_per_word", per_word()}};
}

UtterancePerplexity perplexity_of(const SimulatedUser& user, std::span<const UserTurn> turns) {
  const torch::NoGradGuard no_grad;
  const bool training = user.net().is_training();
  user.net().eval();
  UtterancePerplexity result;
  for (std::size_t begin = 0; begin < turns.size(); begin += kEvaluationBatch) {
    const auto part = turns.subspan(begin, std::min(kEvaluationBatch, turns.size() - begin));
    std::vector<const walker::Example*> situations;
    std::vector<std::vector<int>> targets;
    std::vector<const std::vector<int>*> pointers;
    for (const UserTurn& turn : part) {
      situations.push_back(&turn.situation);
      targets.push_back(target_of(user, turn.text));
    }
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::vector<int>& target = targets[i];
      pointers.push_back(&target);
      result.pieces += static_cast<std::int64_t>(target.size());
      const bool cut = is_cut(user, target);
      result.cut += cut;
      // The words that the kept pieces begin, or all and the end.
      result.words += cut ? std::count_if(target.begin(), target.end(),
                                          [&](int id) { return user.vocabulary().starts_word(id); })
                          : count_words(part[i].text) + 1;
    }
    const ScoredBatch batch = score_batch(user, situations, pointers);
    result.turns += static_cast<std::int64_t>(part.size());
    result.negative_log_prob -= torch::log_softmax(batch.logits, 1)
                                    .gather(1, batch.gold.unsqueeze(1))
                                    .sum(torch::kFloat64)
                                    .item<double>();
  }
  user.net().train(training);
  return result;
}

UtteranceTask::UtteranceTask(SimulatedUser& user, std::vector<UserTurn> train, std::vector<UserTurn> dev)
    : user_(user), train_(std::move(train)) {
  if (train_.empty())
    throw ConfigError(
        "no turn of a user follows a path in the splits given; ingest dialogues with paths, or allow "
        "openings");
  for (const UserTurn& turn : train_) targets_.push_back(target_of(user_, turn.text));
  for (UserTurn& turn : dev) (turn.opening ? dev_openings_ : dev_).push_back(std::move(turn));
  if (dev_.empty()) throw ConfigError("no turn of a user follows a path in the development split");
}

// Batches of utterances of similar length; the order of batches is random.
std::int64_t UtteranceTask::begin_epoch(int /*epoch*/, Random& random) {
  std::vector<std::size_t> order(train_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  const auto size = static_cast<std::size_t>(user_.config().max_batch);
  const std::size_t pool = 16 * size;
  batches_.clear();
  for (std::size_t begin = 0; begin < order.size(); begin += pool) {
    const auto part = std::span(order).subspan(begin, std::min(pool, order.size() - begin));
    std::stable_sort(part.begin(), part.end(),
                     [&](std::size_t a, std::size_t b) { return targets_[a].size() < targets_[b].size(); });
    for (std::size_t i = 0; i < part.size(); i += size) {
      const auto batch = part.subspan(i, std::min(size, part.size() - i));
      batches_.emplace_back(batch.begin(), batch.end());
    }
  }
  random.shuffle(std::span(batches_));
  return static_cast<std::int64_t>(batches_.size());
}

StepResult UtteranceTask::step(std::int64_t index) {
  std::vector<const walker::Example*> situations;
  std::vector<const std::vector<int>*> targets;
  for (const std::size_t i : batches_[static_cast<std::size_t>(index)]) {
    situations.push_back(&train_[i].situation);
    targets.push_back(&targets_[i]);
  }
  const ScoredBatch batch = score_batch(user_, situations, targets);
  const auto options =
      torch::nn::functional::CrossEntropyFuncOptions().label_smoothing(user_.config().smoothing);
  return {torch::nn::functional::cross_entropy(batch.logits, batch.gold, options),
          static_cast<double>(batch.gold.size(0)), Json::object()};
}

Json UtteranceTask::evaluate() {
  const UtterancePerplexity after = perplexity_of(user_, dev_);
  Json json = {{"perplexity", after.per_piece()}, {"perplexity_per_word", after.per_word()}};
  if (!dev_openings_.empty()) json["opening_perplexity"] = perplexity_of(user_, dev_openings_).per_piece();
  json["score"] = -after.per_piece();
  return json;
}

}  // namespace kgwalk::rl
