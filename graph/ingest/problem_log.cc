#include "graph/ingest/problem_log.h"

#include <utility>

#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
ProblemLog::ProblemLog(std::string file, bool strict, std::size_t max_reported, Reporter& reporter)
    : file_(std::move(file)), strict_(strict), max_reported_(max_reported), reporter_(reporter) {}

void ProblemLog::skip(std::size_t line, Reason reason, std::string_view why) {
  if (strict_) throw DataError(file_, line, why);
  ++skipped_;
  ++skipped_by_[reason];
  report(line, why);
}

void ProblemLog::repair(std::size_t line, Reason reason, std::string_view why) {
  if (strict_ && reason != Reason::kNoFinalNewline) throw DataError(file_, line, why);
  if (++repaired_by_[reason] == 1) report(line, why);
}

void ProblemLog::note(std::string_view what) {
  notes_.push_back(file_ + ": " + std::string(what));
  reporter_.info(notes_.back());
}

void ProblemLog::report(std::size_t line, std::string_view why) {
  if (reported_.size() >= max_reported_) {
    ++unreported_;
    return;
  }
  reported_.push_back(DataError(file_, line, why).what());
  reporter_.warn(reported_.back());
}

void ProblemLog::finish() {
  if (unreported_ == 0) return;
  reporter_.warn(file_ + ": " + with_commas(static_cast<long long>(unreported_)) +
                 " more problems, counted only");
  unreported_ = 0;
}

}  // namespace kgwalk::graph
