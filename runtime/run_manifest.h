// What a run folder says of itself: which kind of run it is, with which configuration, seed, database and
// text encoder it was made, and checksums of what it was made from. Read once a run and passed along from
// there; on disk it is run.json and config.json (docs/reference/formats/runtime.md).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime/config.h"

namespace kgwalk {

// A kind of run, declared as a constant by the folder that trains it:
//
//   inline constexpr RunKind kWalkerRun{.name = "walker", .command = "train", .parts = {"walker"}};
struct RunKind {
  std::string_view name;                         // in run.json
  std::string_view command;                      // the verb that makes one
  std::array<std::string_view, 2> parts;         // names of its configurations in config.json, one or two
  std::array<std::string_view, 2> sources = {};  // names of the runs that it is made from, none to two
  bool one_process = false;  // trained by one process, however many were started (runtime/launch.h)
};

struct RunManifest {
  RunManifest() = default;
  explicit RunManifest(const RunKind& of);  // of a training that has not begun
  // For a run that begins; `config` is that of the kind's first part, the rest is filled in by who trains.
  RunManifest(const RunKind& of, Json config, std::uint64_t seed);
  template <class Config>
  requires(!std::is_same_v<Config, Json>)
      RunManifest(const RunKind& of, const Config& config, std::uint64_t with_seed)
      : RunManifest(of, to_json_of(config), with_seed) {
    defaults[std::string(of.parts[0])] = to_json_of(Config{});
  }

  std::string kind;
  std::string command;
  Json configuration =
      Json::object();  // effective, by part: {"walker": {...}}; empty before a training begins
  // By part, not written: what a run of an older program, which did not have an option yet, did all the same.
  Json defaults = Json::object();
  std::optional<std::uint64_t> seed;  // not told by some folders of before
  // Absolute here, relative to the run's folder on disk: who moves or copies them together loses nothing.
  // Empty where there was none.
  std::filesystem::path database, text;
  // Runs that it was made from, likewise; a word that is no path ("wordings") stays one. Empty ones are left
  // out.
  std::map<std::string, std::filesystem::path> sources;
  Json checksums = Json::object();  // of what it was made from, by name

  // The configuration of a part; `Config` of runtime/config.h. FormatError when the run has none, ConfigError
  // when it does not fit.
  template <class Config>
  [[nodiscard]] Config part(std::string_view name) const {
    Config config;
    apply_json(config, part_json(name), file_.string());
    return config;
  }

  [[nodiscard]] const Json& part_json(std::string_view name) const;

  // What differs from the manifest of a run that is to be resumed: "key: now, was before" each. The seed is
  // left to the training's own state, and where database and text encoder lie to the checksums of what they
  // hold.
  [[nodiscard]] std::vector<std::string> differences(const RunManifest& before) const;

  // FormatError when `run` is no run folder, of another version, or none of `kinds` (at least one); for
  // unknown names and wrong types in its config.json, all at once.
  [[nodiscard]] static RunManifest read(const std::filesystem::path& run, std::span<const RunKind> kinds);
  void write_kind(const std::filesystem::path& run) const;    // run.json: stands before all else
  void write_config(const std::filesystem::path& run) const;  // config.json, once the training begins

 private:
  void read_config(const std::filesystem::path& file, const RunKind& known);
  // Paths relative to the folder `run`.
  [[nodiscard]] Json to_json(const std::filesystem::path& run) const;
  [[nodiscard]] Json compared() const;
  std::filesystem::path file_ = "config.json";
};

}  // namespace kgwalk
