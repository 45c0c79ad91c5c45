// Errors of the whole engine: one tree, thrown by libraries, caught and printed only by main.
//
// Example:
//   #include "kgwalk/store.h"
//
//   try {
//     const auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadOnly);
//   } catch (const kgwalk::StoreError& error) {
//     std::cerr << error.what() << '\n';  // kg.db: there is no database
//     for (const kgwalk::Remedy& remedy : error.remedies())
//       if (remedy.action == kgwalk::Remedy::kIngest) std::cerr << "make " << remedy.subject << '\n';
//   }
//
// what() is one line that says where and what went wrong: "triples.txt:17: two fields instead of three; head,
// relation and tail are separated by tabs". It names files, keys of configurations and members of options,
// never a command or an option of one. What mends the error is told beside it, as remedies, which a program
// puts in the words of its users; kgwalk's own command line appends a command to the message.
//
// Not finding something is no error: look-ups return std::optional. What a failed call was to write is whole
// or as it was before.
//
// Threads: errors are values; they may be copied, kept and passed to another thread. Copying them never
// throws.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kgwalk {

// What would mend an error. Subject and arguments are plain values (paths, names, numbers), quoted for no
// shell.
struct Remedy {
  enum Action {
    kIngest,              // make the database `subject` from its files; arguments: the files, as far as known
    kReingest,            // the same, replacing what lies at `subject` (empty where it is not known)
    kReplace,             // allow what lies at `subject` to be replaced, or choose another place
    kIndexDistances,      // store the index of exact distances in the database `subject`
    kFactorizeDistances,  // store distance factors in the database `subject`; argument "rank"
    kEmbed,      // store embeddings in the database `subject`; arguments "model", "dim" of those wanted
    kTrain,      // make a run with the verb `subject` that its RunKind declares; arguments: its options
    kGive,       // give a value for `subject`, a member of an options struct: "text", "dialogues"
    kComputeOn,  // compute on the device `subject`
  };
  Action action;
  std::string subject;
  // In the order in which they are to be given; a name may come more than once ("triples").
  std::vector<std::pair<std::string, std::string>> arguments = {};
};

// The root of the tree. What else leaves the engine is std::bad_alloc, or a bug.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  Error(const std::string& what, Remedy remedy);
  Error(const std::string& what, std::vector<Remedy> remedies);

  // Ways to mend it, the nearest first; empty where the message says all. Lives as long as the error.
  [[nodiscard]] std::span<const Remedy> remedies() const noexcept;

 private:
  std::shared_ptr<const std::vector<Remedy>> remedies_;  // shared, so that copying an error cannot throw
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
  [[nodiscard]] std::size_t line() const noexcept { return line_; }  // from 1

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
