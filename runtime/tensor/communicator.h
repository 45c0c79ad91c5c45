// The processes that train one model together, as the training loop sees them (runtime/launch.h says how they
// are started). Behind it stands LibTorch's own c10d with Gloo. Every process calls the same functions in the
// same order, from one thread.
//
// Errors: Error where another process has ended or cannot be reached, naming what is to be done; a process
// that does not answer within Launch::timeout_s is taken for lost.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/launch.h"
#include "runtime/tensor/torch.h"

namespace kgwalk {

class Communicator {
 public:
  virtual ~Communicator() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  // The sum over all processes, in place; every process gets the same bits. float32 or float64, contiguous,
  // of equal shape everywhere; on any device.
  virtual void sum(torch::Tensor& tensor) = 0;
  // Rank 0's, in place, likewise.
  virtual void broadcast(torch::Tensor& tensor) = 0;
  // What each process gave, by rank.
  [[nodiscard]] virtual std::vector<std::string> gather(const std::string& bytes) = 0;
  // What rank 0 gave; what others give is not looked at.
  [[nodiscard]] virtual std::string broadcast(const std::string& bytes) = 0;
};

// Waits for all processes that were started. A single process needs nobody and reaches nobody. ConfigError
// where several were started and this build has no c10d.
[[nodiscard]] std::unique_ptr<Communicator> connect(const Launch& launch);

// That of this process, connected at the first call.
[[nodiscard]] Communicator& world();

}  // namespace kgwalk
