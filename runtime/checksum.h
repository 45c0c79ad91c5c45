// 128-bit content checksums (XXH3) as 32 hexadecimal digits: of files, weights, graphs. Not cryptographic.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace kgwalk {

class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(Checksum&&) noexcept;
  Checksum& operator=(Checksum&&) noexcept;
  void add(std::string_view bytes);
  [[nodiscard]] std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] std::string checksum_of(std::string_view bytes);
[[nodiscard]] std::string checksum_of_file(const std::filesystem::path& path);

}  // namespace kgwalk
