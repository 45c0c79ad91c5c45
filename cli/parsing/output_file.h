// What is wrong with a file that is to be written.
#pragma once

#include <string>

namespace kgwalk::cli {

// The name that validators of such files go by, so that the program's front knows them.
inline constexpr const char* kOutputFile = "output file";

// Empty when `name` can be written.
[[nodiscard]] std::string problem_of_output(const std::string& name);

}  // namespace kgwalk::cli
