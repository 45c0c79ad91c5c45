#include "kgwalk/input_format.h"

#include <algorithm>
#include <cctype>

#include "graph/ingest/formats/readers.h"

namespace kgwalk::graph {
namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool has_word(std::string_view words, std::string_view wanted) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == wanted) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

std::optional<InputFormat> format_word(std::string_view InputFormatRow::*words, std::string_view text) {
  for (const InputFormatRow& row : input_formats())
    if (has_word(row.*words, text)) return row.format;
  return std::nullopt;
}

}  // namespace

std::optional<InputFormat> format_named(std::string_view word) {
  std::string text = lower_case(word.substr(0, word.find(';')));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (Choice<InputFormat> choice = InputFormat::kAuto; choice.assign(text)) return choice;
  if (const auto media = format_word(&InputFormatRow::media_types, text)) return media;
  if (text.starts_with('.')) text.erase(0, 1);
  return format_word(&InputFormatRow::extensions, text);
}

InputFormat format_of(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  for (std::string end = lower_case(name.extension().string());
       end == ".gz" || end == ".bz2" || end == ".zst" || end == ".zstd";
       end = lower_case(name.extension().string()))
    name = name.stem();
  const std::string extension = lower_case(name.extension().string());
  if (extension.empty()) return InputFormat::kTriples;
  return format_word(&InputFormatRow::extensions, extension.substr(1)).value_or(InputFormat::kTriples);
}

}  // namespace kgwalk::graph
