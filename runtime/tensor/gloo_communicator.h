// Communicator by LibTorch's c10d with Gloo: sums over TCP, between the processors of any machines.
#pragma once

#include <memory>

#include "runtime/tensor/communicator.h"

namespace kgwalk {

[[nodiscard]] std::unique_ptr<Communicator> connect_by_gloo(const Launch& launch);

}  // namespace kgwalk
