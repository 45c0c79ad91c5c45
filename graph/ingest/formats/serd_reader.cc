#include "graph/ingest/formats/serd_reader.h"

#include <serd/serd.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>

#include "graph/ingest/formats/rdf_lines.h"
#include "graph/ingest/formats/statement_queue.h"
#include "graph/ingest/formats/text_places.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

const std::uint8_t* bytes_of(const std::string& text) {
  return reinterpret_cast<const std::uint8_t*>(text.c_str());
}

std::string_view node_text(const SerdNode& node) {
  return {reinterpret_cast<const char*>(node.buf), node.n_bytes};
}

// N-Triples are read as N-Quads: serd takes them for Turtle, where a statement comes before its point was
// seen.
SerdSyntax syntax_of(InputFormat format) {
  if (format == InputFormat::kNTriples || format == InputFormat::kNQuads) return SERD_NQUADS;
  return format == InputFormat::kTrig ? SERD_TRIG : SERD_TURTLE;
}

std::string formatted(const SerdError& error) {
  va_list copy;
  va_copy(copy, *error.args);
  std::array<char, 400> text{};
  std::vsnprintf(text.data(), text.size(), error.fmt, copy);
  va_end(copy);
  std::string why = text.data();
  while (!why.empty() && (why.back() == '\n' || why.back() == ' ')) why.pop_back();
  return why;
}

class SerdReading {
 public:
  SerdReading(const InputText& text, InputFormat format, StatementQueue& queue)
      : bytes_(text.bytes),
        places_{text.bytes},
        a_statement_a_line_(format == InputFormat::kNTriples || format == InputFormat::kNQuads),
        has_graphs_(format != InputFormat::kNTriples),
        queue_(queue),
        env_(nullptr, serd_env_free),
        reader_(nullptr, serd_reader_free),
        syntax_(syntax_of(format)),
        blank_prefix_(text.blank_prefix),
        lines_(a_statement_a_line_, format == InputFormat::kTrig) {
    const std::string begin = text.base();
    SerdNode base = serd_node_from_string(SERD_URI, bytes_of(begin));
    env_.reset(serd_env_new(&base));
  }

  void run() {
    while (next_ < bytes_.size()) {
      if (!reader_ || pauses_) begin_reader();
      begin_line_ = line_ + 1;
      stops_ = false;
      error_.reset();
      const SerdStatus status =
          serd_reader_read_source(reader_.get(), give_byte, no_stream_error, this, bytes_of(kName), 1);
      if (thrown_) std::rethrow_exception(thrown_);
      const bool good = status <= SERD_FAILURE && !error_ && !stops_;
      if (good && next_ >= bytes_.size()) break;
      if (good && pauses_) continue;
      recover();
    }
    queue_.at(bytes_.size());
  }
  // Of the text, once it is read.
  [[nodiscard]] std::size_t num_lines() const noexcept { return line_; }

 private:
  // Of N-Quads serd keeps the terms of all statements until its end: 130 bytes each.
  static constexpr std::size_t kLinesAReader = 1 << 16;

  void begin_reader() {
    reader_.reset(serd_reader_new(syntax_, this, nullptr, set_base, set_prefix, take_statement, nullptr));
    serd_reader_set_strict(reader_.get(), true);
    serd_reader_set_error_sink(reader_.get(), take_error, this);
    serd_reader_add_blank_prefix(reader_.get(), bytes_of(blank_prefix_));
    pauses_ = false;
    reader_line_ = line_;
  }

  struct Complaint {
    std::size_t line;
    std::string why;
  };

  // Byte by byte, so that it is known where serd reads: `line_` is the line of the byte given last. (Serd
  // takes a page that is not full for the last one, so pieces that end with a line are none.)
  static std::size_t give_byte(void* to, std::size_t, std::size_t, void* stream) {
    auto& me = *static_cast<SerdReading*>(stream);
    if (me.error_) return 0;  // what is wrong is known; nothing behind it is to come of this statement
    if (me.prelude_at_ < me.prelude_.size()) {
      *static_cast<char*>(to) = me.prelude_[me.prelude_at_++];
      return 1;
    }
    if (me.next_ == me.line_end_) {
      if (!me.begin_line()) return 0;
      me.line_text_ = me.lines_.text();
    }
    *static_cast<char*>(to) = me.line_text_[me.next_++ - me.line_begin_];
    return 1;
  }
  static int no_stream_error(void*) { return 0; }

