#include "cli/parsing/workspace.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "kgwalk/error.h"

namespace kgwalk::cli {
namespace {

namespace fs = std::filesystem;

// What a command is told of the workspace.
struct Supplied {
  const char *verb, *below, *option;
  fs::path Workspace::*path;
  bool must_exist;
};
constexpr Supplied kSupplied[] = {
    {"train", "", "--run", &Workspace::run, false},
    {"train", "", "--text", &Workspace::text, true},
    {"eval", "paths", "--run", &Workspace::run, false},
    {"eval", "questions", "--run", &Workspace::run, false},
    {"eval", "success", "--run", &Workspace::run, false},
    {"eval", "routes", "--run", &Workspace::run, false},
    {"pretrain-text", "", "--run", &Workspace::text, false},
    {"rl", "", "--run", &Workspace::run, false},
    {"rl", "", "--from", &Workspace::pretrained, false},
    {"rl", "", "--simulator", &Workspace::simulator, true},
    {"simulator", "train", "--run", &Workspace::simulator, false},
    {"simulator", "say", "--run", &Workspace::simulator, false},
    {"simulator", "eval", "--run", &Workspace::simulator, false},
    {"respond", "train", "--run", &Workspace::responder, false},
    {"respond", "eval", "--run", &Workspace::responder, false},
    {"respond", "say", "--run", &Workspace::responder, false},
};

bool is_given(const std::vector<std::string>& args, const std::string& option) {
  return std::any_of(args.begin(), args.end(), [&](const std::string& word) {
    return word == option || word.starts_with(option + "=");
  });
}

std::string value_given(const std::vector<std::string>& args, const std::string& option) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == option && i + 1 < args.size()) return args[i + 1];
    if (args[i].starts_with(option + "=")) return args[i].substr(option.size() + 1);
  }
  return {};
}

const CLI::App* verb_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* verb : app.get_subcommands(nullptr))
    if (verb->check_name(name)) return verb;
  return nullptr;
}

}  // namespace

std::optional<Workspace> find_workspace(const std::string& named) {
  const char* environment = std::getenv("KGWALK_WORKSPACE");
  std::string folder = named;
  if (folder.empty() && environment != nullptr) folder = environment;
  std::error_code ignored;
  if (!folder.empty() && !fs::exists(fs::path(folder) / kWorkspaceFile, ignored))
    throw ConfigError(folder + ": is no workspace (" + kWorkspaceFile +
                      " is missing); make one with `kgwalk init " + folder + "`");
  if (folder.empty()) {
    if (!fs::exists(kWorkspaceFile, ignored)) return std::nullopt;
    folder = ".";
  }
  return Workspace::read(folder);
}

std::vector<std::string> with_workspace(const CLI::App& app, std::vector<std::string> args) {
  const CLI::App* verb = args.empty() ? nullptr : verb_named(app, args[0]);
  if (verb == nullptr || is_given(args, "--help") || is_given(args, "-h")) return args;
  const std::optional<Workspace> workspace = find_workspace(value_given(args, "--workspace"));
  if (!workspace) return args;
  const CLI::App* below = args.size() > 1 ? verb_named(*verb, args[1]) : nullptr;
  const CLI::App* at = below != nullptr ? below : verb;
  const auto add = [&](const std::string& option, const fs::path& path) {
    if (is_given(args, option)) return;
    args.push_back(option);
    args.push_back(path.string());
  };
  const CLI::Option* database = at->get_option_no_throw("--db");
  // Ingestion needs one but where it writes a plan only.
  const bool needs_one = database != nullptr && (database->get_required() || verb->get_name() == "ingest");
  if (needs_one && std::getenv("KGWALK_DB") == nullptr) add("--db", workspace->database);
  std::error_code ignored;
  for (const Supplied& supplied : kSupplied) {
    const fs::path& path = (*workspace).*(supplied.path);
    if (verb->get_name() != supplied.verb || (below != nullptr ? below->get_name() : "") != supplied.below ||
        (supplied.must_exist && !fs::exists(path, ignored)))
      continue;
    add(supplied.option, path);
  }
  return args;
}

}  // namespace kgwalk::cli
