#include "server/state/session_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/files.h"

namespace kgwalk::server {
namespace {

constexpr const char* kMagic = "kgwalk session";
constexpr int kVersion = 1;

}  // namespace

std::string new_session_id() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

bool is_session_id(std::string_view id) {
  return id.size() == 32 && id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

SessionFiles::SessionFiles(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error || ::access(folder_.c_str(), W_OK) != 0)
    throw IoError(folder_.string() + ": the folder of the conversations cannot be written");
}

std::filesystem::path SessionFiles::file(const std::string& id, const char* ending) const {
  return folder_ / (id + ending);
}

SessionFiles::Lock::Lock(const std::filesystem::path& file)
    : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (descriptor_ < 0) throw IoError(file.string() + ": " + std::strerror(errno));
  while (::flock(descriptor_, LOCK_EX) != 0)
    if (errno != EINTR) {
      const std::string why = std::strerror(errno);
      ::close(descriptor_);
      throw IoError(file.string() + ": " + why);
    }
}

SessionFiles::Lock::~Lock() { ::close(descriptor_); }

std::unique_ptr<SessionFiles::Lock> SessionFiles::lock(const std::string& id) const {
  return std::make_unique<Lock>(file(id, ".lock"));
}

std::optional<SessionFiles::Stamp> SessionFiles::stamp(const std::string& id) const {
  struct stat status {};
  if (::stat(file(id, ".json").c_str(), &status) != 0) return std::nullopt;
  return Stamp{status.st_ino, status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec};
}

Json SessionFiles::read(const std::string& id) const {
  const std::filesystem::path path = file(id, ".json");
  Json json = Json::parse(read_file(path), nullptr, false);
  const auto broken = [&](const char* why) { return FormatError(path.string() + ": " + why); };
  if (!json.is_object() || json.value("format", "") != kMagic) throw broken("this is no conversation");
  if (json.value("version", 0) != kVersion) throw broken("the conversation is of another version");
  if (json.value("checksum", "") != checksum_of(json["session"].dump()))
    throw broken("the conversation is damaged");
  return std::move(json["session"]);
}

void SessionFiles::write(const std::string& id, Json record) const {
  const std::string checksum = checksum_of(record.dump());
  const Json json = {
      {"format", kMagic}, {"version", kVersion}, {"checksum", checksum}, {"session", std::move(record)}};
  write_file_atomically(file(id, ".json"), json.dump() + "\n");
}

void SessionFiles::remove(const std::string& id) const {
  std::error_code ignored;
  std::filesystem::remove(file(id, ".json"), ignored);
  std::filesystem::remove(file(id, ".lock"), ignored);
}

}  // namespace kgwalk::server
