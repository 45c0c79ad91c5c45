#include "kgwalk/error.h"

namespace kgwalk {
namespace {

std::string located(std::string_view file, std::size_t line, std::string_view why) {
  std::string text(file);
  if (line > 0) text += ":" + std::to_string(line);
  return text.append(": ").append(why);
}

}  // namespace

DataError::DataError(std::string_view file, std::size_t line, std::string_view why)
    : Error(located(file, line, why)), file_(file), line_(line) {}

}  // namespace kgwalk
