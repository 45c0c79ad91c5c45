// What users call `kgwalk`: shows help and versions, refuses wrong use, and only then becomes the program
// itself, which takes half a second to load for the libraries below LibTorch. Its command line is made of the
// description that the program gives of itself when it is built, and what must stand in the environment
// before OpenMP and OpenBLAS are loaded is set here.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/about/versions.h"
#include "cli/parsing/description.h"
#include "cli/parsing/parse.h"
#include "runtime/processor_levels.h"

namespace kgwalk::cli {

extern const std::string_view kCommandLine;  // made by `kgwalk-program --describe`

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "kgwalk-program";

// Beside this file where it was built, else where it was installed; links to it are followed. Packages hold
// it more than once, for any processor and in folders for those that can do more.
fs::path program() {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path beside = here / kProgram;
  if (fs::exists(beside, ignored)) return beside;
  const fs::path installed = here / KGWALK_LIBEXEC;
  for (const char* level : processor_levels())
    if (fs::path better = installed / level / kProgram; fs::exists(better, ignored)) return better;
  return installed / kProgram;
}

// How often a thread of OpenMP looks for work before it sleeps. libgomp's own 300,000 keep a processor for
// milliseconds, in which a program beside, or a thread of ours, waits. It reads this when it is loaded, so it
// must be set before the program begins.
void let_idle_threads_sleep() {
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) ::setenv("GOMP_SPINCOUNT", "10000", /*overwrite=*/0);
}

int become_program(char** argv) {
  const fs::path path = program();
  let_idle_threads_sleep();
  choose_blas_kernels();
  ::execv(path.c_str(), argv);
  complain(path.string() + ": cannot be run (" + std::strerror(errno) +
           "); kgwalk consists of two files, install both");
  return kFailed;
}

int main_of(int argc, char** argv) {
  CLI::App app;
  begin(app);
  add_described(app, Json::parse(kCommandLine));
  std::string told;
  std::optional<int> status = parse(app, argc, argv, told);
  if (!status && argc == 2 && std::string_view(argv[1]) == "version") {
    print_versions();
    status = 0;
  }
  if (!status) return become_program(argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return *status;
  complain("standard output: could not be written, the result is incomplete; is the disk full?");
  return kFailed;
}

}  // namespace
}  // namespace kgwalk::cli

int main(int argc, char** argv) { return kgwalk::cli::main_of(argc, argv); }
