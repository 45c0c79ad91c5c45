#include "seq2seq/text/unicode_text.h"

#include <utf8proc.h>

#include <array>

#include "seq2seq/text/utf8.h"

namespace kgwalk::seq2seq {
namespace {

template <class Fn>
void for_each_char(std::string_view text, Fn&& fn) {
  while (!text.empty()) {
    const Utf8Char first = decode_utf8(text);
    fn(first.code);
    text.remove_prefix(first.length);
  }
}

utf8proc_category_t category(char32_t code) { return utf8proc_category(static_cast<utf8proc_int32_t>(code)); }

}  // namespace

std::string strip_marks(std::string_view text, Decomposition form) {
  const int options =
      UTF8PROC_DECOMPOSE | (form == Decomposition::kCompatible ? UTF8PROC_COMPAT : utf8proc_option_t{});
  std::string out;
  for_each_char(text, [&](char32_t code) {
    std::array<utf8proc_int32_t, 32> parts{};
    int last_class = 0;
    const auto count =
        utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts.data(), parts.size(),
                                static_cast<utf8proc_option_t>(options), &last_class);
    if (count < 0 || count > static_cast<utf8proc_ssize_t>(parts.size())) return append_utf8(out, code);
    for (utf8proc_ssize_t i = 0; i < count; ++i) {
      const auto part = static_cast<char32_t>(parts[static_cast<std::size_t>(i)]);
      if (category(part) != UTF8PROC_CATEGORY_MN) append_utf8(out, part);
    }
  });
  return out;
}

std::string lower_case(std::string_view text) {
  std::string out;
  for_each_char(text, [&](char32_t code) {
    append_utf8(out, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code))));
  });
  return out;
}

bool is_space_char(char32_t code) {
  return code == ' ' || code == '\t' || code == '\n' || code == '\r' ||
         category(code) == UTF8PROC_CATEGORY_ZS;
}

bool is_control_char(char32_t code) {
  if (code == '\t' || code == '\n' || code == '\r') return false;
  switch (category(code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
      return true;
    default:
      return false;
  }
}

bool is_punctuation_char(char32_t code) {
  if ((code >= 33 && code <= 47) || (code >= 58 && code <= 64) || (code >= 91 && code <= 96) ||
      (code >= 123 && code <= 126)) {
    return true;
  }
  const auto kind = category(code);
  return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO;
}

bool is_word_char(char32_t code) {
  const auto kind = category(code);
  return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_NO;
}

bool is_cjk_char(char32_t code) {
  return (code >= 0x4E00 && code <= 0x9FFF) || (code >= 0x3400 && code <= 0x4DBF) ||
         (code >= 0x20000 && code <= 0x2A6DF) || (code >= 0x2A700 && code <= 0x2B73F) ||
         (code >= 0x2B740 && code <= 0x2B81F) || (code >= 0x2B820 && code <= 0x2CEAF) ||
         (code >= 0xF900 && code <= 0xFAFF) || (code >= 0x2F800 && code <= 0x2FA1F);
}

}  // namespace kgwalk::seq2seq
