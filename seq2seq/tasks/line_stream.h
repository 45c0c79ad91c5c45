// Lines of a stream as they come: those that are there already are given together, so that a batch can be
// made of them, but nobody waits for more. Torch-free.
#pragma once

#include <string>
#include <vector>

namespace kgwalk::seq2seq {

class LineStream {
 public:
  explicit LineStream(int file_descriptor) : fd_(file_descriptor) {}
  // Waits for a line; then also takes the lines that can be read without waiting, up to `most` in all. Empty
  // at the end of the stream. A last line needs no newline; "\r\n" ends a line too. IoError when reading
  // fails.
  [[nodiscard]] std::vector<std::string> next(std::size_t most);

 private:
  bool fill(bool wait);  // reads once; false at the end, or when nothing is there and it must not wait
  bool take(std::string& line);

  int fd_;
  bool ended_ = false;
  std::string buffer_;
  std::size_t begin_ = 0;
};

}  // namespace kgwalk::seq2seq
