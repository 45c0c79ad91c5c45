// A verb of the program. Each is one file that registers itself, with all that the program has to know of it:
// adding a verb means adding this file. Verbs are thin: they parse, call the library and print.
//
//   Verb add_stats(CLI::App& app, Common& common);   // options, and what runs after parsing
//   const Registration kStatsCommand({.name = "stats", .help = "counts of the graph", .add = add_stats,
//                                     .group = Group::kGraph, .place = 2});
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/configurable.h"
#include "kgwalk/progress.h"
#include "kgwalk/settings.h"
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
  std::string json_out;   // a file, or - for standard output, which then holds nothing else
  std::string workspace;  // as given with --workspace (cli/parsing/workspace.h)
  bool tensorboard = false;
  bool quiet = false;
  bool no_progress = false;
  std::vector<std::string> argv;  // the whole command line, for the command that resumes

  Reporter* reporter = nullptr;    // never null in run()
  const StopFlag* stop = nullptr;  // never null in run()

  // What --config and --set say, over a preset.
  [[nodiscard]] Settings settings(std::string preset = "") const;
  // The seed where the command line gives one.
  [[nodiscard]] std::optional<std::uint64_t> given_seed() const;
  // Prints the report, and writes its json to --json OUT when given.
  void tell(const Report& report) const;
  // Writes to --json OUT when given.
  void write_json(const Json& result) const;
};

// A verb adds its options to `app` and returns what runs after parsing. Exit status: 0 ok, 1 failed
// (exception), 2 usage.
using Verb = std::function<void()>;
using Register = Verb (*)(CLI::App& app, Common& common);

// Where a verb stands in the list of commands, and what --device means to it.
enum class Group { kBegin, kGraph, kTrain, kUse, kOther };
enum class Computes { kNothing, kEmbeddings, kNetworks };

struct Command {
  const char* name;
  const char* help;
  const char* example = "";  // arguments behind `kgwalk NAME`, shown by --help
  Register add;
  Group group;
  int place;  // within its group
  Computes computes = Computes::kNothing;
  bool trains = false;                 // through the one training loop, with metrics for TensorBoard
  Configurables configures = nullptr;  // what of it --config and --set reach
};

// Registers a verb before main() begins.
class Registration {
 public:
  explicit Registration(const Command& command);
};

// All verbs, by group and place.
[[nodiscard]] std::vector<Command> commands();
// ConfigError where there is none of this name.
[[nodiscard]] const Command& command_named(std::string_view name);
[[nodiscard]] const char* heading_of(Group group);

// An option that names a file to write: what could not be written when the work is done is refused
// before it begins.
[[nodiscard]] CLI::Validator output_file();
[[nodiscard]] CLI::Validator input_file();

}  // namespace kgwalk::cli
