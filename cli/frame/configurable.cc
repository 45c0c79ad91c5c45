#include "cli/frame/configurable.h"

#include "workflows/training/configurations.h"

namespace kgwalk::cli {

Configurable configurable_of(std::string command, std::string_view function) {
  Configuration known = configuration_of(function);
  return {std::move(command), std::move(known.what), std::move(known.presets), std::move(known.options)};
}

}  // namespace kgwalk::cli
