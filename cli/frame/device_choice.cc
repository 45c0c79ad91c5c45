#include "cli/frame/device_choice.h"

#include <algorithm>
#include <string>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"

namespace kgwalk::cli {
namespace {

bool is_on_command_line(const Common& common) {
  return std::any_of(common.argv.begin(), common.argv.end(), [](const std::string& word) {
    return word == "--device" || word.starts_with("--device=");
  });
}

}  // namespace

void choose_device(const Command& command, const Common& common) {
  if (command.computes == Computes::kNetworks) return set_compute_device(parse_device(common.device));
  if (common.device == "cpu") return;
  if (!is_on_command_line(common)) {
    (void)parse_device(common.device);
    return;
  }
  const char* why = command.computes == Computes::kEmbeddings
                        ? "embeddings compute with kernels of the processor"
                        : "it runs no network that could compute elsewhere";
  throw ConfigError(
      "--device " + common.device + " is not for 'kgwalk " + std::string(command.name) + "': " + why,
      Remedy{Remedy::kComputeOn, "cpu"});
}

}  // namespace kgwalk::cli
