// A message as the dialogue that a response model reads: the names to be said are its speakers, so that each
// is one piece that is copied whole; facts and utterances are its turns. Torch-free.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/response/message.h"
#include "seq2seq/tasks/summary/dialogue.h"

namespace kgwalk::dialogue {

// Which names of a message its sentence has to say: all, those that its context does not hold, or none.
enum class NeededNames { kAll, kNew, kNone };
constexpr auto choice_names(NeededNames) { return choices_in_order<NeededNames>("all", "new", "none"); }
[[nodiscard]] std::vector<std::string> needed_names(const Message& message, NeededNames needed);

// How a model reads the facts of a message: each as it was walked ("~directed_by"), or as the graph's
// relation has it, whichever way it was walked, so that who does what to whom is told in one way alone.
enum class FactsAs { kWalked, kForward };
constexpr auto choice_names(FactsAs) { return choices_in_order<FactsAs>("walked", "forward"); }

// "~directed_by" as a model reads it: "~ directed by".
[[nodiscard]] std::string relation_text(std::string_view relation);
// Number of the speaker of this name, from 1; 0 where there is none.
[[nodiscard]] int speaker_named(const seq2seq::Dialogue& dialogue, const std::string& name);

// The model is told which names to say: `needed` are among names_of(message). At most so many names are
// speakers, the first ones of names_of(message); at most kMostNamesSaid ways are told.
[[nodiscard]] seq2seq::Dialogue source_of(const Message& message, std::size_t most_names,
                                          const std::vector<std::string>& needed, FactsAs facts);

}  // namespace kgwalk::dialogue
