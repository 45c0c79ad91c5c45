// Lines of standard input, from a terminal or a pipe, that a signal can end.
#pragma once

#include <optional>
#include <string>

#include "runtime/signals.h"

namespace kgwalk::cli {

class LineReader {
 public:
  // `stop` is borrowed. At most one reader a program.
  explicit LineReader(const StopFlag& stop) : stop_(stop) {}

  // The next line without its end; nullopt at the end of the input or when asked to stop. A last line may
  // lack its end. Error when the input cannot be read or a line is longer than 1 MiB.
  [[nodiscard]] std::optional<std::string> next();
  // Standard input and output are a terminal: somebody types.
  [[nodiscard]] static bool somebody_types();

 private:
  const StopFlag& stop_;
  std::string buffer_;
  bool ended_ = false;
};

}  // namespace kgwalk::cli
