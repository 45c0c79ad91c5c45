// UTF-8 one character at a time, for text that may be broken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kgwalk::seq2seq {

struct Utf8Char {
  char32_t code = 0xFFFD;
  std::size_t length = 1;  // bytes consumed; 1 where the bytes are no UTF-8
  bool valid = false;
};

// First character of `text`, which must not be empty. Overlong forms, surrogates and codes above
// U+10FFFF are invalid.
[[nodiscard]] inline Utf8Char decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = (lead & 0xE0) == 0xC0   ? 2
                             : (lead & 0xF0) == 0xE0 ? 3
                             : (lead & 0xF8) == 0xF0 ? 4
                                                     : 0;
  if (length == 0 || length > text.size()) return {};
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr char32_t kLowest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLowest[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, length, true};
}

// Length by the first byte alone, at most the size of `text`.
[[nodiscard]] inline std::size_t utf8_step(std::string_view text) {
  constexpr unsigned char kLength[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
  const std::size_t length = kLength[static_cast<unsigned char>(text[0]) >> 4];
  return length < text.size() ? length : text.size();
}

inline void append_utf8(std::string& out, char32_t code) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

}  // namespace kgwalk::seq2seq
