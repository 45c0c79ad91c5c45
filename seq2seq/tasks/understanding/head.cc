#include "seq2seq/tasks/understanding/head.h"

#include <torch/nn/utils/rnn.h>

#include <algorithm>
#include <iterator>

#include "runtime/tensor/device.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

UnderstandingHeadImpl::UnderstandingHeadImpl(const HeadOptions& options, std::int64_t layers,
                                             std::int64_t width, std::int64_t labels)
    : options_(options) {
  layer_weights_ = register_parameter("layer_weights", torch::zeros({layers}));
  map_ = register_module("map", Linear(width, options.width));
  if (options.sequence())
    recurrent_ = register_module(
        "recurrent",
        torch::nn::LSTM(
            torch::nn::LSTMOptions(options.width, options.recurrent).batch_first(true).bidirectional(true)));
  output_ = register_module("output", Linear(options.sequence() ? 2 * options.recurrent : options.width,
                                             options.sequence() ? labels + 1 : labels));
}

Tensor UnderstandingHeadImpl::layer_shares() const { return torch::softmax(layer_weights_, 0); }

Tensor UnderstandingHeadImpl::mixed(const Tensor& states) {
  const Tensor mean = torch::matmul(layer_shares(), on(layer_weights_.device(), states));  // [..., D]
  return torch::dropout(map_(mean), options_.dropout, is_training());
}

Tensor UnderstandingHeadImpl::classify(const Tensor& states) { return output_(mixed(states)); }

Tensor UnderstandingHeadImpl::tag(const Tensor& states, const Tensor& lengths) {
  const auto packed =
      torch::nn::utils::rnn::pack_padded_sequence(mixed(states), lengths, /*batch_first=*/true,
                                                  /*enforce_sorted=*/false);
  const auto [output, state] = recurrent_->forward_with_packed_input(packed);
  // pad_packed_sequence() would index the lengths, which are the processor's, by what lies with the states.
  const Tensor sorted = std::get<0>(
      torch::_pad_packed_sequence(output.data(), output.batch_sizes(), true, 0.0, states.size(1)));
  const Tensor padded = sorted.index_select(0, output.unsorted_indices());  // [B, T, 2 R]
  return torch::log_softmax(output_(padded), 2);
}

std::vector<std::int64_t> best_path(const Tensor& log_probs, std::int64_t length) {
  const Tensor best = log_probs.narrow(0, 0, length).argmax(1).contiguous();
  const auto* at = best.data_ptr<std::int64_t>();
  std::vector<std::int64_t> labels;
  for (std::int64_t t = 0; t < length; ++t)
    if (at[t] != 0 && (t == 0 || at[t] != at[t - 1])) labels.push_back(at[t] - 1);
  return labels;
}

void SlotScore::add(std::vector<std::string> told_slots, std::vector<std::string> gold_slots) {
  std::sort(told_slots.begin(), told_slots.end());
  std::sort(gold_slots.begin(), gold_slots.end());
  std::vector<std::string> both;
  std::set_intersection(told_slots.begin(), told_slots.end(), gold_slots.begin(), gold_slots.end(),
                        std::back_inserter(both));
  found += static_cast<std::int64_t>(both.size());
  told += static_cast<std::int64_t>(told_slots.size());
  there += static_cast<std::int64_t>(gold_slots.size());
}

double SlotScore::f1() const {
  return told + there == 0 ? 100.0 : 200.0 * static_cast<double>(found) / static_cast<double>(told + there);
}

}  // namespace kgwalk::seq2seq
