// A second device that exists everywhere, for tests: PrivateUse1, "privateuseone". Its operations are the
// processor's, so that results can be compared; its memory cannot be read through pointers, and an operation
// that is given tensors of both devices fails, as on an accelerator. Linking second_device.cc registers it.
#pragma once

#include "runtime/tensor/torch.h"

namespace kgwalk::testing {

inline constexpr const char* kSecondDevice = "privateuseone";

[[nodiscard]] inline torch::Device second_device() { return {torch::DeviceType::PrivateUse1, 0}; }

// Operations that it was asked for since the program began: none means that nothing ran there.
[[nodiscard]] std::int64_t operations_on_second_device();

}  // namespace kgwalk::testing
