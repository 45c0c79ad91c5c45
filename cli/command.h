// One verb of the program: a file each, registered in cli/main.cc. Verbs are thin: parse, call
// the library, print.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "runtime/config.h"

namespace kgwalk::cli {

// Options every verb has: --config F (repeatable), --set a.b=c, --seed, --threads, --device, --json OUT,
// --quiet, --no-progress. Parsed before run() is called; threads, seed and device are already applied.
struct Common {
  std::vector<std::string> config_files;
  std::vector<std::string> assignments;
  std::uint64_t seed = 1;
  bool seed_given = false;
  int threads = 0;
  std::string device = "cpu";
  std::string json_out;
  std::string workspace;  // as given with --workspace (cli/workspace.h)
  bool tensorboard = false;
  bool quiet = false;
  bool no_progress = false;
  std::vector<std::string> argv;  // the whole command line, for the command that resumes

  Reporter* reporter = nullptr;    // never null in run()
  const StopFlag* stop = nullptr;  // never null in run()

  // Writes to --json OUT when given.
  void write_json(const Json& result) const;
};

// A verb adds its options to `app` and returns what runs after parsing. Exit status: 0 ok, 1 failed
// (exception), 2 usage.
using Verb = std::function<void()>;
using Register = Verb (*)(CLI::App& app, Common& common);

struct Command {
  const char* name;
  const char* help;
  const char* example;  // arguments behind `kgwalk NAME`, shown by --help
  Register add;
  const char* group;  // heading that it stands below in the list of commands
};

// Of an option that names a file to write: what could not be written when the work is done is refused
// before it begins.
[[nodiscard]] CLI::Validator output_file();

}  // namespace kgwalk::cli
