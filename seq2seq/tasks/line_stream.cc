#include "seq2seq/tasks/line_stream.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/error.h"

namespace kgwalk::seq2seq {

bool LineStream::take(std::string& line) {
  const std::size_t end = buffer_.find('\n', begin_);
  if (end == std::string::npos && (!ended_ || begin_ == buffer_.size())) return false;
  const std::size_t stop = std::min(end, buffer_.size());
  line = buffer_.substr(begin_, stop - begin_);
  begin_ = std::min(stop + 1, buffer_.size());
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (begin_ > (1u << 16)) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  return true;
}

bool LineStream::fill(bool wait) {
  if (ended_) return false;
  pollfd ready{fd_, POLLIN, 0};
  if (!wait && ::poll(&ready, 1, 0) <= 0) return false;
  char bytes[1 << 16];
  ssize_t count = 0;
  do count = ::read(fd_, bytes, sizeof bytes);
  while (count < 0 && errno == EINTR);
  if (count < 0) throw IoError(std::string("cannot read the input: ") + std::strerror(errno));
  if (count == 0) ended_ = true;
  buffer_.append(bytes, static_cast<std::size_t>(count));
  return true;
}

std::vector<std::string> LineStream::next(std::size_t most) {
  std::vector<std::string> lines;
  std::string line;
  while (lines.size() < most) {
    if (take(line))
      lines.push_back(std::move(line));
    else if (!fill(lines.empty()))
      break;
  }
  return lines;
}

}  // namespace kgwalk::seq2seq