  // False at the end, and where reading must stop.
  bool begin_line() {
    if (next_ == bytes_.size() || thrown_ || stops_) return false;
    pauses_ = a_statement_a_line_ && line_ >= reader_line_ + kLinesAReader;
    if (pauses_) return false;
    ++line_;
    line_begin_ = next_;
    line_end_ = places_.end_of_line(next_);
    const std::string_view line = bytes_.substr(next_, line_end_ - next_);
    if (has_nul(line)) return lines_.blank(line, next_), !thrown_;
    lines_.read(line, next_);
    if (!lines_.left_out().empty()) tell(lines_.left_out());
    if (lines_.problem().empty()) return !thrown_;
    if (a_statement_a_line_) {
      tell(lines_.problem());
      return lines_.blank(line, next_), !thrown_;
    }
    // Serd may read what is whole before the statement with the problem.
    stops_ = true;
    line_end_ = end_before(lines_.problem_at(), next_);
    return line_end_ > next_;
  }

  // Where the last statement that ends before a place of the line does, else `otherwise`.
  [[nodiscard]] std::size_t end_before(std::size_t place, std::size_t otherwise) const {
    for (const std::size_t end : lines_.ends())
      if (end <= place) otherwise = std::max(otherwise, end);
    return otherwise;
  }

