// The answer to a form in one or two English sentences. Torch-free.
//
// What is told is as far as the graph says: where there is none, and where something is denied, the sentence
// says so. Names stand as the graph writes them, values as people write them; texts above 80 characters are
// cut. Facts of relations that have wordings (data/responses/statements.txt) are told by them, others by the
// words of their names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dialogue/response/wordings.h"
#include "kgwalk/query.h"

namespace kgwalk::dialogue {

struct Told {
  std::string sentence = {};
  std::size_t named = 0;  // how many of the answers it names, from `skip` on
  // All answers in the order in which they are told, those skipped too.
  std::vector<graph::EntityId> order = {};
};

struct TellOptions {
  std::size_t most_names = 10;  // twice as many where none is left then: "and 2 more" helps nobody
  std::size_t skip = 0;         // "show more": begin behind those that were told
  bool all = false;             // names all of them, whatever their number
  std::size_t variety = 0;      // which of several wordings; counted anew where there are fewer
  forms::Bindings before = {};  // what the form was answered with
};

// Names what the query and its answer hold, and three things beside: the type that all of an answer share
// ("12 films"), where something is denied what the graph says instead, and what one thing has that is asked
// whether it has any. Safe for concurrent use. ConfigError where the form does not hold together.
[[nodiscard]] Told tell(const forms::Query& query, const forms::Answer& answer, const forms::Engine& engine,
                        const Wordings& wordings = builtin_wordings(), const TellOptions& options = {});

}  // namespace kgwalk::dialogue
