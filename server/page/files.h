// The page's files as the build has compiled them in (server/page/CMakeLists.txt).
#pragma once

#include <span>
#include <string_view>

namespace kgwalk::server {

struct PageFile {
  std::string_view name;
  std::string_view text;
};

[[nodiscard]] std::span<const PageFile> page_files();

}  // namespace kgwalk::server
