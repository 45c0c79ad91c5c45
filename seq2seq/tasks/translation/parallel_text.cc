#include "seq2seq/tasks/translation/parallel_text.h"

#include "kgwalk/error.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::seq2seq {

ParallelText read_parallel_text(const std::filesystem::path& source, const std::filesystem::path& target) {
  ParallelText text{read_text_lines(source), read_text_lines(target)};
  if (text.source.size() != text.target.size())
    throw DataError(target.string(), std::min(text.source.size(), text.target.size()) + 1,
                    "has " + std::to_string(text.target.size()) + " lines, " + source.string() + " has " +
                        std::to_string(text.source.size()) + "; line i of both must belong together");
  return text;
}

}  // namespace kgwalk::seq2seq
