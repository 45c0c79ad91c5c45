// data/responses/statements.txt as the build compiled it in.
#pragma once

#include <string_view>

namespace kgwalk::dialogue {

extern const std::string_view kBuiltinStatements;

}  // namespace kgwalk::dialogue
