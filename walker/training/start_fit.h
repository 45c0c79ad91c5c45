// Fits what decides where a walk starts: a multinomial logit over candidate starts (McFadden, 1974), whose
// few weights have one optimum.
#pragma once

#include <span>

#include "walker/network/neural_walker.h"

namespace kgwalk::walker {

// Examples with their right start; those whose start is no candidate, or the only one, teach nothing. Leaves
// the weights alone when none is left.
void fit_starts(const NeuralWalker& model, std::span<const Example> examples);

}  // namespace kgwalk::walker
