// Hears acts: multinomial logistic regression over the rows of act_features.h. Torch-free.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "listening/acts/act.h"
#include "listening/words/said_text.h"

namespace kgwalk::listening {

// A value; hearing is thread-safe. Names are one word to it, so that it carries over to any graph.
class ActModel {
 public:
  // Seconds on one core. Deterministic by the seed. An act with few examples counts for more than its share:
  // by the root of what it lacks to the mean. ConfigError when there are no examples.
  [[nodiscard]] static ActModel train(std::span<const ActExample> examples, std::uint64_t seed);

  // All acts, likeliest first; probabilities sum to one.
  [[nodiscard]] std::vector<HeardAct> hear(const SaidText& said, std::span<const NamedWords> names,
                                           const ActContext& context) const;

  // "KGWACTS1", the number of acts and of rows (u32), then each row that is not zero: its place (u32), its
  // weights (f32, one an act). Little-endian; places ascend.
  [[nodiscard]] std::string to_bytes() const;
  // FormatError, which names `name`, when the bytes are no model of these acts and rows.
  [[nodiscard]] static ActModel of_bytes(std::string_view bytes, const std::string& name);

 private:
  ActModel();
  std::size_t num_acts_ = kNumActs;  // fewer of a model of an earlier version
  std::vector<float> weights_;       // [kActRows, kNumActs]
};

}  // namespace kgwalk::listening
