// Errors of the whole engine: one tree, thrown by libraries, caught and printed only by main.
//
// A message says what went wrong, where, and what to do: "triples.txt:17: two fields instead
// of three; separate head, relation and tail by tabs". Not finding something is no error:
// look-ups return std::optional.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kgwalk {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value of a configuration, option or argument that cannot be used.
class ConfigError : public Error {
 public:
  using Error::Error;
};

// Input data that cannot be read: carries file and line (0 when the whole file is meant).
class DataError : public Error {
 public:
  DataError(std::string_view file, std::size_t line, std::string_view why);
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] std::size_t line() const noexcept { return line_; }

 private:
  std::string file_;
  std::size_t line_;
};

// The database: cannot be opened, is locked, damaged, half written or of another schema version.
class StoreError : public Error {
 public:
  using Error::Error;
};

// Tensors whose shapes do not fit.
class ShapeError : public Error {
 public:
  using Error::Error;
};

// A file of one of our formats (or safetensors, SentencePiece, ...) that breaks the format.
class FormatError : public Error {
 public:
  using Error::Error;
};

// The operating system refused: open, write, sync, rename. Carries errno's text.
class IoError : public Error {
 public:
  using Error::Error;
};

// The work was asked to stop (signal); what() says what there is of it. The same command would begin anew.
class Stopped : public Error {
 public:
  using Error::Error;
};

// Training was asked to stop (signal) and has saved; what() says what and where. The same command resumes it:
// main prints that.
class Interrupted : public Stopped {
 public:
  using Stopped::Stopped;
};

// A loss or gradient that is not finite; the last good checkpoint is kept.
class NumericError : public Error {
 public:
  using Error::Error;
};

}  // namespace kgwalk
