#include "seq2seq/tasks/understanding/manifest.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string_view>

#include "kgwalk/error.h"
#include "runtime/random.h"
#include "seq2seq/tasks/text_lines.h"

namespace kgwalk::seq2seq {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line)
    if (c == '\t')
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}

std::vector<std::pair<std::string, std::string>> slots_of(const std::string& text, const std::string& file,
                                                          std::size_t line) {
  std::vector<std::pair<std::string, std::string>> slots;
  if (text.empty()) return slots;
  const Json json = Json::parse(text, nullptr, false);
  const auto add = [&](const Json& type, const Json& value) {
    if (!type.is_string() || !value.is_string()) throw DataError(file, line, "slots must be texts");
    slots.emplace_back(type.get<std::string>(), value.get<std::string>());
  };
  if (json.is_object()) {
    for (const auto& item : json.items()) add(item.key(), item.value());
  } else if (json.is_array()) {
    for (const Json& pair : json) {
      if (!pair.is_array() || pair.size() != 2) throw DataError(file, line, "a slot must be [type, value]");
      add(pair[0], pair[1]);
    }
  } else {
    throw DataError(file, line, "slots must be json: {\"type\": \"value\"} or [[\"type\", \"value\"], ...]");
  }
  return slots;
}

using Columns = std::map<std::string, std::size_t>;

SpokenItem item_of(const std::vector<std::string>& fields, const Columns& columns, const Manifest& manifest,
                   std::size_t line) {
  const std::string name = manifest.file.string();
  const auto field = [&](const char* column) {
    const auto it = columns.find(column);
    return it == columns.end() ? std::string() : fields[it->second];
  };
  SpokenItem item;
  item.line = line;
  item.file = field("path");
  if (item.file.empty()) throw DataError(name, line, "the path is empty");
  if (item.file.is_relative()) item.file = manifest.file.parent_path() / item.file;
  if (!std::filesystem::is_regular_file(item.file))
    throw DataError(name, line,
                    "there is no file " + item.file.string() + "; paths are relative to the manifest");
  item.text = field("text");
  item.intent = field("intent");
  item.emotion = field("emotion");
  item.speaker = field("speaker");
  item.split = field("split");
  item.slots = slots_of(field(columns.count("slots") ? "slots" : "slots_json"), name, line);
  return item;
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

bool Manifest::has(const std::string& column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

void Manifest::require(const std::string& column, const std::string& purpose) const {
  if (!has(column))
    throw ConfigError(file.string() + ": has no column '" + column + "', which " + purpose +
                      " needs; its columns are " + joined_names(columns));
}

Manifest read_manifest(const std::filesystem::path& file) {
  const std::vector<std::string> lines = read_text_lines(file);
  Manifest manifest;
  manifest.file = file;
  if (!lines.empty()) manifest.columns = fields_of(lines[0]);
  Columns columns;
  for (std::size_t i = 0; i < manifest.columns.size(); ++i) columns.emplace(manifest.columns[i], i);
  manifest.require("path", "a manifest of utterances");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> fields = fields_of(lines[i]);
    if (fields.size() != manifest.columns.size())
      throw DataError(file.string(), i + 1,
                      std::to_string(fields.size()) + " fields instead of " +
                          std::to_string(manifest.columns.size()) + "; separate them by tabs");
    manifest.items.push_back(item_of(fields, columns, manifest, i + 1));
  }
  if (manifest.items.empty()) throw ConfigError(file.string() + ": lists no utterance");
  return manifest;
}

void SplitOptions::check(Problems& problems) const {
  if (fold >= folds) problems.add("fold", "must be below folds, which are counted from 0");
}

std::vector<std::size_t> items_of_split(const Manifest& manifest, const std::string& split) {
  manifest.require("split", "choosing a split");
  std::vector<std::size_t> found;
  std::set<std::string> names;
  for (std::size_t i = 0; i < manifest.items.size(); ++i) {
    names.insert(manifest.items[i].split);
    if (manifest.items[i].split == split) found.push_back(i);
  }
  if (found.empty())
    throw ConfigError(manifest.file.string() + ": no utterance is of split '" + split + "'; there are " +
                      joined_names({names.begin(), names.end()}));
  return found;
}

namespace {

// The group of each utterance.
std::vector<std::size_t> dealt(const Manifest& manifest, const SplitOptions& options) {
  const auto folds = static_cast<std::size_t>(options.folds);
  std::vector<std::size_t> group(manifest.items.size());
  if (options.by == SplitBy::kRandom) {
    std::iota(group.begin(), group.end(), std::size_t{0});
    Random random(1);
    random.shuffle(std::span(group));
    for (std::size_t& g : group) g %= folds;
    return group;
  }
  manifest.require("speaker", "a split by speakers");
  std::map<std::string, std::size_t> speakers;
  for (const SpokenItem& item : manifest.items) speakers.emplace(item.speaker, 0);
  std::size_t next = 0;
  for (auto& [name, place] : speakers) place = next++;
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = speakers.at(manifest.items[i].speaker) % folds;
  return group;
}

}  // namespace

Splits split_manifest(const Manifest& manifest, const SplitOptions& options) {
  validate(options, "split");
  Splits splits;
  if (options.by == SplitBy::kSplit) {
    splits.train = items_of_split(manifest, "train");
    splits.dev = items_of_split(manifest, "dev");
    splits.test = items_of_split(manifest, "test");
    return splits;
  }
  const std::vector<std::size_t> group = dealt(manifest, options);
  const auto test = static_cast<std::size_t>(options.fold),
             dev = (test + 1) % static_cast<std::size_t>(options.folds);
  for (std::size_t i = 0; i < group.size(); ++i)
    (group[i] == test ? splits.test : group[i] == dev ? splits.dev : splits.train).push_back(i);
  if (splits.train.empty() || splits.dev.empty() || splits.test.empty())
    throw ConfigError(manifest.file.string() + ": " + std::to_string(options.folds) + " folds by " +
                      std::string(options.by.name()) +
                      " leave one of train, dev and test without an utterance; take fewer folds");
  return splits;
}

}  // namespace kgwalk::seq2seq
