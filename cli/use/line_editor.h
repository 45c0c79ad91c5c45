// A line typed at a terminal: editing, history and completion by libedit. For a pipe runtime/line_stream.h is
// enough.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/progress.h"

namespace kgwalk::cli {

// What may stand in place of the end of a line: `length` bytes before the cursor, and the texts that they may
// become.
struct Completions {
  std::size_t length = 0;
  std::vector<std::string> texts;
};
using Complete = std::function<Completions(std::string_view before)>;

class LineEditor {
 public:
  // `history`: file of the lines of earlier calls, made where it is missing; empty = none is kept.
  // `stop` ends the input while a line is typed; it is borrowed.
  LineEditor(const std::filesystem::path& history, Complete complete, const StopFlag& stop);
  LineEditor(LineEditor&&) noexcept;
  ~LineEditor();  // writes the history

  // Without the end of the line; nullopt at the end of input and after a signal. `prompt` may hold colors.
  [[nodiscard]] std::optional<std::string> next(const std::string& prompt);
  // The lines of this call are no history.
  void forget();

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

// The longest end of `before`, from the beginning of a word, that names begin with; at most `most` of them,
// in any case of letters. Nothing where the end is shorter than two characters.
[[nodiscard]] Completions complete_names(std::string_view before, std::size_t count,
                                         const std::function<std::string_view(std::size_t)>& name,
                                         std::size_t most);

// What all of the texts begin with.
[[nodiscard]] std::string common_start(const std::vector<std::string>& texts);

}  // namespace kgwalk::cli
