#include "runtime/line_stream.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

constexpr std::size_t kRead = 1 << 16;
constexpr std::size_t kMaxLine = 1 << 24;
constexpr int kPatience_ms = 100;  // between looks at the flag: a signal may come just before poll() waits

[[noreturn]] void fail() { throw IoError(std::string("cannot read the input: ") + std::strerror(errno)); }

}  // namespace

bool LineStream::take(std::string& line) {
  const std::size_t end = buffer_.find('\n', searched_);
  if (end == std::string::npos && (!ended_ || begin_ == buffer_.size())) {
    searched_ = buffer_.size();
    if (searched_ - begin_ > kMaxLine)
      throw DataError("the input", lines_ + 1, "is longer than 16 MiB; is this text?");
    return false;
  }
  const std::size_t stop = std::min(end, buffer_.size());
  line = buffer_.substr(begin_, stop - begin_);
  begin_ = std::min(stop + 1, buffer_.size());
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (begin_ > kRead) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  searched_ = begin_;
  ++lines_;
  return true;
}

bool LineStream::fill(bool wait) {
  while (!ended_ && !stop_.requested()) {
    pollfd ready{fd_, POLLIN, 0};
    const int count = ::poll(&ready, 1, wait ? kPatience_ms : 0);
    if (count < 0 && errno != EINTR) fail();
    if (count <= 0) {
      if (!wait) return false;
      continue;
    }
    char bytes[kRead];
    const ssize_t size = ::read(fd_, bytes, sizeof bytes);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail();
    ended_ = size == 0;
    buffer_.append(bytes, static_cast<std::size_t>(size));
    return true;
  }
  return false;
}

std::optional<std::string> LineStream::next() {
  std::vector<std::string> lines = next(1);
  return lines.empty() ? std::nullopt : std::optional(std::move(lines.front()));
}

std::vector<std::string> LineStream::next(std::size_t most) {
  std::vector<std::string> lines;
  std::string line;
  while (lines.size() < most && !stop_.requested()) {
    if (take(line))
      lines.push_back(std::move(line));
    else if (!fill(lines.empty()))
      break;
  }
  return stop_.requested() ? std::vector<std::string>{} : lines;
}

}  // namespace kgwalk
