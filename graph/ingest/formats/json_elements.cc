#include "graph/ingest/formats/json_elements.h"

#include <algorithm>
#include <string>

namespace kgwalk::graph {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;
constexpr std::size_t kPollBytes = std::size_t{1} << 24;
constexpr std::string_view kJsonSpace = " \t\r\n";

bool ends_scalar(char c) { return c == ',' || c == ']' || c == '}' || kJsonSpace.find(c) != kNowhere; }

}  // namespace

std::size_t JsonElements::behind_space(std::size_t at) const noexcept {
  return std::min(bytes_.find_first_not_of(kJsonSpace, at), bytes_.size());
}

// Of a text on one line the end is looked for once, not by each of its values.
std::size_t JsonElements::end_of_line(std::size_t at) const noexcept {
  if (at < line_from_ || at > line_to_) {
    line_from_ = at;
    line_to_ = std::min(bytes_.find('\n', at), bytes_.size());
  }
  return line_to_;
}

bool JsonElements::begins_line(std::size_t at) const noexcept {
  while (at > 0 && (bytes_[at - 1] == ' ' || bytes_[at - 1] == '\t')) --at;
  return at == 0 || bytes_[at - 1] == '\n';
}

std::size_t JsonElements::line_at(std::size_t position) {
  const auto feeds = [&](std::size_t from, std::size_t to) {
    return static_cast<std::size_t>(std::count(bytes_.begin() + static_cast<std::ptrdiff_t>(from),
                                               bytes_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
  };
  if (position >= counted_to_)
    counted_line_ += feeds(counted_to_, position);
  else
    counted_line_ -= feeds(position, counted_to_);
  counted_to_ = position;
  return counted_line_;
}

// A line feed is none of a string's characters: a quotation mark that is missing costs a line, no more.
std::size_t JsonElements::end_of_string(std::size_t at, std::size_t limit, JsonProblem& problem) const {
  for (std::size_t i = at + 1; i < limit; ++i) {
    const char c = bytes_[i];
    if (c == '"') return i + 1;
    if (c == '\\') ++i;
    if (c == '\n') return problem = {at, "a string does not end on its line"}, kNowhere;
  }
  problem = {at, limit == bytes_.size() ? "the text ends inside of a string; is the file cut off?"
                                        : "a string does not end on its line"};
  return kNowhere;
}

std::size_t JsonElements::end_of(std::size_t at, std::size_t limit, JsonProblem& problem) const {
  std::string open;  // the brackets that are to come, the next one last
  std::size_t next_poll = at + kPollBytes;
  for (std::size_t i = at; i < limit;) {
    const char c = bytes_[i];
    if (i >= next_poll) {
      sink_.at(at_);
      next_poll = i + kPollBytes;
    }
    if (c == '"') {
      i = end_of_string(i, limit, problem);
      if (i == kNowhere) return kNowhere;
    } else if (c == '{' || c == '[') {
      open += c == '{' ? '}' : ']';
      ++i;
      continue;
    } else if (c == '}' || c == ']') {
      if (open.empty() || open.back() != c) {
        problem = {i, std::string("'") + c + "' where " +
                          (open.empty() ? std::string("a value") : std::string("'") + open.back() + "'") +
                          " was expected"};
        return kNowhere;
      }
      open.pop_back();
      ++i;
    } else if (!open.empty()) {
      ++i;
      continue;
    } else {
      while (i < limit && !ends_scalar(bytes_[i])) ++i;
      if (i == at) return problem = {i, "a value was expected"}, kNowhere;
    }
    if (open.empty()) return i;
  }
  problem = {at, limit == bytes_.size() ? "the text ends inside of a value; is the file cut off?"
                                        : "a value does not end on its line"};
  return kNowhere;
}

// Where the next line begins, behind the one of `begin`, that starts with an object or the same letter, in
// the same column; the end of the text when there is none.
std::size_t JsonElements::next_like(std::size_t begin) const noexcept {
  const std::size_t feed = bytes_.rfind('\n', begin);
  const std::size_t column = begin - (feed == kNowhere ? 0 : feed + 1);
  for (std::size_t end = end_of_line(begin); end < bytes_.size(); end = end_of_line(end + 1)) {
    const std::size_t place = end + 1 + column;
    if (bytes_.find_first_not_of(" \t", end + 1) != place) continue;
    if (bytes_[place] == '{' || bytes_[place] == bytes_[begin]) return place;
  }
  return bytes_.size();
}

// A value that does not end on its line may be one of several lines, or has lost a bracket: the next line
// that looks like its first one tells which.
std::size_t JsonElements::end_of_element(JsonProblem& problem) {
  if (!on_lines_) return end_of(at_, bytes_.size(), problem);
  const std::size_t line_end = end_of_line(at_);
  const std::size_t end = end_of(at_, line_end, problem);
  if (end != kNowhere || never_longer_ || line_end == bytes_.size()) return end;
  JsonProblem other;
  const std::size_t longer = end_of(at_, bytes_.size(), other);
  on_lines_ = longer == kNowhere ? next_like(at_) == line_end + 1 : next_like(at_) < longer;
  never_longer_ = on_lines_;
  if (!on_lines_) problem = other;
  return on_lines_ ? kNowhere : longer;
}

bool JsonElements::find_in_array() {
  for (; at_ < bytes_.size(); at_ = behind_space(at_ + 1)) {
    if (bytes_[at_] == ']') return end_array(), false;
    const bool comma = bytes_[at_] == ',';
    if (comma != needs_comma_)
      log_.repair(line_at(at_), Reason::kSyntax,
                  comma ? "a comma where a value was expected" : "no comma between two values");
    needs_comma_ = false;
    if (!comma) return true;
  }
  log_.skip(line_at(at_), Reason::kSyntax, "the text ends before its array does; is the file cut off?");
  return false;
}

void JsonElements::end_array() {
  const std::size_t rest = behind_space(at_ + 1);
  if (rest < bytes_.size())
    log_.skip(line_at(rest), Reason::kSyntax, "what stands behind the end of the array is not read");
  at_ = bytes_.size();
  in_array_ = false;
}

// A piece of a long array, cut out by its lines, has commas and perhaps the last bracket.
bool JsonElements::find_element() {
  at_ = behind_space(at_);
  if (!begun_ && at_ < bytes_.size() && bytes_[at_] == '[') {
    in_array_ = true;
    at_ = behind_space(at_ + 1);
  }
  begun_ = true;
  if (in_array_) return find_in_array();
  while (needs_comma_ && at_ < bytes_.size() && (bytes_[at_] == ',' || bytes_[at_] == ']'))
    at_ = behind_space(at_ + 1);
  return at_ < bytes_.size();
}

void JsonElements::recover(const JsonElement& element, const JsonProblem& problem) {
  std::size_t next = bytes_.size();
  if (on_lines_)
    next = end_of_line(element.begin);
  else if (begins_line(element.begin))
    next = next_like(element.begin);
  const bool lost = next == bytes_.size() && end_of_line(element.begin) != next;
  const std::size_t line = line_at(problem.at);
  log_.skip(line, Reason::kSyntax,
            problem.why +
                (lost ? "; what stands behind the value of line " + std::to_string(element.line) + " is lost"
                      : std::string()));
  at_ = next;
  needs_comma_ = false;
  if (next == bytes_.size()) in_array_ = false;  // its end is not missed, too
}

bool JsonElements::next(JsonElement& element) {
  while (find_element()) {
    element = {at_, at_, line_at(at_)};
    JsonProblem problem;
    element.end = end_of_element(problem);
    if (element.end == kNowhere) {
      recover(element, problem);
      continue;
    }
    at_ = element.end;
    needs_comma_ = true;
    sink_.at(at_);
    return true;
  }
  return false;
}

bool JsonElements::read(const JsonElement& element, JsonNode& into) {
  const std::size_t size = element.end - element.begin;
  if (size > kMaxJsonElement) {
    log_.skip(element.line, Reason::kLongLine,
              "a value of " + std::to_string(size) + " bytes; at most " + std::to_string(kMaxJsonElement) +
                  " are taken");
    return false;
  }
  JsonProblem problem;
  if (parse_json(bytes_.substr(element.begin, size), into, problem)) return true;
  log_.skip(line_at(element.begin + std::min(problem.at, size)), Reason::kSyntax, problem.why);
  return false;
}

}  // namespace kgwalk::graph
