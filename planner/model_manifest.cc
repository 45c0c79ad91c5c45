#include "planner/model_manifest.h"

#include <algorithm>
#include <cctype>

#include "runtime/files.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

struct KnownData {
  std::string_view part;  // of a file's path, in lower case
  ModelSourceNote note;
};

const std::vector<KnownData>& known_data() {
  static const std::vector<KnownData> all = {
      {"data/sample/",
       {"the sample of kgwalk", "Apache-2.0", "may be passed on with the license and its notice"}},
      {"opendialkg",
       {"OpenDialKG (Moon et al., ACL 2019)", "CC-BY-NC-4.0",
        "for non-commercial use only, with attribution to its authors"}},
      {"metaqa",
       {"MetaQA (Zhang et al., AAAI 2018), from WikiMovies", "CC-BY-3.0",
        "may be passed on with attribution to its authors"}},
  };
  return all;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool non_commercial(const std::string& license) {
  const std::string text = lower(license);
  return text.find("-nc") != std::string::npos || text.find("noncommercial") != std::string::npos ||
         text.find("non-commercial") != std::string::npos;
}

// The value of "license:" at the head of a model card.
std::string license_of_card(const fs::path& folder) {
  for (const char* name : {"MODEL_CARD.md", "README.md"}) {
    std::error_code ignored;
    if (!fs::is_regular_file(folder / name, ignored)) continue;
    const std::string text = read_file(folder / name).substr(0, 4096);
    const std::size_t at = text.find("\nlicense:");
    if (at == std::string::npos) continue;
    std::string value = text.substr(at + 9, text.find('\n', at + 9) - at - 9);
    std::erase_if(value, [](unsigned char c) { return std::isspace(c) != 0; });
    if (!value.empty()) return value;
  }
  return {};
}

std::string names_of(const std::vector<ModelSourceNote>& sources, auto&& chosen) {
  std::string names;
  for (const ModelSourceNote& source : sources)
    if (chosen(source)) names += (names.empty() ? "" : ", ") + source.name;
  return names;
}

}  // namespace

std::vector<ModelSourceNote> known_sources(const Json& files) {
  std::vector<ModelSourceNote> found;
  std::string others;
  for (const auto& [file, checksum] : files.items()) {
    const std::string path = lower(fs::path(file).generic_string());
    const KnownData* known = nullptr;
    for (const KnownData& data : known_data())
      if (path.find(data.part) != std::string::npos && known == nullptr) known = &data;
    if (known == nullptr) {
      others += (others.empty() ? "" : ", ") + fs::path(file).filename().string();
    } else if (std::none_of(found.begin(), found.end(),
                            [&](const ModelSourceNote& note) { return note.name == known->note.name; })) {
      found.push_back(known->note);
    }
  }
  if (!others.empty()) found.push_back({others, {}, {}});
  return found;
}

ModelSourceNote text_source(const fs::path& folder, bool own) {
  if (own) return {"a text encoder trained on the dialogues", "as the dialogues", ""};
  return {"text encoder " + folder.filename().string(), license_of_card(folder), ""};
}

std::string license_of(const std::vector<ModelSourceNote>& sources) {
  std::string text;
  for (const ModelSourceNote& source : sources)
    text += (text.empty() ? "" : "; ") + source.name + ": " +
            (source.license.empty() ? "not known" : source.license);
  return text;
}

std::string passing_on(const std::vector<ModelSourceNote>& sources) {
  const std::string restricted =
      names_of(sources, [](const ModelSourceNote& s) { return non_commercial(s.license); });
  const std::string unknown = names_of(sources, [](const ModelSourceNote& s) { return s.license.empty(); });
  std::string text;
  if (!restricted.empty())
    text =
        "The model holds data of " + restricted +
        ": it may be used and passed on for non-commercial purposes only, with attribution and this notice.";
  if (!unknown.empty())
    text += std::string(text.empty() ? "" : " ") + "The license of " + unknown +
            " is not known: pass the model on only if whoever made that allows it.";
  if (text.empty()) text = "All sources may be passed on under the licenses named here, with their notices.";
  return text;
}

}  // namespace kgwalk
