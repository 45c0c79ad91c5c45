// An answer as an object of a JSON schema that the client gives: its properties are filled from the answer's
// parts
// (answer_parts.h) by their names. Nothing is made up: a name that no part has is the client's to mend, and a
// part that this answer has not is a refusal of the assistant.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "kgwalk/json.h"
#include "server/doors/chat_fields.h"

namespace kgwalk::server {

struct ShapedAnswer {
  std::string text;     // the object as json, or the sentence where text is wanted
  std::string refusal;  // set: what is missing, as a sentence; then `text` is empty
};

// Facts of one relation are asked for by its name; `relations` tells which those are, as plain_name_of() has
// them.
using IsRelation = std::function<bool(std::string_view)>;

// Refusal (400) when the schema is none that can be filled: it is no object, has a keyword that is not
// understood, or asks for a name that no part has.
[[nodiscard]] ShapedAnswer shaped_answer(const AnswerForm& form, const Json& parts,
                                         const IsRelation& relations);

// Letters and digits alone, small: "directed_by" and "directedBy" are one name.
[[nodiscard]] std::string plain_name_of(std::string_view name);

}  // namespace kgwalk::server
