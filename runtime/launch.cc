#include "runtime/launch.h"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

using Variables = std::function<const char*(const char*)>;

constexpr std::uint64_t kSeedsBetweenRanks = 0x9E3779B97F4A7C15ULL;

std::optional<int> number_of(const Variables& variable, const char* name, int least, int most) {
  const char* text = variable(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  const std::string_view digits(text);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < least || number > most)
    throw ConfigError("the environment's " + std::string(name) + " is '" + text +
                      "'; it must be a number from " + std::to_string(least) + " to " + std::to_string(most));
  return number;
}

// Names of rank, number of processes, and processes on this machine, by who starts them.
struct Starter {
  const char *rank, *size, *local_size;
};
// SLURM_STEP_NUM_TASKS is set by srun alone: SLURM_NTASKS stands in every batch script.
constexpr Starter kStarters[] = {
    {"RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_TASKS_PER_NODE"}};

}  // namespace

Launch launch_of(const Variables& variable) {
  constexpr int kMost = std::numeric_limits<int>::max();
  Launch launch;
  for (const Starter& starter : kStarters) {
    const auto size = number_of(variable, starter.size, 1, kMost);
    if (!size) continue;
    const auto rank = number_of(variable, starter.rank, 0, *size - 1);
    if (!rank)
      throw ConfigError("the environment has " + std::string(starter.size) + " and no " + starter.rank +
                        "; set both, or neither");
    launch.rank = *rank;
    launch.size = *size;
    // Slurm writes "2(x3)" where machines are alike: what stands in front is enough.
    const char* local = variable(starter.local_size);
    launch.local_size = local == nullptr ? 1 : std::max(1, std::atoi(local));
    break;
  }
  if (const char* host = variable("MASTER_ADDR"); host != nullptr && *host != '\0')
    launch.host = host;
  else if (launch.size > launch.local_size && launch.local_size > 1)
    throw ConfigError(
        "the processes run on several machines: set MASTER_ADDR to the address of that of rank 0");
  launch.port = number_of(variable, "MASTER_PORT", 1, 65535).value_or(launch.port);
  launch.timeout_s = number_of(variable, "KGWALK_RANK_TIMEOUT_S", 1, kMost / 1000).value_or(launch.timeout_s);
  const char* agent = variable("TORCHELASTIC_USE_AGENT_STORE");
  if (agent != nullptr && std::string_view(agent) == "True") {
    const char* restarts = variable("TORCHELASTIC_RESTART_COUNT");
    launch.agent_prefix = "/worker/attempt_" + std::string(restarts == nullptr ? "0" : restarts);
  }
  return launch;
}

const Launch& launch() {
  static const Launch mine = launch_of([](const char* name) { return std::getenv(name); });
  return mine;
}

std::uint64_t seed_of_rank(std::uint64_t seed) {
  return seed + kSeedsBetweenRanks * static_cast<std::uint64_t>(launch().rank);
}

}  // namespace kgwalk
