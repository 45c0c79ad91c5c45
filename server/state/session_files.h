// Conversations on disk, a file each: what was answered is there after a kill or a power failure, and several
// servers may share the folder. The form is told in docs/reference/formats/server.md.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kgwalk/json.h"

namespace kgwalk::server {

// 32 hexadecimal digits: nobody guesses one.
[[nodiscard]] std::string new_session_id();
[[nodiscard]] bool is_session_id(std::string_view id);

class SessionFiles {
 public:
  // Makes the folder; IoError when it cannot be written.
  explicit SessionFiles(std::filesystem::path folder);

  // Holds others off this session while it lives, in all processes; waits for them.
  class Lock {
   public:
    explicit Lock(const std::filesystem::path& file);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    int descriptor_;
  };
  [[nodiscard]] std::unique_ptr<Lock> lock(const std::string& id) const;

  // Differs after every write of the file, whoever wrote it; nullopt when there is none.
  struct Stamp {
    std::uint64_t inode = 0;
    std::int64_t modified_ns = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  [[nodiscard]] std::optional<Stamp> stamp(const std::string& id) const;

  // FormatError when the file is damaged or of another version.
  [[nodiscard]] Json read(const std::string& id) const;
  void write(const std::string& id, Json record) const;
  void remove(const std::string& id) const;

 private:
  [[nodiscard]] std::filesystem::path file(const std::string& id, const char* ending) const;
  std::filesystem::path folder_;
};

}  // namespace kgwalk::server
