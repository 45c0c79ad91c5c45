#include "cli/device_choice.h"

#include <algorithm>
#include <string>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"

namespace kgwalk::cli {
namespace {

// What runs networks. Those that make everything from the files of a graph train TransE on the processor
// before.
constexpr std::string_view kWithNetworks[] = {
    "quickstart", "recipe", "demo",     "pretrain-text", "train",    "rl",    "respond", "simulator", "eval",
    "plan",       "chat",   "selfplay", "connect",       "retrieve", "serve", "mcp",     "task"};
constexpr std::string_view kWithTransE[] = {"embed", "link-prediction", "complete"};

bool contains(std::span<const std::string_view> verbs, std::string_view verb) {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

bool is_on_command_line(const Common& common) {
  return std::any_of(common.argv.begin(), common.argv.end(), [](const std::string& word) {
    return word == "--device" || word.starts_with("--device=");
  });
}

}  // namespace

void choose_device(std::string_view verb, const Common& common) {
  if (contains(kWithNetworks, verb)) return set_compute_device(parse_device(common.device));
  if (common.device == "cpu") return;
  if (!is_on_command_line(common)) {
    (void)parse_device(common.device);
    return;
  }
  const char* why = contains(kWithTransE, verb) ? "TransE computes with kernels of the processor"
                                                : "it runs no network that could compute elsewhere";
  throw ConfigError("--device " + common.device + " is not for 'kgwalk " + std::string(verb) + "': " + why,
                    Remedy{Remedy::kComputeOn, "cpu"});
}

}  // namespace kgwalk::cli