  // Called out of serd, through whose frames nothing may be thrown.
  void tell(const std::string& why) {
    try {
      queue_.skip(line_, Reason::kSyntax, why);
      last_line_ = line_;
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }

  // Serd takes a NUL for the end of the file. False also when strictness threw: it is kept for run().
  bool has_nul(std::string_view piece) {
    const std::size_t at = piece.find('\0');
    if (at == std::string_view::npos) return false;
    if (line_ <= last_nul_line_) return true;  // told before a restart
    last_nul_line_ = line_;
    try {
      queue_.skip(line_, Reason::kNulByte, "a NUL byte at column " + std::to_string(at + 1));
    } catch (...) {
      thrown_ = std::current_exception();
    }
    return true;
  }

  static SerdStatus set_base(void* self, const SerdNode* uri) {
    return serd_env_set_base_uri(static_cast<SerdReading*>(self)->env_.get(), uri);
  }
  static SerdStatus set_prefix(void* self, const SerdNode* name, const SerdNode* uri) {
    auto& me = *static_cast<SerdReading*>(self);
    try {
      me.queue_.prefix(node_text(*name), node_text(*uri));
    } catch (...) {
      me.thrown_ = std::current_exception();
    }
    return serd_env_set_prefix(me.env_.get(), name, uri);
  }
  static SerdStatus take_error(void* self, const SerdError* error) {
    auto& me = *static_cast<SerdReading*>(self);
    if (!me.error_) me.error_ = {me.begin_line_ + error->line - 1, formatted(*error)};
    return SERD_SUCCESS;
  }
  static SerdStatus take_statement(void* self, SerdStatementFlags, const SerdNode* graph,
                                   const SerdNode* subject, const SerdNode* predicate, const SerdNode* object,
                                   const SerdNode* datatype, const SerdNode* language) {
    auto& me = *static_cast<SerdReading*>(self);
    if (me.thrown_) return SERD_ERR_INTERNAL;
    if (me.error_) return SERD_SUCCESS;  // something was wrong with it
    try {                                // nothing may be thrown through serd's frames
      if (graph != nullptr && !me.has_graphs_) return me.refuse_graph();
      me.take(graph, *subject, *predicate, *object, datatype, language);
    } catch (...) {
      me.thrown_ = std::current_exception();
      return SERD_ERR_INTERNAL;
    }
    return SERD_SUCCESS;
  }

  SerdStatus refuse_graph() {
    last_line_ = line_;
    queue_.skip(line_, Reason::kSyntax, "a fourth term; the graph of a statement is for N-Quads");
    return SERD_SUCCESS;
  }

  void take(const SerdNode* graph, const SerdNode& subject, const SerdNode& predicate, const SerdNode& object,
            const SerdNode* datatype, const SerdNode* language) {
    last_line_ = line_;
    Statement statement;
    if (graph != nullptr && graph->buf != nullptr) {
      Term source;
      if (!term(*graph, source, expanded_[4])) return;
      if (source.kind == TermKind::kBlank) {  // "_:" and its label, as ids of blank nodes
        blank_source_ = "_:";
        blank_source_ += source.text;
        source.text = blank_source_;
      }
      statement.source = source.text;
    }
    const bool known = term(subject, statement.subject, expanded_[0]) &&
                       term(predicate, statement.predicate, expanded_[1]) &&
                       term(object, statement.object, expanded_[2]);
    if (!known) return;
    if (language != nullptr) statement.object.language = node_text(*language);
    Term type;
    if (datatype != nullptr && datatype->buf != nullptr && term(*datatype, type, expanded_[3]))
      statement.object.datatype = type.text;
    queue_.add(statement, line_);
    if ((++statements_ & 1023) == 0) queue_.at(next_);
  }

  // Writes out prefixes and relative IRIs; false, and the reason logged, when that cannot be done.
  bool term(const SerdNode& node, Term& out, std::string& room) {
    out.kind = node.type == SERD_BLANK     ? TermKind::kBlank
               : node.type == SERD_LITERAL ? TermKind::kLiteral
                                           : TermKind::kIri;
    out.text = node_text(node);
    const bool has_scheme = node.type != SERD_URI || serd_uri_string_has_scheme(node.buf);
    if (node.type != SERD_CURIE && has_scheme) return true;
    if (a_statement_a_line_) {
      last_line_ = line_;
      queue_.skip(line_, Reason::kSyntax,
                  "'" + std::string(node_text(node)) + "' is no whole IRI; here IRIs have a scheme");
      return false;
    }
    SerdNode full = serd_env_expand_node(env_.get(), &node);
    if (full.buf == nullptr) {
      queue_.skip(line_, Reason::kSyntax,
                  "'" + std::string(node_text(node)) + "' has a prefix that was not declared");
      return false;
    }
    room = node_text(full);
    serd_node_free(&full);
    out.text = room;
    return true;
  }

  // Says what is wrong and puts `next_` and `line_` where reading goes on.
  void recover() {
    if (stops_) {
      queue_.skip(line_, Reason::kSyntax, lines_.problem() + "; the statement is lost");
      if (lines_.is_cut()) return go_on(line_begin_, line_);
      return resume_behind(lines_.problem_at());
    }
    const std::string why = error_                  ? error_->why
                            : next_ < bytes_.size() ? "a statement cannot be read"
                                                    : "the file ends inside a statement";
    if (prelude_at_ > 0 && next_ == restart_) {  // the graph cannot be gone on with
      lines_.leave_graph();
      return go_on(restart_, restart_line_);
    }
    const std::size_t line = std::max(error_ ? error_->line : line_, restart_line_);
    if (a_statement_a_line_) return recover_line(line, why);
    const bool never_ends = lines_.in_long_string() && next_ == bytes_.size();
    queue_.skip(never_ends ? line_of(lines_.long_string_line()) : line, Reason::kSyntax,
                why + "; its statement is lost");
    resume_behind(looked_ahead() ? next_ - 1 : next_);
  }

  // An unfinished statement is found out on the next line: what is bad is the first line with something on it
  // behind the last good statement.
  void recover_line(std::size_t line, const std::string& why) {
    std::size_t position = places_.begin_of(line, restart_line_, restart_);
    std::size_t first = std::max(last_line_ + 1, restart_line_);
    std::size_t at = places_.begin_of(first, restart_line_, restart_);
    while (first < line && says_nothing(places_.line_at(at))) {
      at = places_.end_of_line(at);
      ++first;
    }
    if (first < line) line = first, position = at;
    position = places_.end_of_line(position);
    queue_.skip(line, Reason::kSyntax, why);
    go_on(position, line + 1);
  }

  // Goes on behind the statement in which `place` of the current line lies.
  void resume_behind(std::size_t place) {
    for (std::size_t i = 0; i < lines_.ends().size(); ++i)
      if (lines_.ends()[i] >= place && lines_.ends()[i] > line_begin_) return go_on_within(i);
    std::size_t line = std::max(line_, restart_line_), position = places_.end_of_line(line_begin_);
    if (ends_with_point(line_begin_)) return go_on(position, line + 1);
    const std::size_t string_line = lines_.in_long_string() ? lines_.long_string_line() : bytes_.size();
    while (position < bytes_.size()) {
      ++line;
      if (!lines_.in_long_string() && RdfLines::is_directive(places_.line_at(position)))
        return go_on(position, line);
      line_ = line;
      line_begin_ = position;
      position = places_.end_of_line(position);
      lines_.read(bytes_.substr(line_begin_, position - line_begin_), line_begin_);
      if (!lines_.ends().empty()) return go_on_within(0);
      if (!lines_.in_long_string() && ends_with_point(line_begin_)) return go_on(position, line + 1);
    }
    if (string_line < bytes_.size()) return resume_within_string(string_line);
    go_on(position, line + 1);
  }

  // Whether serd took the space behind a point before it complained of what stands in front of that.
  [[nodiscard]] bool looked_ahead() const {
    return next_ > restart_ + 1 &&
           std::string_view(" \t\r\n").find(bytes_[next_ - 1]) != std::string_view::npos &&
           bytes_[next_ - 2] == '.';
  }

  // The number of the line in which a place behind the last restart lies.
  [[nodiscard]] std::size_t line_of(std::size_t position) const {
    const std::string_view passed = bytes_.substr(restart_, position - restart_);
    return restart_line_ + static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
  }

  // A long string that never ends: goes on behind what looks like the end of its statement.
  void resume_within_string(std::size_t position) {
    std::size_t line = line_of(position);
    for (bool first = true; position < bytes_.size(); first = false) {
      const std::string_view text = places_.line_at(position);
      if (!first && RdfLines::is_directive(text)) break;
      position = places_.end_of_line(position);
      ++line;
      if (text.ends_with('.')) break;
    }
    go_on(position, line);
  }

  [[nodiscard]] bool ends_with_point(std::size_t line_begin) const {
    return !lines_.in_long_string() && places_.line_at(line_begin).ends_with('.');
  }

  // Behind an end of the current line, by its number.
  void go_on_within(std::size_t end) {
    const std::size_t position = lines_.ends()[end];
    lines_.restart_behind(end);
    position < places_.end_of_line(line_begin_) ? go_on(position, line_) : go_on(position, line_ + 1);
  }

  // `line` is the number of the line in which `position` lies.
  void go_on(std::size_t position, std::size_t line) {
    next_ = restart_ = position;
    restart_line_ = line;
    line_begin_ = line_end_ = position;
    line_ = line - 1;  // begin_line() counts it
    last_line_ = line - 1;
    lines_.restart();
    prelude_ = lines_.open_graph();
    prelude_at_ = 0;
  }

  inline static const std::string kName = "input";

  std::string_view bytes_;
  TextPlaces places_;
  bool a_statement_a_line_, has_graphs_;
  StatementQueue& queue_;
  std::unique_ptr<SerdEnv, void (*)(SerdEnv*)> env_;
  std::unique_ptr<SerdReader, void (*)(SerdReader*)> reader_;
  SerdSyntax syntax_;
  std::string blank_prefix_;
  std::string expanded_[5], blank_source_;
  std::exception_ptr thrown_;
  std::optional<Complaint> error_;
  RdfLines lines_;
  std::string_view line_text_;  // the line as serd may read it
  std::string prelude_;         // what serd reads first: the graph that reading goes on in
  std::size_t prelude_at_ = 0;
  bool stops_ = false;           // at the problem that lines_ has
  bool pauses_ = false;          // at the end of a line, for another reader
  std::size_t reader_line_ = 0;  // the last line before the reader
  std::size_t next_ = 0, line_begin_ = 0, line_end_ = 0, restart_ = 0;  // positions in bytes_
  std::size_t line_ = 0, begin_line_ = 1, restart_line_ = 1, last_line_ = 0, last_nul_line_ = 0,
              statements_ = 0;
};

void read_with_serd(const InputText& text, InputFormat format, StatementSink& sink) {
  StatementQueue queue;
  std::size_t lines = 0;
  queue.run(
      [&] {
        SerdReading reading(text, format, queue);
        reading.run();
        lines = reading.num_lines();
      },
      sink, text.log);
  text.counts.lines = lines;
}

}  // namespace

void read_ntriples(const InputText& text, StatementSink& sink) {
  read_with_serd(text, InputFormat::kNTriples, sink);
}
void read_nquads(const InputText& text, StatementSink& sink) {
  read_with_serd(text, InputFormat::kNQuads, sink);
}
void read_turtle(const InputText& text, StatementSink& sink) {
  read_with_serd(text, InputFormat::kTurtle, sink);
}
void read_trig(const InputText& text, StatementSink& sink) { read_with_serd(text, InputFormat::kTrig, sink); }

}  // namespace kgwalk::graph
