// data/questions/bank.txt as the build compiled it in.
#pragma once

#include <string_view>

namespace kgwalk::dialogue {

extern const std::string_view kBuiltinBank;

}  // namespace kgwalk::dialogue
