// Turns of the user in annotated dialogues: what the simulator learns to say, and in
// which situation. Torch-free.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kgwalk/dialogue.h"
#include "kgwalk/store.h"
#include "walker/example.h"

namespace kgwalk::rl {

// `situation` is what UserVoice::speak() is given: `context` holds the user's own earlier utterances only
// (thesis 5.3.4: in stage 2 the dialogue history is made of simulated utterances alone), `walked` all
// hops so far of either speaker, `start` the vertex talked about: the last tail, or before the first path
// its first entity.
struct UserTurn {
  walker::Example situation;
  std::string text;
  bool opening = false;  // said before the first path
};

// In order. Utterances that are empty, and those of dialogues without any path, are left out.
[[nodiscard]] std::vector<UserTurn> user_turns(std::span<const graph::Dialogue> dialogues, bool openings);

// Of splits of a database, one after the other. StoreError for an unknown split.
[[nodiscard]] std::vector<graph::Dialogue> dialogues_of(const graph::Store& store,
                                                        std::span<const std::string> splits);

// Words of a text: its parts between white space.
[[nodiscard]] std::int64_t count_words(std::string_view text);

}  // namespace kgwalk::rl
