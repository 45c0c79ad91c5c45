// What is wrong with a file that is to be read.
#pragma once

#include <string>

namespace kgwalk::cli {

// The name that validators of such files go by, so that the program's front knows them.
inline constexpr const char* kInputFile = "input file";

// Empty when `name` can be read: a file, a folder, a pipe, or - for standard input.
[[nodiscard]] std::string problem_of_input(const std::string& name);

}  // namespace kgwalk::cli
