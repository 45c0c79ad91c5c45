// How deep the brackets of a Turtle or TriG text are nested, piece by piece: strings, IRIs and comments are passed over.
#pragma once

#include <cstddef>
#include <string_view>

namespace kgwalk::graph {

class Nesting {
 public:
  // The deepest level within `piece`, which follows the pieces before it.
  [[nodiscard]] std::size_t after(std::string_view piece) noexcept;

 private:
  enum class State : char { kPlain, kIri, kComment, kString, kLongString };
  void step(char c) noexcept;
  void step_plain(char c) noexcept;
  State state_ = State::kPlain;
  char quote_ = 0;
  int quotes_ = 0;  // equal quotes in a row just seen
  bool escaped_ = false;
  std::size_t depth_ = 0;
};

}  // namespace kgwalk::graph
