#include "listening/network/listen_task.h"

#include <algorithm>
#include <map>

#include "runtime/tensor/device.h"

namespace kgwalk::listening {
namespace {

using torch::Tensor;

// [B, T, E], zero at padding, on the scorer's device.
Tensor states_of_words(FormScorer& scorer, std::span<const ListenExample* const> examples) {
  std::vector<WordsOfText> said;
  for (const ListenExample* example : examples) said.push_back({&example->input.words, example->encoded});
  return scorer->words->states(said);
}

std::vector<const FormInput*> form_inputs(std::span<const ListenExample* const> examples) {
  std::vector<const FormInput*> inputs;
  for (const ListenExample* example : examples) inputs.push_back(&example->input);
  return inputs;
}

bool is_answered(const ListenExample& example, std::span<const float> log_probs) {
  const std::vector<double> sums = group_probabilities(example.groups, log_probs);
  const auto best = std::max_element(sums.begin(), sums.end());
  return best != sums.end() && std::binary_search(example.right.begin(), example.right.end(),
                                                  static_cast<std::int32_t>(best - sums.begin()));
}

}  // namespace

Tensor score(FormScorer& scorer, const WordTables& tables, std::span<const ListenExample* const> examples,
             FormBatch& batch) {
  batch = collate(form_inputs(examples), TableRows::kUsed, device_of(*scorer));
  return scorer->forward(states_of_words(scorer, examples), batch,
                         form_keys(scorer, tables, batch.relation_rows, batch.type_rows));
}

Tensor score(FormScorer& scorer, const FormKeys& keys, std::span<const ListenExample* const> examples) {
  const FormBatch batch = collate(form_inputs(examples), TableRows::kAll, device_of(*scorer));
  return scorer->forward(states_of_words(scorer, examples), batch, keys);
}

ListenTask::ListenTask(FormScorer scorer, const WordTables& tables, std::vector<ListenExample> train,
                       std::vector<ListenExample> dev, int batch)
    : scorer_(std::move(scorer)),
      tables_(tables),
      train_(std::move(train)),
      dev_(std::move(dev)),
      batch_(batch) {}

// Questions of about one length together, so that little is padded.
std::int64_t ListenTask::begin_epoch(int /*epoch*/, Random& random) {
  constexpr double kJitter = 6;  // words
  std::vector<std::pair<double, const ListenExample*>> order;
  for (const ListenExample& example : train_)
    order.emplace_back(static_cast<double>(example.input.words.size()) + kJitter * random.uniform(),
                       &example);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  batches_.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i % static_cast<std::size_t>(batch_) == 0) batches_.emplace_back();
    batches_.back().push_back(order[i].second);
  }
  random.shuffle(std::span(batches_));
  return static_cast<std::int64_t>(batches_.size());
}

StepResult ListenTask::step(std::int64_t number) {
  const auto& examples = batches_[static_cast<std::size_t>(number)];
  FormBatch batch;
  const Tensor log_probs = score(scorer_, tables_, examples, batch);
  return {marginal_loss(log_probs, batch), static_cast<double>(examples.size()), {}};
}

Json ListenTask::evaluate() { return measure(scorer_, tables_, dev_, batch_); }

Json measure(FormScorer& scorer, const WordTables& tables, const std::vector<ListenExample>& examples,
             int batch, std::vector<bool>* right) {
  const torch::NoGradGuard no_grad;
  if (right != nullptr) right->assign(examples.size(), false);
  std::map<std::string, std::pair<int, int>> kinds;  // right, of all
  for (std::size_t begin = 0; begin < examples.size(); begin += static_cast<std::size_t>(batch)) {
    std::vector<const ListenExample*> part;
    for (std::size_t i = begin; i < std::min(examples.size(), begin + static_cast<std::size_t>(batch)); ++i) {
      ++kinds[examples[i].kind].second;
      if (examples[i].input.num_candidates() > 0) part.push_back(&examples[i]);
    }
    if (part.empty()) continue;
    FormBatch rows;
    const Tensor log_probs = score(scorer, tables, part, rows).to(torch::kCPU).contiguous();
    const float* at = log_probs.data_ptr<float>();
    for (const ListenExample* example : part) {
      const std::size_t count = 2 * example->input.num_candidates();
      if (is_answered(*example, {at, count})) {
        ++kinds[example->kind].first;
        if (right != nullptr) (*right)[static_cast<std::size_t>(example - examples.data())] = true;
      }
      at += count;
    }
  }
  Json json = Json::object();
  int answered = 0, all = 0;
  for (const auto& [kind, counts] : kinds) {
    answered += counts.first;
    all += counts.second;
    json["right " + kind] = 100.0 * counts.first / counts.second;
  }
  json["score"] = all == 0 ? 0.0 : 100.0 * answered / all;
  return json;
}

}  // namespace kgwalk::listening
