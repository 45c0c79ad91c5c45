// What --device means to a verb.
#pragma once

#include "cli/frame/command.h"

namespace kgwalk::cli {

// Sets where the networks of `command` compute (runtime/tensor/device.h). ConfigError when there is no such
// device, and for a verb without networks when the command line names another one than the processor: it
// would not be heard. From the environment a device is for those that have networks.
void choose_device(const Command& command, const Common& common);

}  // namespace kgwalk::cli
