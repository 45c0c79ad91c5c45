#include "runtime/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/launch.h"
#include "runtime/temporary_folder.h"
#include "runtime/tensorboard.h"

namespace kgwalk {
namespace fs = std::filesystem;
namespace {

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

bool holds_nothing_but_lock(const fs::path& path) {
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename();
    if (name != "lock" && name != kTensorboardFolder && !name.ends_with(".partial")) return false;
  }
  return true;
}

}  // namespace

RunFolder::RunFolder(fs::path path, RunManifest manifest, int lock_fd)
    : path_(std::move(path)), manifest_(std::move(manifest)), lock_fd_(lock_fd) {}
RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)),
      manifest_(std::move(other.manifest_)),
      lock_fd_(std::exchange(other.lock_fd_, -1)),
      kind_(other.kind_),
      own_(std::move(other.own_)) {}
RunFolder& RunFolder::operator=(RunFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(manifest_, other.manifest_);
  std::swap(lock_fd_, other.lock_fd_);
  std::swap(kind_, other.kind_);
  std::swap(own_, other.own_);
  return *this;
}
RunFolder::~RunFolder() {
  if (lock_fd_ >= 0) ::close(lock_fd_);
}

bool RunFolder::is_run(const fs::path& path) { return fs::exists(path / "run.json"); }

RunFolder RunFolder::create(const fs::path& path, const RunKind& kind) {
  if (!kind.one_process && launch().rank > 0) {
    auto own = std::make_shared<const TemporaryFolder>();
    RunFolder folder = create_here(own->path() / "run", kind);
    folder.own_ = std::move(own);
    return folder;
  }
  return create_here(path, kind);
}

RunFolder RunFolder::create_here(const fs::path& path, const RunKind& kind) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw IoError(path.string() + ": cannot create the run folder: " + error.message());
  if (is_run(path))  // refused before anything is written
    (void)RunManifest::read(path, {&kind, 1});
  else if (!holds_nothing_but_lock(path))
    throw FormatError(path.string() + ": holds other files and no run.json; give a new or empty folder");
  RunFolder folder(path, {}, open_and_lock(path / "lock", O_RDWR | O_CREAT, /*wait=*/false));
  if (folder.lock_fd_ < 0)
    throw StoreError(path.string() +
                     ": another process is writing this run; wait for it or give another folder");
  folder.kind_ = kind;
  if (!is_run(path)) RunManifest(kind).write_kind(path);
  folder.manifest_ = RunManifest::read(path, {&kind, 1});
  fs::create_directories(path / "checkpoints", error);
  if (error) throw IoError((path / "checkpoints").string() + ": cannot create: " + error.message());
  for (const char* name : {"best", "last"}) recover_folder(folder.checkpoint(name));
  return folder;
}

RunFolder RunFolder::open(const fs::path& path, std::span<const RunKind> kinds) {
  return {path, RunManifest::read(path, kinds), -1};
}

fs::path RunFolder::checkpoint(std::string_view name) const { return path_ / "checkpoints" / name; }

bool RunFolder::has_checkpoint(std::string_view name) const {
  return fs::exists(checkpoint(name) / "state.json");
}

fs::path RunFolder::need_checkpoint(std::string_view name) const {
  if (!has_checkpoint(name))
    throw FormatError(path_.string() + ": there is no checkpoint '" + std::string(name) + "'",
                      Remedy{Remedy::kTrain, manifest_.command});
  return checkpoint(name);
}

MetricsWriter RunFolder::metrics() const { return MetricsWriter(path_ / "metrics.jsonl"); }

std::vector<Json> RunFolder::read_metrics() const { return kgwalk::read_metrics(path_ / "metrics.jsonl"); }

void RunFolder::write_manifest(RunManifest manifest) {
  manifest.write_config(path_);
  manifest_ = std::move(manifest);
}

void RunFolder::read_manifest() { manifest_ = RunManifest::read(path_, {&kind_, 1}); }

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
