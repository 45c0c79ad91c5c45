#include "graph/ingest/lines.h"

#include <cstring>
#include <string>

namespace kgwalk::graph {

std::string_view without_byte_order_mark(std::string_view bytes, ProblemLog& log) {
  if (!bytes.starts_with("\xef\xbb\xbf")) return bytes;
  log.repair(1, Reason::kByteOrderMark,
             "a byte order mark begins the file; it is dropped, save the file without it");
  return bytes.substr(3);
}

LineReader::LineReader(std::string_view bytes, std::size_t max_line_bytes, ProblemLog& log)
    : bytes_(without_byte_order_mark(bytes, log)), max_line_bytes_(max_line_bytes), log_(log) {}

bool LineReader::next(std::string_view& line) {
  while (position_ < bytes_.size()) {
    const char* begin = bytes_.data() + position_;
    const std::size_t left = bytes_.size() - position_;
    const void* newline = std::memchr(begin, '\n', left);
    const std::size_t length =
        newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - begin) : left;
    line = {begin, length};
    position_ += length + (newline ? 1 : 0);
    ++number_;
    if (!newline)
      log_.repair(number_, Reason::kNoFinalNewline,
                  "the last line has no newline; it is read as a whole line");
    if (usable(line)) return true;
  }
  return false;
}

bool LineReader::usable(std::string_view& line) {
  if (line.size() > max_line_bytes_) {
    log_.skip(number_, Reason::kLongLine,
              "the line has " + std::to_string(line.size()) + " bytes; at most " +
                  std::to_string(max_line_bytes_) + " are taken");
    return false;
  }
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
    log_.repair(number_, Reason::kCrLf,
                "the line ends in CRLF; the carriage return is dropped, save the file with LF");
  }
  if (const void* nul = std::memchr(line.data(), '\0', line.size())) {
    const auto at = static_cast<std::size_t>(static_cast<const char*>(nul) - line.data());
    log_.skip(number_, Reason::kNulByte, "a NUL byte at column " + std::to_string(at + 1));
    return false;
  }
  return true;
}

}  // namespace kgwalk::graph
