// A dialogue as bytes: line and number of events, then each event; numbers LEB128
// (docs/reference/formats/graph.md).
#pragma once

#include <string>
#include <string_view>

#include "kgwalk/dialogue.h"

namespace kgwalk::graph {

[[nodiscard]] std::string encode_dialogue(const Dialogue& dialogue);
// StoreError when the bytes are no dialogue.
[[nodiscard]] Dialogue decode_dialogue(std::string_view bytes);

}  // namespace kgwalk::graph
