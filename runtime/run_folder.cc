#include "runtime/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/files.h"

namespace kgwalk {
namespace fs = std::filesystem;
namespace {

constexpr int kRunVersion = 1;
constexpr std::string_view kFormat = "kgwalk-run";

std::string command_of(const std::string& kind) {
  if (kind == "walker") return "kgwalk train";
  if (kind == "text") return "kgwalk pretrain-text";
  if (kind == "agent") return "kgwalk rl";
  if (kind == "simulator") return "kgwalk simulator train";
  if (kind.starts_with("task")) return "kgwalk task";
  return "kgwalk";
}

int open_and_lock(const fs::path& file, int flags, bool wait) {
  const int fd = ::open(file.c_str(), flags | O_CLOEXEC, 0666);
  if (fd < 0) throw IoError(file.string() + ": cannot open: " + std::strerror(errno));
  while (::flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB)) != 0) {
    const int error = errno;
    if (error == EINTR) continue;
    ::close(fd);
    if (error == EWOULDBLOCK) return -1;
    throw IoError(file.string() + ": cannot lock: " + std::strerror(error));
  }
  return fd;
}

void check_kind(const fs::path& path, std::string_view kind) {
  const std::string file = (path / "run.json").string();
  const Json json = read_json_file(file);
  if (!json.is_object() || json.value("format", "") != kFormat)
    throw FormatError(file + ": does not describe a run of kgwalk");
  const int version = json.value("version", 0);
  if (version != kRunVersion)
    throw FormatError(file + ": is of version " + std::to_string(version) + ", this program reads " +
                      std::to_string(kRunVersion) + "; train the run again with this program");
  const std::string found = json.value("kind", "");
  if (found != kind)
    throw FormatError(path.string() + ": is a run of kind '" + found + "', made by `" + command_of(found) +
                      "`; expected one of kind '" + std::string(kind) + "', made by `" +
                      command_of(std::string(kind)) + "`");
}

bool holds_nothing_but_lock(const fs::path& path) {
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename();
    if (name != "lock" && !name.ends_with(".partial")) return false;
  }
  return true;
}

}  // namespace

RunFolder::RunFolder(fs::path path, int lock_fd) : path_(std::move(path)), lock_fd_(lock_fd) {}
RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_fd_(std::exchange(other.lock_fd_, -1)) {}
RunFolder& RunFolder::operator=(RunFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_fd_, other.lock_fd_);
  return *this;
}
RunFolder::~RunFolder() {
  if (lock_fd_ >= 0) ::close(lock_fd_);
}

RunFolder RunFolder::create(const fs::path& path, std::string_view kind) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw IoError(path.string() + ": cannot create the run folder: " + error.message());
  const bool described = fs::exists(path / "run.json");
  if (!described && !holds_nothing_but_lock(path))
    throw FormatError(path.string() + ": holds other files and no run.json; give a new or empty folder");
  if (described) check_kind(path, kind);
  const int fd = open_and_lock(path / "lock", O_RDWR | O_CREAT, /*wait=*/false);
  if (fd < 0)
    throw StoreError(path.string() +
                     ": another process is writing this run; wait for it or give another folder");
  RunFolder folder(path, fd);
  if (!fs::exists(path / "run.json")) {
    const Json json = {{"format", kFormat}, {"version", kRunVersion}, {"kind", kind}};
    write_file_atomically(path / "run.json", json.dump(2) + "\n");
  }
  check_kind(path, kind);
  fs::create_directories(path / "checkpoints", error);
  if (error) throw IoError((path / "checkpoints").string() + ": cannot create: " + error.message());
  for (const char* name : {"best", "last"}) recover_folder(folder.checkpoint(name));
  return folder;
}

std::string RunFolder::kind_of(const fs::path& path) {
  const fs::path file = path / "run.json";
  if (!fs::exists(file)) return "";
  const Json json = read_json_file(file.string());
  return json.is_object() ? json.value("kind", "") : "";
}

RunFolder RunFolder::open(const fs::path& path, std::string_view kind) {
  if (!fs::exists(path / "run.json"))
    throw FormatError(path.string() + ": is no run folder (run.json is missing); `" +
                      command_of(std::string(kind)) + "` makes one");
  check_kind(path, kind);
  return {path, -1};
}

fs::path RunFolder::checkpoint(std::string_view name) const { return path_ / "checkpoints" / name; }

bool RunFolder::has_checkpoint(std::string_view name) const {
  return fs::exists(checkpoint(name) / "state.json");
}

MetricsWriter RunFolder::metrics() const { return MetricsWriter(path_ / "metrics.jsonl"); }

std::vector<Json> RunFolder::read_metrics() const { return kgwalk::read_metrics(path_ / "metrics.jsonl"); }

void RunFolder::write_config(const Json& config) const {
  write_file_atomically(path_ / "config.json", config.dump(2) + "\n");
}

Json RunFolder::read_config() const { return read_json_file((path_ / "config.json").string()); }

void RunFolder::write_result(std::string_view key, const Json& value) const {
  // Evaluations may run beside a training: the folder's own lock keeps their results from
  // overwriting each other.
  const int fd = open_and_lock(path_, O_RDONLY | O_DIRECTORY, /*wait=*/true);
  const std::unique_ptr<const int, void (*)(const int*)> unlock(&fd, [](const int* f) { ::close(*f); });
  const fs::path file = path_ / "results.json";
  Json results = fs::exists(file) ? read_json_file(file.string()) : Json::object();
  results[std::string(key)] = value;
  write_file_atomically(file, results.dump(2) + "\n");
}

void RunFolder::write_plot(std::string_view name, std::string_view svg) const {
  std::error_code error;
  fs::create_directories(path_ / "plots", error);
  if (error) throw IoError((path_ / "plots").string() + ": cannot create: " + error.message());
  replace_file(path_ / "plots" / (std::string(name) + ".svg"), svg);
}

}  // namespace kgwalk
