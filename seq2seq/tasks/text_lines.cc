#include "seq2seq/tasks/text_lines.h"

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/input_bytes.h"
#include "runtime/text.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk::seq2seq {

std::vector<std::string> read_text_lines(const std::filesystem::path& file) {
  const std::string bytes = read_input(file);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    std::string line = bytes.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (const auto at = invalid_utf8_at(line))
      throw DataError(file.string(), lines.size() + 1,
                      "byte " + std::to_string(*at + 1) + " is no UTF-8; convert the file, e.g. with iconv");
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

bool repair_utf8(std::string& line) {
  if (!invalid_utf8_at(line)) return false;
  std::string repaired;
  for (std::string_view rest = line; !rest.empty();) {
    const Utf8Char c = decode_utf8(rest);
    append_utf8(repaired, c.valid ? c.code : 0xFFFD);
    rest.remove_prefix(c.length);
  }
  line = std::move(repaired);
  return true;
}

std::string checksum_of_lines(std::span<const std::string> lines) {
  Checksum sum;
  for (const std::string& line : lines) sum.add(line + '\n');
  return sum.hex();
}

}  // namespace kgwalk::seq2seq
