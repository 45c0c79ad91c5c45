#include "listening/acts/foreign_words.h"

#include <utf8proc.h>

#include <algorithm>
#include <unordered_set>

#include "listening/words/said_text.h"

namespace kgwalk::listening {

extern const std::string_view kForeignWords;  // the file's text

namespace {

std::unordered_set<std::string_view> read_foreign_words() {
  std::unordered_set<std::string_view> words;
  for (std::size_t at = 0; at < kForeignWords.size();) {
    const std::size_t end = std::min(kForeignWords.find('\n', at), kForeignWords.size());
    const std::string_view line = kForeignWords.substr(at, end - at);
    at = end + 1;
    if (line.starts_with('#') || line.starts_with('[')) continue;
    for (std::size_t i = 0; i < line.size();) {
      const std::size_t stop = std::min(line.find(' ', i), line.size());
      const std::string_view word = line.substr(i, stop - i);
      if (!word.empty() && !is_function_word(word)) words.insert(word);
      i = stop + 1;
    }
  }
  return words;
}

}  // namespace

bool is_foreign_word(std::string_view word) {
  static const std::unordered_set<std::string_view> words = read_foreign_words();
  return words.contains(word);
}

bool is_other_script(std::string_view word) {
  utf8proc_int32_t code = 0;
  if (utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(word.data()),
                       static_cast<utf8proc_ssize_t>(word.size()), &code) <= 0)
    return false;
  // Latin letters end with its second extension; what follows up to U+036F are sounds and accents.
  const utf8proc_category_t category = utf8proc_category(code);
  return code >= 0x370 && (code < 0x1E00 || code > 0x1EFF) && category >= UTF8PROC_CATEGORY_LU &&
         category <= UTF8PROC_CATEGORY_LO;
}

}  // namespace kgwalk::listening
