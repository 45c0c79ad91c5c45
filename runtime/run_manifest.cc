#include "runtime/run_manifest.h"

#include <algorithm>
#include <set>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk {
namespace {

// A configuration that an older version wrote, in the words of this one.
Json with_present_words(Json json) {
  if (json.is_string() && json == "learnt") return "learned";
  if (json.is_array())
    for (Json& item : json) item = with_present_words(std::move(item));
  if (!json.is_object()) return json;
  Json present = Json::object();
  for (auto& [key, value] : json.items()) {
    const std::string now = key == "normalise"              ? "normalize"
                            : key == "normalise_embeddings" ? "normalize_embeddings"
                                                            : key;
    present[now] = with_present_words(std::move(value));
  }
  return present;
}

namespace fs = std::filesystem;

constexpr int kVersion = 1;
constexpr std::string_view kFormat = "kgwalk-run";

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string names_of(std::span<const RunKind> kinds) {
  std::string text;
  for (const RunKind& kind : kinds) text += (text.empty() ? "" : " or ") + in_quotes(kind.name);
  return text;
}

std::vector<Remedy> trained_with(std::span<const RunKind> kinds) {
  std::vector<Remedy> remedies;
  for (const RunKind& kind : kinds) remedies.push_back({Remedy::kTrain, std::string(kind.command)});
  return remedies;
}

bool holds(std::span<const std::string_view> names, std::string_view name) {
  return !name.empty() && std::find(names.begin(), names.end(), name) != names.end();
}

// A folder of before configurations were named by their part holds that of its only part and nothing else.
bool is_bare(const Json& json, const RunKind& kind) {
  return kind.parts[1].empty() && !json.contains(std::string(kind.parts[0])) && !json.contains("seed") &&
         !json.contains("checksums");
}

void compare(const Json& now, const Json& before, const std::string& path, std::vector<std::string>& out) {
  if (now.is_object() && before.is_object()) {
    std::set<std::string> keys;
    for (const auto& item : now.items()) keys.insert(item.key());
    for (const auto& item : before.items()) keys.insert(item.key());
    const Json nothing;
    for (const std::string& key : keys)
      compare(now.contains(key) ? now[key] : nothing, before.contains(key) ? before[key] : nothing,
              dotted(path, key), out);
  } else if (now != before) {
    out.push_back(path + ": " + now.dump() + ", was " + before.dump());
  }
}

// Gives `json` what only `defaults` has, inside of objects that both have.
void fill(Json& json, const Json& defaults) {
  for (const auto& [key, value] : defaults.items())
    if (!json.contains(key))
      json[key] = value;
    else if (json[key].is_object() && value.is_object())
      fill(json[key], value);
}

}  // namespace

RunManifest::RunManifest(const RunKind& of) : kind(of.name), command(of.command) {}

RunManifest::RunManifest(const RunKind& of, Json config, std::uint64_t with_seed) : RunManifest(of) {
  seed = with_seed;
  configuration[std::string(of.parts[0])] = std::move(config);
}

const Json& RunManifest::part_json(std::string_view name) const {
  if (configuration.empty())
    throw FormatError(
        file_.parent_path().string() + ": has no configuration yet: its training was stopped before it began",
        Remedy{Remedy::kTrain, command});
  return configuration.at(std::string(name));
}

RunManifest RunManifest::read(const fs::path& run, std::span<const RunKind> kinds) {
  const fs::path file = run / "run.json";
  if (!fs::exists(file))
    throw FormatError(run.string() + ": is no run folder (run.json is missing)", trained_with(kinds));
  const Json json = read_json_file(file.string());
  if (!json.is_object() || json.value("format", "") != kFormat)
    throw FormatError(file.string() + ": does not describe a run of kgwalk");
  if (const int version = json.value("version", 0); version != kVersion)
    throw FormatError(file.string() + ": is of version " + std::to_string(version) + ", this program reads " +
                      std::to_string(kVersion) + "; train the run again with this program");
  RunManifest manifest;
  manifest.kind = json.value("kind", "");
  manifest.command = json.value("command", "");
  const auto known = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const RunKind& kind) { return kind.name == manifest.kind; });
  if (known == kinds.end())
    throw FormatError(run.string() + ": is a run of kind " + in_quotes(manifest.kind) +
                          (manifest.command.empty() ? "" : ", made by " + in_quotes(manifest.command)) +
                          "; expected one of kind " + names_of(kinds),
                      trained_with(kinds));
  manifest.command = known->command;  // which folders of before did not note
  manifest.file_ = run / "config.json";
  if (fs::exists(manifest.file_)) manifest.read_config(manifest.file_, *known);
  return manifest;
}

