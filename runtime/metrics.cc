#include "runtime/metrics.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/files.h"

namespace kgwalk {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw IoError(path.string() + ": cannot append: " + std::strerror(error));
}

// Calls fn(line number, line) for each line that has its newline; returns the number of bytes of those lines.
template <class Fn>
std::size_t for_whole_lines(std::string_view text, Fn&& fn) {
  std::size_t begin = 0, number = 1;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1)
    fn(number++, text.substr(begin, end - begin));
  return begin;
}

}  // namespace

MetricsWriter::MetricsWriter(std::filesystem::path path) : path_(std::move(path)) {
  if (!std::filesystem::exists(path_)) return;
  const std::string text = read_file(path_);
  const std::size_t whole = for_whole_lines(text, [](std::size_t, std::string_view) {});
  if (whole != text.size() && ::truncate(path_.c_str(), static_cast<off_t>(whole)) != 0) fail(path_, errno);
}

void MetricsWriter::rewind(std::int64_t step) {
  if (!std::filesystem::exists(path_)) return;
  std::string kept;
  const std::string text = read_file(path_);
  for_whole_lines(text, [&](std::size_t, std::string_view line) {
    const Json row = Json::parse(line, nullptr, false);
    const auto found = row.is_object() ? row.find("step") : row.end();
    const bool later =
        row.is_object() && found != row.end() && found->is_number() && found->get<double>() > step;
    if (!later) kept.append(line).push_back('\n');
  });
  if (kept != text) write_file_atomically(path_, kept);
}

void MetricsWriter::write(const Json& row) {
  const std::string line = row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const int fd = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) fail(path_, errno);
  struct stat before {};
  ::fstat(fd, &before);
  const ssize_t written = ::write(fd, line.data(), line.size());
  const int error = written < 0 ? errno : ENOSPC;
  const bool whole = written == static_cast<ssize_t>(line.size());
  // Takes half a line back, so that the file stays whole lines.
  if (!whole && written > 0 && ::ftruncate(fd, before.st_size) != 0) errno = 0;
  ::close(fd);
  if (!whole) fail(path_, error);
}

std::vector<Json> read_metrics(const std::filesystem::path& path) {
  std::vector<Json> rows;
  if (!std::filesystem::exists(path)) return rows;
  const std::string text = read_file(path);
  for_whole_lines(text, [&](std::size_t number, std::string_view line) {
    Json row = Json::parse(line, nullptr, false);
    if (!row.is_object())
      throw FormatError(path.string() + ":" + std::to_string(number) +
                        ": no json object; remove the line or the file");
    rows.push_back(std::move(row));
  });
  return rows;
}

}  // namespace kgwalk
