#include "cli/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/error.h"

namespace kgwalk::cli {
namespace {

constexpr std::size_t kMaxLine = 1 << 20;
constexpr int kPatience_ms = 100;  // between looks at the flag: a signal may come just before poll() waits

[[noreturn]] void fail() { throw Error(std::string("standard input: ") + std::strerror(errno)); }

}  // namespace

std::optional<std::string> LineReader::next() {
  while (!stop_.requested()) {
    if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    if (ended_) return buffer_.empty() ? std::nullopt : std::optional(std::exchange(buffer_, {}));
    if (buffer_.size() > kMaxLine) throw Error("standard input: a line is longer than 1 MiB");
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&input, 1, kPatience_ms);
    if (ready < 0 && errno != EINTR) fail();
    if (ready <= 0) continue;
    std::array<char, 4096> bytes;
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) fail();
    if (count > 0) buffer_.append(bytes.data(), static_cast<std::size_t>(count));
    ended_ = count == 0;
  }
  return std::nullopt;
}

bool LineReader::somebody_types() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1; }

}  // namespace kgwalk::cli
