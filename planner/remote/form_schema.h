// The grammar of forms (docs/reference/forms.md) as a JSON schema, for language models whose answers are held
// to one. Torch-free.
#pragma once

#include <string>
#include <vector>

#include "kgwalk/json.h"

namespace kgwalk {

// What a form may name. No relations: none but of sets that need none.
struct FormNames {
  std::vector<std::string> entities = {}, types = {}, relations = {};
};

// Schema of {"form": FORM or null}. Every member of an object is required and no other is allowed, choices
// stand under anyOf, names under enum: what strict structured outputs ask for. What query_of_json() takes may
// be wider; all that fits the schema it can read.
[[nodiscard]] Json form_schema(const FormNames& names);

}  // namespace kgwalk
