#include "graph/ingest/formats/rdf_lines.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace kgwalk::graph {
namespace {

// Serd descends into brackets by recursion, without a limit of its own.
constexpr std::size_t kMaxNesting = 1000;
constexpr std::size_t kMaxHead = 4096;  // bytes in front of a graph's bracket

// Letters at which something may begin or end outside of strings and IRIs.
constexpr std::array<bool, 256> make_marks() {
  std::array<bool, 256> marks{};
  for (const char c : std::string_view("\"'<#[](){}.~\\")) marks[static_cast<unsigned char>(c)] = true;
  return marks;
}
constexpr std::array<bool, 256> kMarks = make_marks();

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool begins_with_word(std::string_view text, std::string_view word) {
  if (text.size() <= word.size() || !is_space(text[word.size()])) return false;
  return std::equal(word.begin(), word.end(), text.begin(),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

std::optional<std::uint32_t> hex_number(std::string_view digits) {
  std::uint32_t value = 0;
  for (const char c : digits) {
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return std::nullopt;
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    value = value * 16 + static_cast<std::uint32_t>(digit);
  }
  return value;
}

bool may_stand_in_iri(std::uint32_t letter) {
  return letter > 0x20 && (letter > 0x7f || std::string_view("<>\"{}|^`\\").find(static_cast<char>(letter)) ==
                                                std::string_view::npos);
}

}  // namespace

void RdfLines::restart() {
  state_ = State::kPlain;
  depth_ = 0;
  at_begin_ = true;
  in_directive_ = false;
  head_.clear();
  ends_.clear();
  end_graphs_.clear();
}

void RdfLines::restart_behind(std::size_t end) {
  if (has_graphs_) open_graph_ = end_graphs_[end];
  restart();
}

bool RdfLines::is_directive(std::string_view line) {
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  if (line.starts_with('@')) line.remove_prefix(1);
  return begins_with_word(line, "prefix") || begins_with_word(line, "base") ||
         begins_with_word(line, "version");
}

void RdfLines::clear_findings() {
  room_.clear();
  problem_.clear();
  left_out_.clear();
  ends_.clear();
  end_graphs_.clear();
  cut_ = false;
}

void RdfLines::read(std::string_view line, std::size_t position) {
  line_ = line;
  position_ = position;
  clear_findings();
  if (a_statement_a_line_) {
    restart();
    // Most lines have nothing to look at.
    const bool is_plain =
        line.find('\\') == std::string_view::npos && ::memmem(line.data(), line.size(), "<<", 2) == nullptr;
    if (is_plain && (line.starts_with('<') || !is_directive(line))) return;
  }
  if (state_ == State::kPlain && !at_begin_ && !a_statement_a_line_ && is_directive(line)) {
    complain(0, "a statement is not ended in front of this line");
    cut_ = true;
    return;
  }
  for (std::size_t i = 0; i < line_.size();) i = step(i);
  const bool may_be_head = has_graphs_ && open_graph_.empty() && !at_begin_ && head_.size() < kMaxHead;
  head_ = may_be_head ? head_ + begun(line_.size()) : std::string();
  if (state_ == State::kString || state_ == State::kIri) state_ = State::kPlain;  // serd complains of it
}

void RdfLines::blank(std::string_view line, std::size_t position) {
  line_ = line;
  position_ = position;
  clear_findings();
  blank_out(0, line.size());
}

std::size_t RdfLines::step(std::size_t i) {
  const char c = line_[i];
  switch (state_) {
    case State::kPlain:
      return step_plain(i);
    case State::kIri:
      if (c == '\\') return escape(i, true);
      if (c == '>' || is_space(c)) {
        state_ = State::kPlain;
        if (in_directive_) end_statement(i);
      }
      return i + 1;
    case State::kAnnotation: {
      const std::size_t end = line_.find("|}", i);
      const std::size_t behind = end == std::string_view::npos ? line_.size() : end + 2;
      blank_out(i, behind);
      if (end != std::string_view::npos) state_ = State::kPlain;
      return behind;
    }
    default:
      return step_string(i);
  }
}

std::size_t RdfLines::step_string(std::size_t i) {
  while (i < line_.size() && line_[i] != quote_ && line_[i] != '\\') ++i;
  if (i == line_.size()) return i;
  if (line_[i] == '\\') return escape(i, false);
  if (state_ == State::kString) return state_ = State::kPlain, i + 1;
  const std::size_t quotes = run_of_quotes(i);
  if (quotes < 3) return i + quotes;
  if (quotes > 3) complain(i, "a string within three quotes ends in " + std::to_string(quotes));
  state_ = State::kPlain;
  return i + quotes;
}

std::size_t RdfLines::run_of_quotes(std::size_t i) const {
  std::size_t end = i;
  while (end < line_.size() && line_[end] == line_[i]) ++end;
  return end - i;
}

std::size_t RdfLines::open_string(std::size_t i) {
  quote_ = line_[i];
  const std::size_t quotes = std::min<std::size_t>(run_of_quotes(i), 3);
  if (quotes == 3 && !a_statement_a_line_) {
    state_ = State::kLongString;
    long_line_ = position_;
    return i + 3;
  }
  if (quotes == 2) return i + 2;  // an empty string
  state_ = State::kString;
  return i + 1;
}

std::size_t RdfLines::begin_statement(std::size_t i) {
  const std::string_view rest = line_.substr(i);
  at_begin_ = false;
  if (begins_with_word(rest, "prefix") || begins_with_word(rest, "base")) in_directive_ = true;
  const bool version = begins_with_word(rest, "version") || begins_with_word(rest, "@version");
  const std::size_t quote = rest.find_first_of("\"'");
  if (!version || quote == std::string_view::npos) return i;
  std::size_t end = rest.find(rest[quote], quote + 1);
  if (end == std::string_view::npos) return i;
  if (rest.front() == '@') end = std::min(rest.find('.', end), rest.size() - 1);
  blank_out(i, i + end + 1);
  end_statement(i + end);
  return i + end + 1;
}

std::size_t RdfLines::step_plain(std::size_t i) {
  if (at_begin_) {
    if (is_space(line_[i])) return i + 1;
    if (line_[i] != '#') {
      if (const std::size_t behind = begin_statement(i); behind > i) return behind;
    }
  }
  while (i < line_.size() && !kMarks[static_cast<unsigned char>(line_[i])]) ++i;
  if (i == line_.size()) return i;
  const char c = line_[i], next = i + 1 < line_.size() ? line_[i + 1] : '\n';
  switch (c) {
    case '"':
    case '\'':
      return open_string(i);
    case '\\':
      return i + 2;
    case '#':
      return line_.size();
    case '<':
      if (next == '<') return complain(i, "quoted triples (<< >>) are of RDF 1.2 and not read"), i + 2;
      state_ = State::kIri;
      return i + 1;
    case '~':
      complain(i, "reifiers (~) are of RDF 1.2 and not read");
      return i + 1;
    case '[':
    case '(':
      if (++depth_ == kMaxNesting + 1)
        complain(i, "brackets are nested more than " + std::to_string(kMaxNesting) + " deep");
      return i + 1;
    case ']':
    case ')':
      depth_ -= depth_ > 0 ? 1 : 0;
      return i + 1;
    case '{':
      if (next == '|') {
        left_out_ = "annotations ({| |}) are of RDF 1.2 and not read; the statement that they are of is";
        state_ = State::kAnnotation;
        return i;
      }
      open_graph_ = head_ + begun(i + 1);
      std::replace_if(open_graph_.begin(), open_graph_.end(), is_space, ' ');
      end_statement(i);
      return i + 1;
    case '}':
      open_graph_.clear();
      end_statement(i);
      return i + 1;
    default:
      if (is_end(i)) end_statement(i);
      return i + 1;
  }
}

std::string RdfLines::begun(std::size_t end) const {
  const std::size_t begin = ends_.empty() ? 0 : ends_.back() - position_;
  return std::string(line_.substr(begin, end - begin));
}

// A point behind which no letter of a name or number stands.
bool RdfLines::is_end(std::size_t i) const {
  if (depth_ > 0) return false;
  const auto next = static_cast<unsigned char>(i + 1 < line_.size() ? line_[i + 1] : '\n');
  return next < 0x80 && std::isalnum(next) == 0 &&
         std::string_view("_:-%\\.").find(static_cast<char>(next)) == std::string_view::npos;
}

void RdfLines::end_statement(std::size_t i) {
  ends_.push_back(position_ + i + 1);
  if (has_graphs_) end_graphs_.push_back(open_graph_);
  at_begin_ = true;
  in_directive_ = false;
  depth_ = 0;
  head_.clear();
}

std::size_t RdfLines::escape(std::size_t i, bool in_iri) {
  const char kind = i + 1 < line_.size() ? line_[i + 1] : '\n';
  const std::size_t digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
  if (digits == 0) {
    if (in_iri || std::string_view("tbnrf\"'\\").find(kind) == std::string_view::npos)
      complain(i, "'\\" + (is_space(kind) ? std::string() : std::string(1, kind)) + "' is no escape");
    return i + 2;
  }
  const std::string_view text = line_.substr(i, digits + 2);
  const auto letter = hex_number(text.substr(2));
  if (text.size() < digits + 2 || !letter) {
    complain(i, "'" + std::string(text) + "' is no escape");
    return i + 2;
  }
  if (*letter >= 0xd800 && *letter <= 0xdfff)
    complain(i, std::string(text) +
                    " is half of a surrogate pair and no letter; letters beyond U+FFFF are "
                    "written \\U and eight digits");
  else if (*letter > 0x10ffff)
    complain(i, std::string(text) + " lies beyond the last letter, U+10FFFF");
  else if (in_iri && !may_stand_in_iri(*letter))
    complain(i, std::string(text) + " is a character that no IRI may have");
  return i + text.size();
}

void RdfLines::complain(std::size_t i, std::string why) {
  if (!problem_.empty()) return;
  problem_ = std::move(why);
  problem_at_ = position_ + i;
}

void RdfLines::blank_out(std::size_t begin, std::size_t end) {
  if (room_.empty()) room_ = line_;
  for (std::size_t i = begin; i < end; ++i)
    if (room_[i] != '\n' && room_[i] != '\r') room_[i] = ' ';
}

}  // namespace kgwalk::graph
