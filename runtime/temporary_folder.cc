#include "runtime/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "kgwalk/error.h"

namespace kgwalk {

TemporaryFolder::TemporaryFolder() {
  std::error_code failed;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(failed);
  if (failed)
    throw IoError("there is no folder for temporary files (" + failed.message() + "); TMPDIR names one");
  std::string name = (parent / "kgwalk.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw IoError(name + ": cannot make a temporary folder (" + std::strerror(errno) +
                  "); TMPDIR names another place for it");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace kgwalk
