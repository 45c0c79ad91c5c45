// Reads a short text from left to right: what fits is taken, what does not is left.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kgwalk::graph {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const noexcept { return rest_.empty(); }
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }
  [[nodiscard]] char peek() const noexcept { return rest_.empty() ? '\0' : rest_.front(); }

  bool take(char c) noexcept { return take(std::string_view(&c, 1)); }
  bool take(std::string_view text) noexcept {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  bool take_blanks() noexcept {
    const std::size_t before = rest_.size();
    while (take(' ')) {
    }
    return rest_.size() < before;
  }

  // At most 18, which a 64-bit number holds; how many there were in `count`.
  std::optional<std::int64_t> take_digits(std::size_t& count) noexcept {
    std::int64_t number = 0;
    count = 0;
    while (count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9') {
      if (count == 18) return std::nullopt;
      number = number * 10 + (rest_[count++] - '0');
    }
    if (count == 0) return std::nullopt;
    rest_.remove_prefix(count);
    return number;
  }
  // Exactly two.
  std::optional<int> take_two() noexcept {
    if (rest_.size() < 2 || !digit(rest_[0]) || !digit(rest_[1])) return std::nullopt;
    const int number = (rest_[0] - '0') * 10 + (rest_[1] - '0');
    rest_.remove_prefix(2);
    return number;
  }
  // Letters of ASCII and the points behind them.
  std::string_view take_word() noexcept {
    std::size_t size = 0;
    while (size < rest_.size() && (letter(rest_[size]) || (size > 0 && rest_[size] == '.'))) ++size;
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }

  [[nodiscard]] static bool digit(char c) noexcept { return c >= '0' && c <= '9'; }
  [[nodiscard]] static bool letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

 private:
  std::string_view rest_;
};

}  // namespace kgwalk::graph
