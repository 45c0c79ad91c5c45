#include "graph/ingest/formats/table_shape.h"

#include <algorithm>
#include <array>

namespace kgwalk::graph {
namespace {

std::string_view first_line(std::string_view bytes) {
  std::string_view line = bytes.substr(0, bytes.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::size_t cells(std::string_view line, char separator, char quote) {
  std::size_t count = 1;
  bool inside = false;
  for (const char c : line) {
    if (quote != '\0' && c == quote) inside = !inside;
    if (!inside && c == separator) ++count;
  }
  return count;
}

std::string shown(char separator) {
  return separator == '\t' ? std::string("tabs") : "'" + std::string(1, separator) + "'";
}

}  // namespace

GuessedShape shape_of(const InputText& text, char usual, bool quoted) {
  const InputOptions& options = text.options;
  GuessedShape guessed{.shape = {.separator = options.separator != '\0' ? options.separator : usual,
                                 .quoted = quoted,
                                 .max_row_bytes = text.max_line_bytes,
                                 .quote = options.quote},
                       .bytes = text.bytes};
  std::string_view bytes = text.bytes;
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  const std::string_view line = first_line(bytes);
  if (line.size() == 5 && line.starts_with("sep=")) {  // as Excel writes it
    if (options.separator == '\0') guessed.shape.separator = line[4];
    guessed.shape.lines_before = 1;
    guessed.bytes = bytes.substr(std::min(bytes.find('\n'), bytes.size() - 1) + 1);
  } else if (options.separator == '\0') {
    constexpr std::array<char, 4> kSeparators = {'\t', ',', ';', '|'};
    const char quote = quoted ? options.quote : '\0';
    std::size_t most = cells(line, usual, quote);
    for (const char separator : kSeparators)
      if (const std::size_t count = cells(line, separator, quote); count > most)
        most = count, guessed.shape.separator = separator;
  }
  if (options.separator == '\0' && guessed.shape.separator != usual)
    text.log.note("its cells are separated by " + shown(guessed.shape.separator) +
                  ", as its first line shows");
  return guessed;
}

}  // namespace kgwalk::graph
