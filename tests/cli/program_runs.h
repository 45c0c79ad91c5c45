// Runs the built kgwalk, as its user does.
#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "runtime/files.h"
#include "tests/runtime/test_support.h"

namespace kgwalk::test {

struct Result {
  int status = -1;
  std::string out, err;
};

// Runs `kgwalk ARGUMENTS` in bash.
inline Result run(const std::string& arguments) {
  const TempFolder folder;
  write_file_atomically(folder / "script", std::string(KGWALK_PROGRAM) + " " + arguments + "\n");
  const std::string command = "bash " + (folder / "script").string() + " >" + (folder / "out").string() +
                              " 2>" + (folder / "err").string();
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder / "out"), read_file(folder / "err")};
}

inline bool is_one_line(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n') == 1 && text.back() == '\n';
}

}  // namespace kgwalk::test
