// Lines of N-Triples, N-Quads, Turtle and TriG before serd reads them: where statements end, how deep
// brackets are nested, and what serd would read wrongly or cannot name: escapes that stand for no letter,
// long strings with a quote too many, what RDF 1.2 adds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::graph {

class RdfLines {
 public:
  RdfLines(bool a_statement_a_line, bool has_graphs)
      : a_statement_a_line_(a_statement_a_line), has_graphs_(has_graphs) {}

  // Goes through a line, which begins at `position` of the text and follows the lines before.
  void read(std::string_view line, std::size_t position);

  // Passes over a line of which serd is to see that it is there, and nothing else.
  void blank(std::string_view line, std::size_t position);

  // The line as serd may read it: with what RDF 1.2 adds beside statements (versions, annotations) blanked
  // out.
  [[nodiscard]] std::string_view text() const noexcept { return room_.empty() ? line_ : room_; }
  // Why a statement of the line must be refused, and where in the text that was seen; empty: nothing is
  // wrong.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  [[nodiscard]] std::size_t problem_at() const noexcept { return problem_at_; }
  // Whether that is a directive which the line begins with, inside of a statement.
  [[nodiscard]] bool is_cut() const noexcept { return cut_; }
  // What was blanked out and said something.
  [[nodiscard]] const std::string& left_out() const noexcept { return left_out_; }
  // Where statements end in the line, as positions of the text.
  [[nodiscard]] const std::vector<std::size_t>& ends() const noexcept { return ends_; }
  // Whether the line ends in a string of several lines, and where the line on which that begins does.
  [[nodiscard]] bool in_long_string() const noexcept { return state_ == State::kLongString; }
  [[nodiscard]] std::size_t long_string_line() const noexcept { return long_line_; }
  // TriG alone: what opens the graph in which the line ends, "<g> {" on one line; empty outside of graphs.
  [[nodiscard]] const std::string& open_graph() const noexcept { return open_graph_; }

  // What follows begins a statement, within the same graph.
  void restart();
  // The same behind one of ends(), by its number: the graph is the one there.
  void restart_behind(std::size_t end);
  void leave_graph() { open_graph_.clear(); }
  // Whether a line declares a prefix, a base or a version.
  [[nodiscard]] static bool is_directive(std::string_view line);

 private:
  enum class State : char { kPlain, kIri, kString, kLongString, kAnnotation };

  [[nodiscard]] std::size_t step(std::size_t i);  // the next place to look at
  [[nodiscard]] std::size_t step_plain(std::size_t i);
  [[nodiscard]] std::size_t step_string(std::size_t i);
  [[nodiscard]] std::size_t open_string(std::size_t i);
  [[nodiscard]] std::size_t begin_statement(std::size_t i);
  [[nodiscard]] std::size_t escape(std::size_t i, bool in_iri);
  [[nodiscard]] std::size_t run_of_quotes(std::size_t i) const;
  [[nodiscard]] bool is_end(std::size_t i) const;
  void clear_findings();
  void end_statement(std::size_t i);
  [[nodiscard]] std::string begun(std::size_t end) const;  // of a statement, in this line
  void complain(std::size_t i, std::string why);
  void blank_out(std::size_t begin, std::size_t end);

  bool a_statement_a_line_, has_graphs_;
  State state_ = State::kPlain;
  char quote_ = '"';
  std::size_t depth_ = 0;
  bool at_begin_ = true;       // of a statement
  bool in_directive_ = false;  // one without a point
  bool cut_ = false;
  std::string_view line_;
  std::string room_, problem_, left_out_, open_graph_, head_;
  std::size_t position_ = 0, problem_at_ = 0, long_line_ = 0;
  std::vector<std::size_t> ends_;
  std::vector<std::string> end_graphs_;  // of TriG: open_graph_ behind each
};

}  // namespace kgwalk::graph