namespace {

// Relative paths are meant from the run's folder, which may have been moved together with what it names.
fs::path beside(const fs::path& file, const std::string& path) {
  return path.empty() ? fs::path() : fs::absolute(file.parent_path() / path).lexically_normal();
}

// A simulator may be "wordings", which is no path.
fs::path source_beside(const fs::path& file, const std::string& source) {
  fs::path path = beside(file, source);
  return source.find('/') != std::string::npos || fs::exists(path) ? path : fs::path(source);
}

std::string as_remembered(const fs::path& path, const fs::path& run) {
  return path.is_absolute() ? path.lexically_proximate(fs::absolute(run).lexically_normal()).string()
                            : path.string();
}

}  // namespace

void RunManifest::read_config(const fs::path& file, const RunKind& known) {
  Json json = read_json_file(file.string());
  if (!json.is_object()) throw FormatError(file.string() + ": expected an object ({...})");
  if (is_bare(json, known)) json = {{std::string(known.parts[0]), std::move(json)}};
  std::string problems;
  const auto complain = [&](const std::string& what) { problems += (problems.empty() ? "" : "; ") + what; };
  for (const auto& [name, value] : json.items()) {
    if (holds(known.parts, name) && value.is_object())
      configuration[name] = value;
    else if (name == "checksums" && value.is_object())
      checksums = value;
    else if (name == "seed" && value.is_number_unsigned())
      seed = value.get<std::uint64_t>();
    else if (name == "database" && value.is_string())
      database = beside(file, value.get<std::string>());
    else if (name == "text" && value.is_string())
      text = beside(file, value.get<std::string>());
    else if (holds(known.sources, name) && value.is_string())
      sources[name] = source_beside(file, value.get<std::string>());
    else
      complain("'" + name + "' is unknown or of the wrong type");
  }
  for (const std::string_view part : known.parts)
    if (!part.empty() && !configuration.contains(std::string(part)))
      complain(in_quotes(part) + " is missing");
  if (!problems.empty())
    throw FormatError(file.string() + ": " + problems + "; it is no run of kind " + in_quotes(known.name));
  std::erase_if(sources, [](const auto& source) { return source.second.empty(); });
}

Json RunManifest::to_json(const fs::path& run) const {
  Json json = configuration;
  if (seed) json["seed"] = *seed;
  // A part may be called "text" too; such a run has no text encoder of another run.
  if (!database.empty()) json["database"] = as_remembered(database, run);
  if (!text.empty()) json["text"] = as_remembered(text, run);
  for (const auto& [name, path] : sources)
    if (!path.empty()) json[name] = as_remembered(path, run);
  if (!checksums.empty()) json["checksums"] = checksums;
  return json;
}

void RunManifest::write_kind(const fs::path& run) const {
  const Json json = {{"format", kFormat}, {"version", kVersion}, {"kind", kind}, {"command", command}};
  write_file_atomically(run / "run.json", json.dump(2) + "\n");
}

void RunManifest::write_config(const fs::path& run) const {
  write_file_atomically(run / "config.json", to_json(run).dump(2) + "\n");
}

Json RunManifest::compared() const {
  Json json = configuration;
  for (const auto& [name, path] : sources)
    if (!path.empty()) json[name] = path.lexically_normal().string();
  if (!checksums.empty()) json["checksums"] = checksums;
  return json;
}

std::vector<std::string> RunManifest::differences(const RunManifest& before) const {
  Json now = compared(), then = with_present_words(before.compared());
  fill(then, defaults);
  // Older programs remembered a sum of what they had computed, under the bare name: nothing to compare.
  for (const auto& [name, sum] : checksums.items()) {
    constexpr std::string_view kStored = "stored_";
    const std::string bare = name.starts_with(kStored) ? name.substr(kStored.size()) : std::string();
    if (bare.empty() || !before.checksums.contains(bare) || before.checksums.contains(name)) continue;
    now["checksums"].erase(name);
    then["checksums"].erase(bare);
  }
  std::vector<std::string> out;
  compare(now, then, "", out);
  return out;
}

}  // namespace kgwalk
