// The values of a JSON text one by one, so that only the one at hand is in memory: those of the array that
// the text is, or those that follow one another, a line each or not.
#pragma once

#include <cstddef>
#include <string_view>

#include "graph/ingest/formats/json_tree.h"
#include "graph/ingest/problem_log.h"
#include "graph/ingest/statement.h"

namespace kgwalk::graph {

// A longer value is refused: it would have to be in memory as a whole.
inline constexpr std::size_t kMaxJsonElement = std::size_t{16} << 20;

struct JsonElement {
  std::size_t begin = 0, end = 0;  // in the text
  std::size_t line = 0;
};

// Takes nothing: how far reading has come is all that the elements of a text say.
class NoSink final : public StatementSink {
 public:
  bool add(const Statement&, std::size_t) override { return true; }
  bool mention(const Term&, std::size_t) override { return true; }
  void name(const Term&, std::string_view, std::size_t) override {}
  void prefix(std::string_view, std::string_view) override {}
  void at(std::size_t position) override { position_ = position; }
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

 private:
  std::size_t position_ = 0;
};

class JsonElements {
 public:
  // All must outlive the object. Reading begins at `begin`, where an array or a value stands.
  JsonElements(std::string_view bytes, ProblemLog& log, StatementSink& sink, std::size_t begin = 0)
      : bytes_(bytes), log_(log), sink_(sink), at_(begin) {}

  // The next value whose brackets close; false at the end. One whose brackets do not close is logged: reading
  // goes on at the next line where values stand on lines of their own, else at the next value that begins a
  // line in the same column.
  [[nodiscard]] bool next(JsonElement& element);
  // Its content; false, and the reason logged, when it cannot be read.
  [[nodiscard]] bool read(const JsonElement& element, JsonNode& into);

  // Behind the value that begins at `at`, by its brackets and strings alone; npos, and the problem told, when
  // that is not before `limit`.
  [[nodiscard]] std::size_t end_of(std::size_t at, std::size_t limit, JsonProblem& problem) const;
  [[nodiscard]] std::size_t behind_space(std::size_t at) const noexcept;
  [[nodiscard]] std::size_t line_at(std::size_t position);

 private:
  [[nodiscard]] bool find_element();
  [[nodiscard]] bool find_in_array();
  void end_array();
  [[nodiscard]] std::size_t end_of_element(JsonProblem& problem);
  [[nodiscard]] std::size_t end_of_string(std::size_t at, std::size_t limit, JsonProblem& problem) const;
  [[nodiscard]] bool begins_line(std::size_t at) const noexcept;
  [[nodiscard]] std::size_t end_of_line(std::size_t at) const noexcept;
  [[nodiscard]] std::size_t next_like(std::size_t begin) const noexcept;
  void recover(const JsonElement& element, const JsonProblem& problem);

  std::string_view bytes_;
  ProblemLog& log_;
  StatementSink& sink_;
  std::size_t at_;
  bool begun_ = false, in_array_ = false, needs_comma_ = false;
  bool on_lines_ = true;       // as far as is known, each value has its line
  bool never_longer_ = false;  // one that did not end on its line did not end well elsewhere either
  std::size_t counted_to_ = 0, counted_line_ = 1;
  mutable std::size_t line_from_ = 1, line_to_ = 0;  // from here no line ends before there; at first nowhere
};

}  // namespace kgwalk::graph
