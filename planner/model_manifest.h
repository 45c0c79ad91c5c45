// What the manifest of a packed model says of its data: which sources are known, under which licenses, and
// what may be passed on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/packed_model.h"

namespace kgwalk {

inline constexpr const char* kManifestFile = "model.json";
inline constexpr const char* kIntroductionFile = "introduction.json";  // where it was made
inline constexpr std::string_view kManifestFormat = "kgwalk-model";
inline constexpr int kManifestVersion = 1;

// Data sets recognized by the paths of the files that a database was made from (Store::meta()["sources"]),
// each once; files of none of them are told as one note without a license.
[[nodiscard]] std::vector<ModelSourceNote> known_sources(const Json& files);
// What the model card of a text encoder's folder says, where there is one.
[[nodiscard]] ModelSourceNote text_source(const std::filesystem::path& folder, bool own);

// The licenses of all sources in one line, and a sentence on what may be passed on.
[[nodiscard]] std::string license_of(const std::vector<ModelSourceNote>& sources);
[[nodiscard]] std::string passing_on(const std::vector<ModelSourceNote>& sources);

}  // namespace kgwalk
