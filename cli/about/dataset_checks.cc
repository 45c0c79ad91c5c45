#include "cli/about/dataset_checks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "graph/ingest/csv.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/json_text.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

namespace fs = std::filesystem;

enum class Unit { kLines, kTableRows, kCsvRows, kJsonItems, kFiles };

struct FileCount {
  const char* path;
  Unit unit;
  std::int64_t expected;
};

struct Dataset {
  const char* name;
  std::span<const FileCount> files;
};

// Counts as published with the data; OpenDialKG's are those of the part that is public.
constexpr FileCount kOpenDialKg[] = {{"opendialkg_triples.txt", Unit::kLines, 485'244},
                                     {"opendialkg_entities.txt", Unit::kLines, 100'813},
                                     {"opendialkg_relations.txt", Unit::kLines, 1'358},
                                     {"annotation_only_triples.txt", Unit::kLines, 3'332},
                                     {"train.csv", Unit::kCsvRows, 2'070},
                                     {"train_turns.csv", Unit::kCsvRows, 3'293},
                                     {"dev.csv", Unit::kCsvRows, 518},
                                     {"test.csv", Unit::kCsvRows, 518}};
constexpr FileCount kFb15k237[] = {{"train.txt", Unit::kLines, 272'115},
                                   {"valid.txt", Unit::kLines, 17'535},
                                   {"test.txt", Unit::kLines, 20'466}};
constexpr FileCount kWn18rr[] = {{"train.txt", Unit::kLines, 86'835},
                                 {"valid.txt", Unit::kLines, 3'034},
                                 {"test.txt", Unit::kLines, 3'134}};
constexpr FileCount kMulti30k[] = {{"train.en", Unit::kLines, 29'000},
                                   {"train.de", Unit::kLines, 29'000},
                                   {"val.en", Unit::kLines, 1'014},
                                   {"val.de", Unit::kLines, 1'014},
                                   {"test_2016_flickr.en", Unit::kLines, 1'000},
                                   {"test_2016_flickr.de", Unit::kLines, 1'000}};
constexpr FileCount kSamsum[] = {{"train.json", Unit::kJsonItems, 14'732},
                                 {"val.json", Unit::kJsonItems, 818},
                                 {"test.json", Unit::kJsonItems, 819}};
constexpr FileCount kSnips[] = {{"train/seq.in", Unit::kLines, 13'084},
                                {"valid/seq.in", Unit::kLines, 700},
                                {"test/seq.in", Unit::kLines, 700}};
constexpr FileCount kFsdd[] = {{"recordings", Unit::kFiles, 3'000}};
constexpr FileCount kEmoDb[] = {{"manifest.tsv", Unit::kTableRows, 408}};
constexpr FileCount kLibriSpeech[] = {{"manifest.tsv", Unit::kTableRows, 129}};
constexpr FileCount kCoffee[] = {{"manifest.tsv", Unit::kTableRows, 201}};

constexpr std::array<Dataset, 10> kDatasets{{{"opendialkg", kOpenDialKg},
                                             {"FB15k-237", kFb15k237},
                                             {"WN18RR", kWn18rr},
                                             {"multi30k", kMulti30k},
                                             {"samsum", kSamsum},
                                             {"snips", kSnips},
                                             {"fsdd", kFsdd},
                                             {"emodb", kEmoDb},
                                             {"librispeech", kLibriSpeech},
                                             {"picovoice_coffee", kCoffee}}};

// A last line counts with or without its newline.
std::int64_t count_lines(std::string_view text) {
  const std::int64_t newlines = std::count(text.begin(), text.end(), '\n');
  return newlines + (!text.empty() && text.back() != '\n');
}

std::int64_t count_csv_rows(std::string_view text) {
  graph::CsvReader reader(text);
  graph::CsvRow row;
  std::int64_t rows = -1;  // the first names the columns
  while (reader.next(row)) ++rows;
  return rows;
}

std::int64_t count(const fs::path& path, Unit unit) {
  if (unit == Unit::kFiles) return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  const MappedFile file(path);
  switch (unit) {
    case Unit::kTableRows:
      return count_lines(file.bytes()) - 1;
    case Unit::kCsvRows:
      return count_csv_rows(file.bytes());
    case Unit::kJsonItems:
      return static_cast<std::int64_t>(parse_json(file.bytes(), path.string()).size());
    default:
      return count_lines(file.bytes());
  }
}

void check_file(const fs::path& folder, const FileCount& expected, DatasetCheck& check) {
  const auto append = [](std::string& list, const std::string& text) {
    list += (list.empty() ? "" : ", ") + text;
  };
  const fs::path path = folder / expected.path;
  if (!fs::exists(path)) return append(check.problems, std::string(expected.path) + " is missing");
  try {
    const std::int64_t found = count(path, expected.unit);
    append(check.counts, std::string(expected.path) + " " + with_commas(found));
    if (found != expected.expected)
      append(check.problems, std::string(expected.path) + " has " + with_commas(found) + " instead of " +
                                 with_commas(expected.expected));
  } catch (const Error& error) {
    append(check.problems, error.what());
  }
}

}  // namespace

std::vector<DatasetCheck> check_datasets(const fs::path& folder) {
  if (!fs::is_directory(folder)) throw ConfigError("--data " + folder.string() + ": is no folder");
  std::vector<DatasetCheck> checks;
  for (const Dataset& dataset : kDatasets) {
    DatasetCheck check{dataset.name, fs::is_directory(folder / dataset.name), "", ""};
    if (check.present)
      for (const FileCount& file : dataset.files) check_file(folder / dataset.name, file, check);
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace kgwalk::cli
