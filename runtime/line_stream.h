// Lines of a stream (a terminal, a pipe, a file) as they come, until its end or until a signal asks to stop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kgwalk/progress.h"

namespace kgwalk {

// A last line needs no newline; "\r\n" ends a line too. Reading waits for input at most a tenth of a second
// beyond the request to stop. Not thread-safe; at most one stream a descriptor, since it reads ahead.
class LineStream {
 public:
  // Borrows both; the caller closes the descriptor.
  LineStream(int file_descriptor, const StopFlag& stop) : fd_(file_descriptor), stop_(stop) {}

  // The next line without its end; nullopt at the end of the stream or when asked to stop. IoError when
  // reading fails, DataError when a line is longer than 16 MiB.
  [[nodiscard]] std::optional<std::string> next();
  // Waits for a line as next() does; then also takes the lines that can be read without waiting, up to `most`
  // in all, so that a batch can be made of them but nobody waits for more. Empty where next() is nullopt.
  [[nodiscard]] std::vector<std::string> next(std::size_t most);

 private:
  bool fill(bool wait);  // reads once; false at the end, or when nothing is there and it must not wait
  bool take(std::string& line);

  int fd_;
  const StopFlag& stop_;
  bool ended_ = false;
  std::string buffer_;
  std::size_t begin_ = 0, searched_ = 0;  // the next line's first byte; no newline stands between the two
  std::size_t lines_ = 0;                 // taken so far
};

}  // namespace kgwalk
