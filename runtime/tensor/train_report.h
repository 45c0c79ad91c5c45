// How numbers of a training are told in a line (TrainReport is the trainer's).
#pragma once

#include <string>

#include "runtime/config.h"

namespace kgwalk {

// "loss 0.12, score 3.4": the numbers among the metrics.
[[nodiscard]] std::string in_brief(const Json& metrics);

}  // namespace kgwalk
