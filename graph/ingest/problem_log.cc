#include "graph/ingest/problem_log.h"

#include <utility>

#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

Json counts_of(const std::map<Reason, std::uint64_t>& by_reason) {
  Json json = Json::object();
  for (const auto& [reason, count] : by_reason) json[std::string(reason_name(reason))] = count;
  return json;
}

}  // namespace

std::string_view reason_name(Reason reason) noexcept {
  switch (reason) {
    case Reason::kFieldCount:
      return "field_count";
    case Reason::kInvalidUtf8:
      return "invalid_utf8";
    case Reason::kNulByte:
      return "nul_byte";
    case Reason::kEmptyName:
      return "empty_name";
    case Reason::kLongLine:
      return "long_line";
    case Reason::kQuotes:
      return "quotes";
    case Reason::kJson:
      return "json";
    case Reason::kMessage:
      return "message";
    case Reason::kPathShape:
      return "path_shape";
    case Reason::kUnknownTriple:
      return "unknown_triple";
    case Reason::kBrokenChain:
      return "broken_chain";
    case Reason::kCrLf:
      return "crlf";
    case Reason::kByteOrderMark:
      return "byte_order_mark";
    case Reason::kNoFinalNewline:
      return "no_final_newline";
  }
  return "?";
}

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

void ProblemLog::report(std::size_t line, std::string_view why) {
  if (reported_.size() >= max_reported_) {
    ++unreported_;
    return;
  }
  reported_.push_back(DataError(file_, line, why).what());
  reporter_.warn(reported_.back());
}

Json ProblemLog::skipped_by_reason() const { return counts_of(skipped_by_); }
Json ProblemLog::repaired_by_reason() const { return counts_of(repaired_by_); }

void ProblemLog::finish() {
  if (unreported_ == 0) return;
  reporter_.warn(file_ + ": " + with_commas(static_cast<long long>(unreported_)) +
                 " more problems, counted only");
  unreported_ = 0;
}

}  // namespace kgwalk::graph
