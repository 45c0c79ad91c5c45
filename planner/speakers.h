// Utterances of requests as the walker takes them.
#pragma once

#include <span>
#include <vector>

#include "kgwalk/dialogue.h"
#include "kgwalk/plan.h"

namespace kgwalk {

// ConfigError for a speaker other than "user" and "assistant".
[[nodiscard]] std::vector<graph::Chat> chats_of(std::span<const Utterance> history);

}  // namespace kgwalk
