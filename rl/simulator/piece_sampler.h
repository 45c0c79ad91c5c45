// Draws the next piece of an utterance from unnormalized log-probabilities. Torch-free.
#pragma once

#include <span>
#include <vector>

#include "rl/simulator/simulator_config.h"
#include "runtime/random.h"

namespace kgwalk::rl {

// Thread-safe: the generator is the caller's.
class PieceSampler {
 public:
  // never[i]: piece i is never drawn. At least one piece must be left.
  PieceSampler(const SpeechConfig& config, std::vector<bool> never);

  // logits [V]; `also_never` (-1 = none) is left out this time. Uses one number of `random`, none at
  // temperature 0. Equal logits go to the lower piece.
  [[nodiscard]] int draw(std::span<const float> logits, int also_never, Random& random) const;

 private:
  struct Piece {
    float logit;
    int id;
  };
  [[nodiscard]] std::vector<Piece> likeliest(std::span<const float> logits, int also_never) const;

  SpeechConfig config_;
  std::vector<bool> never_;
};

}  // namespace kgwalk::rl
