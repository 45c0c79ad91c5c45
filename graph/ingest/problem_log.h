// What was found wrong with input files: reported as "file:line: why" up to a limit per file,
// counted by reason.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/ingest.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {

// Problems of one file. Throws DataError at the first problem when strict.
class ProblemLog {
 public:
  ProblemLog(std::string file, bool strict, std::size_t max_reported, Reporter& reporter);

  // The line is skipped.
  void skip(std::size_t line, Reason reason, std::string_view why);
  // The line is used after a repair; reported once a file.
  void repair(std::size_t line, Reason reason, std::string_view why);
  // Something to know of the file that is no problem.
  void note(std::string_view what);

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] std::uint64_t skipped() const noexcept { return skipped_; }
  [[nodiscard]] const std::map<Reason, std::uint64_t>& skipped_by_reason() const { return skipped_by_; }
  [[nodiscard]] const std::map<Reason, std::uint64_t>& repaired_by_reason() const { return repaired_by_; }
  [[nodiscard]] const std::vector<std::string>& reported() const noexcept { return reported_; }
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }
  // Says how many problems were counted but not shown.
  void finish();

 private:
  void report(std::size_t line, std::string_view why);
  std::string file_;
  bool strict_;
  std::size_t max_reported_;
  Reporter& reporter_;
  std::uint64_t skipped_ = 0;
  std::uint64_t unreported_ = 0;
  std::map<Reason, std::uint64_t> skipped_by_, repaired_by_;
  std::vector<std::string> reported_, notes_;
};

}  // namespace kgwalk::graph
