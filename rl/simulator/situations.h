// Turns in annotated dialogues: what the simulator learns to say, and in which situation. Torch-free.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kgwalk/dialogue.h"
#include "kgwalk/store.h"
#include "walker/example.h"

namespace kgwalk::rl {

// `situation` is what UserVoice::speak() is given: `context` holds what both have said, `walked` all hops so
// far of either, `start` the vertex talked about: the last tail, or before the first path its first entity.
struct UserTurn {
  walker::Example situation;
  std::string text;
  bool opening = false;   // said before the first path
  bool unspoken = false;  // nobody has said anything since the last path: it was walked to say this
  bool swapped = false;   // the assistant said it; the speakers of the situation have changed places
};

// Whose turns. kBoth: of the assistant too, the speakers of whose situations change places.
enum class Whose { kUser, kBoth };

// In order. Utterances that are empty, and those of dialogues without any path, are left out.
[[nodiscard]] std::vector<UserTurn> user_turns(std::span<const graph::Dialogue> dialogues, bool openings,
                                               Whose whose = Whose::kUser);

// Dialogues of splits of a database, one split after the other. StoreError for an unknown split.
[[nodiscard]] std::vector<graph::Dialogue> dialogues_of(const graph::Store& store,
                                                        std::span<const std::string> splits);

// Words of a text: its parts between white space.
[[nodiscard]] std::int64_t count_words(std::string_view text);

}  // namespace kgwalk::rl
