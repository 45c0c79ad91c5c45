// The program: finds the verb, parses, runs it, and turns errors into one line and an exit status.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <thread>

#include "cli/frame/command.h"
#include "cli/frame/device_choice.h"
#include "cli/frame/print.h"
#include "cli/frame/remedy.h"
#include "cli/parsing/description.h"
#include "cli/parsing/parse.h"
#include "cli/program/manual.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/launch.h"
#include "runtime/memory.h"
#include "runtime/shell.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/tensorboard.h"

namespace kgwalk::cli {
namespace {

constexpr int kInterrupted = 130;

// The training loop writes event files where there is a folder for them.
void make_tensorboard_folder(const CLI::App& app) {
  for (const CLI::App* at = &app; at != nullptr;) {
    if (const CLI::Option* run = at->get_option_no_throw("--run"); run != nullptr && run->count() > 0) {
      std::filesystem::create_directories(std::filesystem::path(run->as<std::string>()) / kTensorboardFolder);
      return;
    }
    const std::vector<CLI::App*> parsed = at->get_subcommands();
    at = parsed.empty() ? nullptr : parsed.front();
  }
  throw CLI::ValidationError("--tensorboard", "is for trainings, which have a --run");
}

void add_common_options(CLI::App& app, const Command& command, Common& common) {
  const char* group = "Options of every command";
  app.add_option("--config", common.config_files,
                 "configuration file (json with comments); repeatable, later wins")
      ->group(group);
  // One value an option, so that positionals of a verb are not swallowed.
  app.get_option("--config")->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--set", common.assignments, "one configuration value, e.g. --set adam.lr=0.001; repeatable")
      ->group(group)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--seed", common.seed, "seed of every random choice")->group(group)->capture_default_str();
  app.add_option("--threads", common.threads, "threads; 0 = all processors")
      ->group(group)
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--device", common.device, "what networks compute on: cpu, cuda or cuda:N")
      ->group(group)
      ->capture_default_str();
  app.add_option("--json", common.json_out, "write the result as json to this file; - is standard output")
      ->group(group);
  app.add_option("--workspace", common.workspace,
                 "folder of 'kgwalk init', which says where database and runs lie (this folder unless given)")
      ->group(group);
  if (command.trains)
    app.add_flag("--tensorboard", common.tensorboard,
                 "write the metrics of a training as TensorBoard's event files too, into RUN/tensorboard")
        ->group(group);
  app.add_flag("--quiet", common.quiet, "print results and warnings only")->group(group);
  app.add_flag("--no-progress", common.no_progress, "no progress lines")->group(group);
}

int fail(std::string message) {
  complain(std::move(message));
  return kFailed;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Processes that train together on one machine share its processors, unless the user says otherwise.
int threads_of(const Common& common) {
  if (common.threads > 0 || launch().local_size == 1) return common.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / launch().local_size);
}

int run(const Verb& verb, Common& common) {
  const SignalGuard signals;
  const std::unique_ptr<Reporter> reporter =
      make_console_reporter({.quiet = common.quiet, .progress = !common.no_progress});
  common.reporter = reporter.get();
  common.stop = &signals.stop();
  try {
    keep_freed_memory();
    set_torch_threads(threads_of(common));
    seed_torch(common.seed);
    verb();
    // What was printed may still be in the buffer; an earlier flush that failed is remembered by ferror.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw IoError("standard output: could not be written, the result is incomplete; is the disk full?");
    return 0;
  } catch (const Interrupted& stopped) {
    std::fprintf(stderr, "kgwalk: %s\nresume with: %s\n", stopped.what(), shell_command(common.argv).c_str());
    return kInterrupted;
  } catch (const Stopped& stopped) {
    fail(told_with_remedies(stopped));
    return kInterrupted;
  } catch (const CLI::Error& error) {  // what only a verb can check
    fail(error.what());
    return kUsage;
  } catch (const Error& error) {
    return fail(told_with_remedies(error));
  } catch (const std::bad_alloc&) {
    return fail("out of memory; use fewer threads, a smaller batch or a smaller model");
  } catch (const std::exception& error) {
    // Libraries below put stack traces behind the first line.
    return fail("internal error: " + first_line(error.what()));
  }
}

// All verbs with their options.
std::vector<Verb> add_verbs(CLI::App& app, const std::vector<Command>& all, Common& common) {
  std::vector<Verb> verbs;
  app.require_subcommand(1);
  for (const Command& command : all) {
    CLI::App* sub = app.add_subcommand(command.name, command.help);
    sub->group(heading_of(command.group));
    verbs.push_back(command.add(*sub, common));
    add_common_options(*sub, command, common);
    sub->fallthrough();  // of a verb's own verbs to these options
    sub->footer("Example:\n  kgwalk " + std::string(command.name) + " " + command.example);
  }
  return verbs;
}

// The source of the front's description (cli/front).
int describe_to(const char* file, const CLI::App& app) {
  const std::string text = describe_app(app).dump();
  std::string source =
      "#include <string_view>\nnamespace kgwalk::cli {\nextern const std::string_view kCommandLine;\n"
      "const std::string_view kCommandLine =\n";
  constexpr std::size_t kPiece = 8192;  // compilers limit the length of one literal
  for (std::size_t i = 0; i < text.size(); i += kPiece)
    source += "R\"json(" + text.substr(i, kPiece) + ")json\"\n";
  write_file_atomically(file, source + ";\n}\n");
  return 0;
}

// What is installed beside the program: pages of the manual, completions.
int write_manual_to(const char* folder, const CLI::App& app) {
  write_manual(folder, describe_app(app), KGWALK_VERSION);
  return 0;
}

int run_verb(const Command& command, const CLI::App& sub, const Verb& verb, Common& common) {
  common.seed_given = sub.count("--seed") > 0;
  try {
    // Of processes that train together the first one tells what came of it.
    if (command.trains && launch().rank > 0) {
      common.quiet = true;
      common.json_out.clear();
      printed_to() = nullptr;
    }
  } catch (const ConfigError& error) {
    return fail(error.what());
  }
  if (common.json_out == "-") printed_to() = nullptr;
  return run(
      [&] {
        choose_device(command, common);
        if (common.tensorboard) make_tensorboard_folder(sub);
        verb();
      },
      common);
}

int main_of(int argc, char** argv) {
  CLI::App app;
  begin(app);
  Common common;
  common.argv.assign(argv, argv + argc);
  const std::vector<Command> all = commands();
  const std::vector<Verb> verbs = add_verbs(app, all, common);
  if (argc == 3 && std::string_view(argv[1]) == "--describe") return describe_to(argv[2], app);
  if (argc == 3 && std::string_view(argv[1]) == "--manual") return write_manual_to(argv[2], app);
  std::string told;
  if (const auto status = parse(app, argc, argv, told)) return *status;
  if (!told.empty() && !common.quiet) complain(told);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const CLI::App* sub = app.get_subcommand(all[i].name); sub->parsed())
      return run_verb(all[i], *sub, verbs[i], common);
  return kUsage;
}

}  // namespace
}  // namespace kgwalk::cli

int main(int argc, char** argv) { return kgwalk::cli::main_of(argc, argv); }
