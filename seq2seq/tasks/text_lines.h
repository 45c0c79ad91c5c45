// Text files of the sequence tasks: one sentence a line, in UTF-8. Torch-free.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace kgwalk::seq2seq {

// All lines, without their ends ("\n" or "\r\n"); a final line needs none. DataError with file and line for
// bytes that are no UTF-8; IoError when the file cannot be read.
[[nodiscard]] std::vector<std::string> read_text_lines(const std::filesystem::path& file);

// Bytes that are no UTF-8 as U+FFFD; whether there were any.
[[nodiscard]] bool repair_utf8(std::string& line);

[[nodiscard]] std::string checksum_of_lines(std::span<const std::string> lines);

}  // namespace kgwalk::seq2seq
