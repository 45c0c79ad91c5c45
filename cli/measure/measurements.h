// The verbs of `kgwalk eval`: a file each that registers itself, as verbs of the program do
// (cli/frame/command.h).
#pragma once

#include "cli/frame/command.h"

namespace kgwalk::cli {

struct Measurement {
  const char* name;
  const char* help;
  const char* example;
  Register add;
  int place;  // in the list
};

class MeasurementRegistration {
 public:
  explicit MeasurementRegistration(const Measurement& measurement);
};

}  // namespace kgwalk::cli
