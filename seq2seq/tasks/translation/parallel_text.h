// Text files that belong together line by line. Torch-free.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kgwalk::seq2seq {

// Line i of one file belongs to line i of the other.
struct ParallelText {
  std::vector<std::string> source, target;
};
// DataError naming both files and counts when the numbers of lines differ.
[[nodiscard]] ParallelText read_parallel_text(const std::filesystem::path& source,
                                              const std::filesystem::path& target);

}  // namespace kgwalk::seq2seq
