// What an answer consists of, by the names under which a schema may ask for it.
#pragma once

#include <string>

#include "kgwalk/conversation.h"
#include "kgwalk/json.h"

namespace kgwalk::server {

// {"sentence", "question", "start", "entities": [{"name", "probability"}], "facts": [{"head", "relation",
// "tail",
// "sources"}], ...}; docs/guides/serve.md names all. What this answer has not is left out. `planned`: the
// plan of
// `standing` is that of this answer.
[[nodiscard]] Json answer_parts(const Standing& standing, bool planned, const std::string& sentence,
                                const std::string& question);

}  // namespace kgwalk::server
