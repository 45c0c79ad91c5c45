// Text files of the sequence tasks: one sentence a line, in UTF-8. Torch-free.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::seq2seq {

// All lines, without their ends ("\n" or "\r\n"); a final line needs none. DataError with file and line for
// bytes that are no UTF-8; IoError when the file cannot be read.
[[nodiscard]] std::vector<std::string> read_text_lines(const std::filesystem::path& file);

// Line i of one file belongs to line i of the other.
struct ParallelText {
  std::vector<std::string> source, target;
};
// DataError naming both files and counts when the numbers of lines differ.
[[nodiscard]] ParallelText read_parallel_text(const std::filesystem::path& source,
                                              const std::filesystem::path& target);

// Bytes that are no UTF-8 as U+FFFD; whether there were any.
[[nodiscard]] bool repair_utf8(std::string& line);

}  // namespace kgwalk::seq2seq
