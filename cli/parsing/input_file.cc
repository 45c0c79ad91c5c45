#include "cli/parsing/input_file.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace kgwalk::cli {

std::string problem_of_input(const std::string& name) {
  std::error_code error;
  if (name == "-") return {};
  if (!std::filesystem::exists(name, error)) return "there is no file or folder '" + name + "'";
  if (::access(name.c_str(), R_OK) != 0) return "'" + name + "' may not be read";
  return {};
}

}  // namespace kgwalk::cli
