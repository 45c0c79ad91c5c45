// Version, errors, memory, threads, ingestion: what needs no handle.
#include <cstdlib>
#include <string_view>

#include "capi/arguments.h"
#include "embeddings/links/graph_embedding.h"
#include "kgwalk/embeddings.h"
#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "kgwalk/threads.h"

namespace {

#define KGWALK_QUOTED(text) #text
#define KGWALK_JOINED(major, minor, patch) \
  KGWALK_QUOTED(major) "." KGWALK_QUOTED(minor) "." KGWALK_QUOTED(patch)
constexpr const char* kVersion =
    KGWALK_JOINED(KGWALK_VERSION_MAJOR, KGWALK_VERSION_MINOR, KGWALK_VERSION_PATCH);
static_assert(std::string_view(kVersion) == KGWALK_PROJECT_VERSION,
              "kgwalk.h must have the project's version");

constexpr const char* kNames[] = {"ok",         "misuse",        "version error", "invalid",
                                  "data error", "store error",   "format error",  "input or output error",
                                  "no memory",  "internal error"};
static_assert(std::size(kNames) == KGWALK_INTERNAL + 1);

}  // namespace

using namespace kgwalk::capi;

int kgwalk_version(void) { return KGWALK_VERSION; }

const char* kgwalk_version_text(void) { return kVersion; }

const char* kgwalk_error(void) { return last_error(); }

const char* kgwalk_status_name(kgwalk_status status) {
  const auto place = static_cast<unsigned>(status);
  return place < std::size(kNames) ? kNames[place] : "unknown status";
}

void kgwalk_free(char* text) { std::free(text); }

kgwalk_status kgwalk_set_threads(int count) {
  return guarded([&] { kgwalk::set_num_threads(count); });
}

kgwalk_status kgwalk_ingest(int version, const char* database, const char* const* files, size_t num_files,
                            int replace, char** report) {
  if (report != nullptr) *report = nullptr;
  return guarded([&] {
    check_version(version);
    kgwalk::graph::IngestOptions options;
    options.database = path_of(database, "database");
    options.replace = replace != 0;
    if (num_files > 0) need(files, "files");
    for (std::size_t i = 0; i < num_files; ++i) options.triples.emplace_back(path_of(files[i], "a file"));
    const kgwalk::graph::IngestReport made = kgwalk::graph::ingest(options);
    if (report == nullptr) return;
    kgwalk::Json json = made.to_json();
    json["problems"] = made.problems;
    *report = copied(json).release();
  });
}

kgwalk_status kgwalk_embed(int version, const char* database, const char* settings, char** report) {
  if (report != nullptr) *report = nullptr;
  return guarded([&] {
    check_version(version);
    const std::string text = text_or_empty(settings, "settings");
    kgwalk::Json json = kgwalk::Json::object();
    if (!text.empty()) json = kgwalk::Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) throw kgwalk::ConfigError("settings: must be a JSON object");
    kgwalk::graph::Store store =
        kgwalk::graph::Store::open(path_of(database, "database"), kgwalk::graph::Store::Mode::kReadWrite);
    const auto config = kgwalk::embeddings::graph_embedding_config(json, "settings");
    const kgwalk::Json made = kgwalk::embeddings::embed_graph(store, config).meta();
    if (report != nullptr) *report = copied(made).release();
  });
}
