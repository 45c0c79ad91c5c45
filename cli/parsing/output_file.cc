#include "cli/parsing/output_file.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace kgwalk::cli {

std::string problem_of_output(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path path(name), folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (fs::is_directory(path, error)) return name + " is a folder; name a file";
  if (!fs::is_directory(folder, error)) return name + ": the folder " + folder.string() + " does not exist";
  if (::access(folder.c_str(), W_OK) != 0) return name + ": the folder " + folder.string() + " is read-only";
  return {};
}

}  // namespace kgwalk::cli
