// A workspace: a folder whose file kgwalk.json says where database, text encoder and runs lie, so that
// commands need not be told. Used where the command line names another folder with --workspace, else
// KGWALK_WORKSPACE does, else where the folder that the program is called in is one.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kgwalk::cli {

inline constexpr const char* kWorkspaceFile = "kgwalk.json";

// Paths as they are to be used from where the program runs; in the file they are relative to it.
struct Workspace {
  std::filesystem::path folder;
  std::filesystem::path database = "kg.db";
  std::filesystem::path text = "runs/text";              // folder or run of the text encoder
  std::filesystem::path run = "runs/walker";             // of the walker that is used
  std::filesystem::path pretrained = "runs/pretrained";  // of stage 1, before stage 2
  std::filesystem::path simulator = "runs/simulator";
  std::filesystem::path responder = "runs/responder";

  // nullopt where there is none and none was named. ConfigError when the named one is none, or its file is
  // damaged.
  [[nodiscard]] static std::optional<Workspace> find(const std::string& named);
  // Writes `folder`/kgwalk.json with the paths of this, given from where the program runs.
  void write() const;
};

// The command line with what the workspace knows added to it, where neither the command line nor the
// environment (KGWALK_DB) says it: the database of every command that needs one, and the runs that trainings
// and evaluations write and read.
[[nodiscard]] std::vector<std::string> with_workspace(const CLI::App& app, std::vector<std::string> args);

}  // namespace kgwalk::cli
