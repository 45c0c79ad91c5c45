#include "workflows/workspace.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "kgwalk/error.h"
#include "runtime/config.h"
#include "runtime/files.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWorkspaceFormat = "kgwalk-workspace";
constexpr int kWorkspaceVersion = 1;

struct Entry {
  const char* key;
  fs::path Workspace::*path;
};
constexpr Entry kEntries[] = {{"database", &Workspace::database},
                              {"text", &Workspace::text},
                              {"run", &Workspace::run},
                              {"pretrained", &Workspace::pretrained},
                              {"simulator", &Workspace::simulator},
                              {"responder", &Workspace::responder}};

}  // namespace

Workspace Workspace::in(const fs::path& folder) {
  Workspace workspace;
  workspace.folder = folder;
  for (const Entry& entry : kEntries) workspace.*(entry.path) = folder / workspace.*(entry.path);
  return workspace;
}

Workspace Workspace::read(const fs::path& folder) {
  const fs::path file = folder / kWorkspaceFile;
  const Json json = read_json_file(file.string());
  if (!json.is_object() || json.value("format", Json()) != Json(kWorkspaceFormat) ||
      json.value("version", Json()) != Json(kWorkspaceVersion))
    throw ConfigError(file.string() + ": does not describe a workspace of kgwalk, version " +
                      std::to_string(kWorkspaceVersion));
  Workspace workspace;
  workspace.folder = folder;
  for (const auto& [key, value] : json.items()) {
    if (key == "format" || key == "version" || key == "what") continue;
    const auto known = std::find_if(std::begin(kEntries), std::end(kEntries),
                                    [&, name = key](const Entry& entry) { return name == entry.key; });
    if (known == std::end(kEntries) || !value.is_string())
      throw ConfigError(file.string() + ": '" + key + "' is unknown or no text");
    workspace.*(known->path) = value.get<std::string>();
  }
  for (const Entry& entry : kEntries)
    workspace.*(entry.path) = (folder / workspace.*(entry.path)).lexically_normal();
  return workspace;
}

void Workspace::write() const {
  Json json = {
      {"format", kWorkspaceFormat},
      {"version", kWorkspaceVersion},
      {"what", "a workspace of kgwalk: where its commands find database and runs, from this folder"}};
  const fs::path from = fs::absolute(folder).lexically_normal();
  for (const Entry& entry : kEntries) {
    const fs::path path = fs::absolute(this->*(entry.path)).lexically_normal();
    const fs::path relative = path.lexically_relative(from);
    json[entry.key] = relative.empty() ? path.string() : relative.string();
  }
  fs::create_directories(folder);
  write_file_atomically(folder / kWorkspaceFile, json.dump(2) + "\n");
}

}  // namespace kgwalk
