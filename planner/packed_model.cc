#include "kgwalk/packed_model.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "kgwalk/error.h"
#include "planner/archive.h"
#include "planner/model_manifest.h"
#include "runtime/checksum.h"
#include "runtime/config.h"
#include "runtime/files.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAdvice = "; copy the model again, or pack it again";

[[noreturn]] void refuse_model(const fs::path& where, const std::string& why) {
  throw FormatError(where.string() + ": " + why);
}

// A path of the manifest, below the model's folder.
fs::path inside(const fs::path& folder, const std::string& name) {
  const fs::path path(name);
  const bool below = !name.empty() && path.is_relative() &&
                     std::none_of(path.begin(), path.end(), [](const fs::path& p) { return p == ".."; });
  if (!below) refuse_model(folder / kManifestFile, "'" + name + "' does not lie in the model's folder");
  return folder / path;
}

std::string text_of(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

Json read_manifest(const fs::path& folder) {
  const fs::path file = folder / kManifestFile;
  const Json json = read_json_file(file.string());
  if (!json.is_object() || text_of(json, "format") != kManifestFormat)
    refuse_model(file, "does not describe a packed model of kgwalk");
  const int version =
      json.contains("version") && json["version"].is_number_integer() ? json["version"].get<int>() : 0;
  if (version != kManifestVersion)
    refuse_model(file, "is of version " + std::to_string(version) + ", this program reads " +
                           std::to_string(kManifestVersion) + "; use another kgwalk or pack the model again");
  for (const char* key : {"parts", "files"})
    if (!json.contains(key) || !json[key].is_object())
      refuse_model(file, std::string("'") + key + "' is missing or no object");
  return json;
}

void check_lengths(const fs::path& folder, const Json& files) {
  for (const auto& [name, facts] : files.items()) {
    std::error_code error;
    const auto bytes = fs::file_size(inside(folder, name), error);
    if (error) refuse_model(folder, name + " is missing" + std::string(kAdvice));
    if (!facts.is_object() || !facts.contains("bytes") || facts["bytes"] != bytes)
      refuse_model(folder, name + " has " + std::to_string(bytes) +
                               " bytes and not those it was packed with" + std::string(kAdvice));
  }
}

PackedModel open_folder(const fs::path& folder) {
  PackedModel model;
  model.folder = folder;
  model.manifest = read_manifest(folder);
  const Json& parts = model.manifest["parts"];
  const auto part = [&](const char* key) {
    const std::string name = text_of(parts, key);
    return name.empty() ? fs::path() : inside(folder, name);
  };
  model.database = part("database");
  model.run = part("run");
  model.text = part("text");
  model.simulator = part("simulator");
  model.responder = part("responder");
  if (model.manifest["files"].contains(kIntroductionFile)) model.introduction = folder / kIntroductionFile;
  if (model.database.empty() || model.run.empty())
    refuse_model(folder / kManifestFile, "names no database or no run");
  model.name = text_of(model.manifest, "name");
  model.about = text_of(model.manifest, "about");
  model.license = text_of(model.manifest, "license");
  check_lengths(folder, model.manifest["files"]);
  return model;
}

fs::path setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? fs::path() : fs::path(value);
}

fs::path cache_folder() {
  if (const fs::path given = setting("KGWALK_CACHE"); !given.empty()) return given;
  if (const fs::path cache = setting("XDG_CACHE_HOME"); !cache.empty()) return cache / "kgwalk";
  if (const fs::path home = setting("HOME"); !home.empty()) return home / ".cache" / "kgwalk";
  return fs::temp_directory_path() / ("kgwalk-" + std::to_string(::getuid()));
}

// Fills a folder beside the final place and moves it there; where another process was faster, its folder is
// used.
void unpack_into_place(const fs::path& file, const fs::path& place, Reporter& reporter,
                       const StopFlag& stop) {
  const fs::path partial = place.string() + "." + std::to_string(::getpid()) + ".partial";
  std::error_code ignored;
  try {
    fs::create_directories(partial);
    unpack_folder(file, partial, reporter, stop);
    (void)open_folder(partial);
    if (!fs::exists(place / kManifestFile, ignored)) {
      fs::remove_all(place, ignored);
      fs::rename(partial, place);
    }
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(partial, ignored);
    if (fs::exists(place / kManifestFile, ignored)) return;
    throw IoError(place.string() + ": the packed model cannot be unpacked there: " + error.code().message() +
                  "; set KGWALK_CACHE to a folder with room, or unpack it with tar --zstd -xf");
  } catch (...) {
    fs::remove_all(partial, ignored);
    throw;
  }
  fs::remove_all(partial, ignored);
}

}  // namespace

bool is_in_packed_model(const fs::path& database) {
  const fs::path whole = fs::absolute(database).lexically_normal();
  const fs::path folder = whole.has_filename() ? whole : whole.parent_path();
  return is_packed_model(folder) || is_packed_model(folder.parent_path());
}

bool is_packed_model(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? fs::exists(path / kManifestFile, ignored) : is_zstd_file(path);
}

fs::path unpacked_place(const fs::path& file) { return cache_folder() / "models" / checksum_of_file(file); }

PackedModel PackedModel::open(const fs::path& model, Reporter& reporter, const StopFlag& stop) {
  std::error_code ignored;
  if (!fs::exists(model, ignored)) throw IoError(model.string() + ": there is no model");
  if (fs::is_directory(model, ignored)) {
    if (fs::exists(model / kManifestFile, ignored)) return open_folder(model);
    refuse_model(model, std::string("is no packed model (") + kManifestFile + " is missing)");
  }
  if (!is_zstd_file(model)) refuse_model(model, "is no packed model: neither a folder nor a zstd file");
  const fs::path place = unpacked_place(model);
  if (!fs::exists(place / kManifestFile, ignored)) unpack_into_place(model, place, reporter, stop);
  return open_folder(place);
}

void PackedModel::verify(Reporter& reporter, const StopFlag& stop) const {
  const Json& files = manifest["files"];
  const auto progress = reporter.start("checking", static_cast<std::int64_t>(files.size()), "files");
  for (const auto& [file, facts] : files.items()) {
    if (stop.requested()) throw Stopped("the check of the model was stopped");
    if (text_of(facts, "checksum") != checksum_of_file(inside(folder, file)))
      refuse_model(folder, file + " is damaged: its checksum is another than when it was packed" +
                               std::string(kAdvice));
    progress->add(1);
  }
}

}  // namespace kgwalk
