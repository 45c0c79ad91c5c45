// A trained model with all that it needs, as one folder or one file: the database, the walker's run, its text
// encoder, and where there are a user simulator and a response model. It can be moved to another machine and
// opened there.
//
// Example:
//   #include "kgwalk/planner.h"
//
//   kgwalk::pack_model({.database = "kg.db", .run = "runs/walker", .out = "films.tar.zst"});
//   const auto planner = kgwalk::Planner::open("films.tar.zst");
//
//   const auto model = kgwalk::PackedModel::open("films.tar.zst");  // for what takes the parts one by one
//   std::cout << model.about << '\n' << model.license << '\n' << model.database << '\n';
//
// A folder holds `model.json`, which lists the parts, what they were made from, under which licenses, and
// each file with its length and checksum; all paths in it are relative. A file is that folder as a tar
// archive in zstd (docs/reference/formats/model.md).
//
// Threads: values; the functions may run at the same time. Nothing here prints; errors are the tree of
// kgwalk/error.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/progress.h"

namespace kgwalk {

struct PackedModel {
  std::filesystem::path folder;          // where the parts lie
  std::filesystem::path database, run;   // always there
  std::filesystem::path text = {};       // folder of the text encoder; empty = the walker needs none
  std::filesystem::path simulator = {};  // empty = there is none
  std::filesystem::path responder = {};  // empty = there is none
  std::filesystem::path introduction =
      {};  // a file: what the graph is about, questions that work; empty = there is none
  std::string name, about, license;  // of the model; the license is that of its data
  Json manifest = Json::object();    // model.json

  // `model`: a folder, or a file of pack_model(). Files are there and as long as they were, which takes a
  // millisecond; their checksums are verify()'s.
  //
  // A packed file is unpacked once, into unpacked_place(), and found there from then on.
  //
  // IoError when there is nothing; FormatError when it is no model, one of a newer version, or damaged: a
  // file that is missing or of another length, a packed file that lost its end.
  [[nodiscard]] static PackedModel open(const std::filesystem::path& model,
                                        Reporter& reporter = silent_reporter(),
                                        const StopFlag& stop = never_stop());

  // Reads every file and compares checksums; FormatError names the first that differs.
  void verify(Reporter& reporter = silent_reporter(), const StopFlag& stop = never_stop()) const;
};

// Whether `path` is something that PackedModel::open() takes: a folder with a model.json or a zstd file.
[[nodiscard]] bool is_packed_model(const std::filesystem::path& path);
// Whether a database lies in the folder of one, whose files are read-only.
[[nodiscard]] bool is_in_packed_model(const std::filesystem::path& database);

// Where a packed file is unpacked to: the folder models/CHECKSUM below KGWALK_CACHE, else
// XDG_CACHE_HOME/kgwalk, else HOME/.cache/kgwalk, else the system's folder for temporary files. It may be
// removed at any time.
[[nodiscard]] std::filesystem::path unpacked_place(const std::filesystem::path& file);

// A data set, text encoder or the like that a model was made from.
struct ModelSourceNote {
  std::string name;          // "OpenDialKG"
  std::string license = {};  // "CC-BY-NC-4.0"; empty = not known
  std::string terms = {};    // what it asks of those who pass it on, in a sentence
};

struct PackOptions {
  std::filesystem::path database = {}, run = {};  // needed, as Planner::open() takes them
  std::filesystem::path text = {};       // the text encoder when it is not where the run remembers it
  std::filesystem::path simulator = {};  // run of the user simulator; empty = none
  std::filesystem::path responder = {};  // run of the response model; empty = none
  std::filesystem::path listener =
      {};  // run of the listener; empty = the folder "listener" in the run, if any
  // Needed. Ends in ".tar.zst" or ".zst": one file; else a folder.
  std::filesystem::path out = {};
  bool replace = false;                       // what lies at `out` may go
  std::string name = {};                      // empty = that of `out`
  std::string about = {};                     // a sentence on the data
  std::string license = {};                   // of the data; empty = as far as its sources are known
  std::vector<ModelSourceNote> sources = {};  // beside those that are recognized
  std::vector<std::string> tables = {};  // tables of the database to keep beside those that the walker needs
  std::string version = {};              // of the program that packs, noted in the manifest
  // What a newcomer is shown, made and tried beforehand (docs/reference/formats/model.md); null = nothing.
  Json introduction = nullptr;
};

struct PackReport {
  std::filesystem::path out;
  std::uint64_t bytes = 0;            // of the folder, or of the file
  std::uint64_t unpacked = 0;         // of the folder
  std::vector<std::string> left_out;  // tables and caches of the database that the model does without
  Json manifest;
};

// Packs what the parts are made of and nothing else: the checkpoint that is used, the training dialogues (a
// walker remembers whose it is), the tables that it reads; no optimizer, no other splits, no cached text
// states.
//
// The model is whole at `out` or not there. ConfigError when an option is missing or `out` exists (and is no
// model, or `replace` is not set); errors of opening the parts; FormatError when they do not belong together.
// Stopped.
PackReport pack_model(const PackOptions& options, Reporter& reporter = silent_reporter(),
                      const StopFlag& stop = never_stop());

}  // namespace kgwalk
