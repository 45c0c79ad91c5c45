// State vectors kept in the database between runs, told apart by what made
// them. Layout: docs/reference/formats/dialogue.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kgwalk/progress.h"
#include "kgwalk/store.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::dialogue {

// Where states are kept. A slot holds one set of states; what it holds is used only when its key (encoder,
// vocabulary, texts) is the very same, else it is computed anew and overwritten.
struct StateCache {
  const graph::Store* read = nullptr;  // null: nothing is looked up
  graph::Store* write = nullptr;       // null: nothing is kept (a store opened read-only)
  std::string slot;                    // e.g. "train"; empty: as if both were null
};

// What states were made from.
struct StateKey {
  std::string encoder;  // TextEncoder::states_checksum()
  std::string texts;    // checksum of what was encoded
  std::int64_t rows = 0, width = 0;
};

// float16 [rows, width], or nullopt when the slot is empty or holds states of another key. A damaged value is
// reported as a warning and counts as empty.
[[nodiscard]] std::optional<torch::Tensor> read_states(const StateCache& cache, const StateKey& key,
                                                       Reporter& reporter);
// `states` float16 [key.rows, key.width]; does nothing when the cache keeps nothing. StoreError, IoError.
void write_states(const StateCache& cache, const StateKey& key, const torch::Tensor& states);

}  // namespace kgwalk::dialogue
