#include "graph/ingest/formats/nesting.h"

#include <algorithm>

namespace kgwalk::graph {

std::size_t Nesting::after(std::string_view piece) noexcept {
  // Most lines have nothing that nests, and no string that goes on.
  if (state_ == State::kPlain && quotes_ == 0 && piece.find_first_of("[(\"'") == std::string_view::npos &&
      piece.find_first_of("])") == std::string_view::npos)
    return depth_;
  std::size_t deepest = depth_;
  for (const char c : piece) {
    step(c);
    deepest = std::max(deepest, depth_);
  }
  return deepest;
}

void Nesting::step(char c) noexcept {
  switch (state_) {
    case State::kPlain:
      return step_plain(c);
    case State::kIri:
      if (c == '>' || c == '\n' || c == ' ') state_ = State::kPlain;
      return;
    case State::kComment:
      if (c == '\n') state_ = State::kPlain;
      return;
    case State::kString:
    case State::kLongString:
      break;
  }
  if (escaped_) {
    escaped_ = false;
  } else if (c == '\\') {
    escaped_ = true;
    quotes_ = 0;
  } else if (c == quote_) {
    const bool ends = state_ == State::kString || ++quotes_ == 3;
    if (ends) state_ = State::kPlain, quotes_ = 0;
  } else {
    quotes_ = 0;
    if (c == '\n' && state_ == State::kString) state_ = State::kPlain;
  }
}

void Nesting::step_plain(char c) noexcept {
  if (quotes_ > 0) {  // one or two quotes were seen: a string begins, is empty, or begins with three
    if (c == quote_) {
      if (++quotes_ == 3) state_ = State::kLongString, quotes_ = 0;
      return;
    }
    const bool empty = quotes_ == 2;
    quotes_ = 0;
    if (!empty) {
      state_ = State::kString;
      return step(c);
    }
  }
  if (c == '"' || c == '\'') {
    quote_ = c;
    quotes_ = 1;
  } else if (c == '<') {
    state_ = State::kIri;
  } else if (c == '#') {
    state_ = State::kComment;
  } else if (c == '[' || c == '(') {
    ++depth_;
  } else if ((c == ']' || c == ')') && depth_ > 0) {
    --depth_;
  }
}

}  // namespace kgwalk::graph
