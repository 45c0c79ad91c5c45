// A workspace: a folder whose file kgwalk.json says where database, text encoder and runs lie, so that
// commands need not be told (docs/reference/formats/model.md). Torch-free.
#pragma once

#include <filesystem>

namespace kgwalk {

inline constexpr const char* kWorkspaceFile = "kgwalk.json";

// Paths as they are to be used from where the program runs; in the file they are relative to it.
struct Workspace {
  std::filesystem::path folder = {};
  std::filesystem::path database = "kg.db";
  std::filesystem::path text = "runs/text";              // folder or run of the text encoder
  std::filesystem::path run = "runs/walker";             // of the walker that is used
  std::filesystem::path pretrained = "runs/pretrained";  // of stage 1, before stage 2
  std::filesystem::path simulator = "runs/simulator";
  std::filesystem::path responder = "runs/responder";

  // A new one, everything at its usual place below `folder`; nothing is written.
  [[nodiscard]] static Workspace in(const std::filesystem::path& folder);
  // ConfigError where `folder` is none, or its file is damaged.
  [[nodiscard]] static Workspace read(const std::filesystem::path& folder);
  // Writes `folder`/kgwalk.json with the paths of this, given from where the program runs.
  void write() const;
};

}  // namespace kgwalk
