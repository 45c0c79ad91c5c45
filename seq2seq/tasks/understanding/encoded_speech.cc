#include "seq2seq/tasks/understanding/encoded_speech.h"

#include <torch/nn/utils/rnn.h>

#include <algorithm>
#include <numeric>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "seq2seq/tasks/understanding/speech_batch.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

namespace {
constexpr std::int64_t kFramesAtOnce = 4000;  // of a batch through the frozen encoder
}

std::vector<std::string> gold_labels(const SpokenItem& item, HeadKind task) {
  if (task == HeadKind::kIntent) return {item.intent};
  if (task == HeadKind::kEmotion) return {item.emotion};
  std::vector<std::string> labels;
  for (const auto& [type, value] : item.slots)
    labels.push_back(task == HeadKind::kSlots ? type : type + "=" + value);
  return labels;
}

void require_labels(const Manifest& manifest, HeadKind task) {
  const std::string name = choice_name(task);
  if (task == HeadKind::kIntent || task == HeadKind::kEmotion)
    manifest.require(name, "the task " + name);
  else if (!manifest.has("slots_json"))
    manifest.require("slots", "the task " + name);
}

std::vector<Tensor> encode_speech(Wav2Vec2& encoder, const std::vector<std::vector<float>>& waves,
                                  bool frames, Reporter& reporter) {
  const torch::NoGradGuard no_grad;
  const std::vector<std::int64_t> counts = frames_of(waves, encoder->options());
  const auto progress =
      reporter.start("encoding speech", static_cast<std::int64_t>(waves.size()), "utterances");
  std::vector<Tensor> states(waves.size());
  Random fixed(1);
  for (const std::vector<std::size_t>& places : frame_batches(counts, kFramesAtOnce, fixed)) {
    const SpeechOutput out = encoder->forward(pad_speech(waves, places), true);
    const Tensor all = torch::stack(out.hidden, 2).to(torch::kCPU);  // [B, T, L + 1, D]
    for (std::size_t b = 0; b < places.size(); ++b) {
      const Tensor own = all[static_cast<std::int64_t>(b)].narrow(0, 0, counts[places[b]]);
      states[places[b]] = frames ? own.clone() : own.mean(0);
    }
    progress->add(static_cast<std::int64_t>(places.size()));
  }
  return states;
}

PaddedStates pad_states(const std::vector<Tensor>& states, std::span<const std::size_t> places) {
  std::vector<Tensor> rows;
  Tensor lengths = torch::empty({static_cast<std::int64_t>(places.size())}, torch::kInt64);
  for (std::size_t b = 0; b < places.size(); ++b) {
    rows.push_back(states[places[b]]);
    lengths[static_cast<std::int64_t>(b)] = rows.back().size(0);
  }
  return {torch::nn::utils::rnn::pad_sequence(rows, /*batch_first=*/true), lengths};
}

namespace {

std::vector<std::string> names_of(const std::vector<std::int64_t>& ids,
                                  const std::vector<std::string>& labels) {
  std::vector<std::string> names;
  for (const std::int64_t id : ids) names.push_back(labels[static_cast<std::size_t>(id)]);
  return names;
}

void classify_batch(UnderstandingHead& head, const HeadOptions& options, const std::vector<Tensor>& rows,
                    const std::vector<std::string>& labels, std::vector<Understanding>& told) {
  const Tensor scores = on_processor(head->classify(torch::stack(rows)));  // [B, labels]
  for (std::int64_t b = 0; b < scores.size(0); ++b) {
    Understanding one;
    if (options.task == HeadKind::kSlotValues) {
      for (std::int64_t i = 0; i < scores.size(1); ++i)
        if (scores[b][i].item<float>() > 0) one.slots.push_back(labels[static_cast<std::size_t>(i)]);
    } else {
      const auto best = scores[b].argmax().item<std::int64_t>();
      one.label = labels[static_cast<std::size_t>(best)];
      one.probability = torch::softmax(scores[b], 0)[best].item<double>();
    }
    told.push_back(std::move(one));
  }
}

}  // namespace

std::vector<Understanding> understand_states(UnderstandingHead& head, const HeadOptions& options,
                                             const std::vector<Tensor>& states,
                                             const std::vector<std::string>& labels, int batch) {
  const torch::NoGradGuard no_grad;
  std::vector<Understanding> told;
  for (std::size_t begin = 0; begin < states.size(); begin += static_cast<std::size_t>(batch)) {
    const std::size_t end = std::min(states.size(), begin + static_cast<std::size_t>(batch));
    if (!options.sequence()) {
      classify_batch(head, options,
                     {states.begin() + static_cast<std::ptrdiff_t>(begin),
                      states.begin() + static_cast<std::ptrdiff_t>(end)},
                     labels, told);
      continue;
    }
    std::vector<std::size_t> places(end - begin);
    std::iota(places.begin(), places.end(), begin);
    const PaddedStates padded = pad_states(states, places);
    const Tensor log_probs = on_processor(head->tag(padded.states, padded.lengths));  // [B, T, 1 + labels]
    for (std::int64_t b = 0; b < log_probs.size(0); ++b) {
      Understanding one;
      one.slots = names_of(best_path(log_probs[b], padded.lengths[b].item<std::int64_t>()), labels);
      told.push_back(std::move(one));
    }
  }
  return told;
}

UnderstandingScore score_understanding(std::span<const Understanding> told,
                                       std::span<const std::vector<std::string>> gold, HeadKind task) {
  UnderstandingScore score;
  score.utterances = static_cast<std::int64_t>(told.size());
  if (told.empty()) throw ConfigError("there is no utterance to score");
  if (task == HeadKind::kIntent || task == HeadKind::kEmotion) {
    double right = 0;
    for (std::size_t i = 0; i < told.size(); ++i) right += told[i].label == gold[i].front();
    score.name = "accuracy";
    score.value = 100 * right / static_cast<double>(told.size());
    return score;
  }
  SlotScore slots;
  for (std::size_t i = 0; i < told.size(); ++i) slots.add(told[i].slots, gold[i]);
  score.name = "slot_f1";
  score.value = slots.f1();
  return score;
}

Json UnderstandingScore::to_json() const { return {{name, value}, {"utterances", utterances}}; }

}  // namespace kgwalk::seq2seq
