// Utterances as a head reads them: the states of a frozen encoder, with their labels.
// Private to seq2seq/tasks/understanding.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/tasks/understanding/understander.h"

namespace kgwalk::seq2seq {

// The labels of an utterance: one intent or emotion, its slot types, or "type=value" texts. Throws
// ConfigError when the manifest has no such column.
[[nodiscard]] std::vector<std::string> gold_labels(const SpokenItem& item, HeadKind task);
void require_labels(const Manifest& manifest, HeadKind task);

// States of all layers of each waveform: [L + 1, D] means over time, or frames [T, L + 1, D].
[[nodiscard]] std::vector<torch::Tensor> encode_speech(Wav2Vec2& encoder,
                                                       const std::vector<std::vector<float>>& waves,
                                                       bool frames, Reporter& reporter);

// What a head says of utterances given as encode_speech() gives them.
[[nodiscard]] std::vector<Understanding> understand_states(UnderstandingHead& head,
                                                           const HeadOptions& options,
                                                           const std::vector<torch::Tensor>& states,
                                                           const std::vector<std::string>& labels, int batch);

// Agreement with the gold labels, utterance by utterance. `name` of the score goes with the task.
[[nodiscard]] UnderstandingScore score_understanding(std::span<const Understanding> told,
                                                     std::span<const std::vector<std::string>> gold,
                                                     HeadKind task);

// Frames [T_b, L + 1, D] side by side: states [B, T, L + 1, D] and lengths int64 [B].
struct PaddedStates {
  torch::Tensor states, lengths;
};
[[nodiscard]] PaddedStates pad_states(const std::vector<torch::Tensor>& states,
                                      std::span<const std::size_t> places);

}  // namespace kgwalk::seq2seq
