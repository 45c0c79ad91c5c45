// How a verb prints its result: always through print(), to standard output. What is told on the way goes
// through the reporter to standard error, which --quiet and --no-progress silence; --json gets the result
// through Common::write_json().
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/text.h"

namespace kgwalk::cli {

// Where results for people go: nowhere with `--json -`, where standard output is a program's.
inline std::FILE*& printed_to() {
  static std::FILE* stream = stdout;
  return stream;
}

// Nothing is thrown when the disk is full: main looks at the stream once, at the end.
inline void print_text(std::string_view text) {
  if (printed_to() != nullptr) std::fwrite(text.data(), 1, text.size(), printed_to());
}
inline void print_json_text(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  print_text(fmt::format(format, std::forward<Args>(args)...));
}

// 1234567 as "1,234,567".
inline std::string counted(std::uint64_t count) { return with_commas(static_cast<long long>(count)); }

// For what must be seen now: a prompt, the step that begins.
inline void flush_printed() { std::fflush(stdout); }

}  // namespace kgwalk::cli
