// The manifest of a packed model in words.
#pragma once

#include <string>

#include "kgwalk/json.h"

namespace kgwalk {

[[nodiscard]] std::string manifest_text(const Json& manifest);

}  // namespace kgwalk
