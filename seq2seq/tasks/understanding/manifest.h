// Lists of spoken utterances with what is known of them: a tab-separated file with a line of column names.
// Torch-free. See docs/reference/formats/speech_understanding.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "runtime/config.h"

namespace kgwalk::seq2seq {

struct SpokenItem {
  std::filesystem::path file;  // as the manifest says, beside it when relative
  std::size_t line = 0;        // in the manifest
  std::string text, intent, emotion, speaker, split;
  std::vector<std::pair<std::string, std::string>> slots;  // type and value, in the manifest's order
};

struct Manifest {
  std::filesystem::path file;
  std::vector<std::string> columns;
  std::vector<SpokenItem> items;
  [[nodiscard]] bool has(const std::string& column) const;
  // ConfigError naming the file and what it has when a column is not there.
  void require(const std::string& column, const std::string& purpose) const;
};

// Columns that are read: path (required), text, intent, emotion, speaker, split, and slots or slots_json (an
// object {"type": "value"} or a list [["type", "value"], ...]); others are passed over. DataError with file
// and line for a wrong number of fields, slots that are no such json, or a file that is not there;
// ConfigError when there is no column `path` or no utterance.
[[nodiscard]] Manifest read_manifest(const std::filesystem::path& file);
// What parts of a manifest are made by.
enum class SplitBy { kSplit, kSpeaker, kRandom };
constexpr auto choice_names(SplitBy) { return choices_in_order<SplitBy>("split", "speaker", "random"); }

// Which utterances are for what. by "split": the column split says train, dev or test (other values are left
// out). by "speaker": speakers in alphabetical order are dealt to `folds` groups; group `fold` is the test,
// the next one the development data: nobody is in two of them. by "random": utterances are dealt, shuffled by
// a fixed seed.
struct SplitOptions {
  Choice<SplitBy> by = SplitBy::kSplit;
  int folds = 4;
  int fold = 0;
  template <class F>
  void fields(F& f) {
    f("by", by, "Parts are those of a column, groups of speakers, or utterances at random.");
    f("folds", folds, "Number of groups of speakers or utterances.").range(3, 1000);
    f("fold", fold, "Number of the group that is the test.").range(0, 999);
  }
  void check(Problems& problems) const;
};
struct Splits {
  std::vector<std::size_t> train, dev, test;  // places in Manifest::items
};
// ConfigError when one of the three would be empty.
[[nodiscard]] Splits split_manifest(const Manifest& manifest, const SplitOptions& options);
// Items whose column split holds this name; ConfigError when there is none.
[[nodiscard]] std::vector<std::size_t> items_of_split(const Manifest& manifest, const std::string& split);

}  // namespace kgwalk::seq2seq
