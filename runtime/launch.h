// How many processes were started to train one model together, and which of them this is: the variables that
// torchrun, mpirun (Open MPI) and srun (Slurm) set for each process they start are read, so that
// `mpirun -n 4 kgwalk train ...` needs nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace kgwalk {

struct Launch {
  int rank = 0, size = 1;
  int local_size = 1;  // processes on this machine, where that is told
  // Where rank 0 listens: MASTER_ADDR, MASTER_PORT.
  std::string host = "127.0.0.1";
  int port = 29500;
  // torchrun's agent listens there in place of rank 0, and keeps apart by this prefix what belongs to which
  // restart; empty elsewhere.
  std::string agent_prefix = {};
  // Seconds that a process waits for the others before it takes them for lost: KGWALK_RANK_TIMEOUT_S.
  int timeout_s = 1800;
};

// By what `variable` gives for a name; null where it is not set. ConfigError for values that are no numbers
// or do not fit, and where processes on several machines have no MASTER_ADDR.
[[nodiscard]] Launch launch_of(const std::function<const char*(const char*)>& variable);

// That of this process, read once.
[[nodiscard]] const Launch& launch();

// A seed that no two processes share; the seed itself for rank 0.
[[nodiscard]] std::uint64_t seed_of_rank(std::uint64_t seed);

}  // namespace kgwalk
