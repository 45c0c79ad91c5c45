// Runs a line of a shell and keeps what it said.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "runtime/files.h"
#include "tests/runtime/test_support.h"

namespace kgwalk::test {

struct ShellResult {
  int status = -1;
  std::string out, err;
};

inline ShellResult shell(const std::string& command) {
  const TempFolder folder;
  write_file_atomically(folder / "script", command);
  const std::string line = "bash " + (folder / "script").string() + " >" + (folder / "out").string() + " 2>" +
                           (folder / "err").string();
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder / "out"), read_file(folder / "err")};
}

}  // namespace kgwalk::test
