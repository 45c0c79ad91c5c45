#include "kgwalk/error.h"

namespace kgwalk {
namespace {

std::string located(std::string_view file, std::size_t line, std::string_view why) {
  std::string text(file);
  if (line > 0) text += ":" + std::to_string(line);
  return text.append(": ").append(why);
}

}  // namespace

Error::Error(const std::string& what, Remedy remedy) : Error(what, std::vector<Remedy>{std::move(remedy)}) {}

Error::Error(const std::string& what, std::vector<Remedy> remedies)
    : std::runtime_error(what), remedies_(std::make_shared<const std::vector<Remedy>>(std::move(remedies))) {}

std::span<const Remedy> Error::remedies() const noexcept {
  return remedies_ ? std::span<const Remedy>(*remedies_) : std::span<const Remedy>();
}

DataError::DataError(std::string_view file, std::size_t line, std::string_view why)
    : Error(located(file, line, why)), file_(file), line_(line) {}

}  // namespace kgwalk
