#include "graph/ingest/tables/table_set.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "graph/ingest/formats/json_reader.h"
#include "graph/ingest/tables/csv_table.h"
#include "graph/ingest/tables/json_table.h"
#include "graph/ingest/tables/sqlite_tables.h"
#include "graph/ingest/tables/table_series.h"
#include "kgwalk/error.h"
#include "runtime/json_text.h"
#include "runtime/temporary_folder.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

bool is_text_table(InputFormat format) { return format == InputFormat::kCsv || format == InputFormat::kTsv; }

// Without extensions, also those of packing.
std::string stem_of_file(const fs::path& file) {
  if (file == "-") return "rows";
  fs::path name = file.filename();
  for (std::string end = name.extension().string(); end == ".gz" || end == ".zst" || end == ".zstd";
       end = name.extension().string())
    name = name.stem();
  return name.stem().string();
}

}  // namespace

TableSet::TableSet(const IngestOptions& options, const fs::path& spool, const StopFlag& stop)
    : options_(options), spool_(spool), stop_(stop) {
  if (!options.mapping.empty())
    mapping_ = TablePlan::from_json(read_json_file(options.mapping.string()), options.mapping.string());
  for (const fs::path& file : options.triples)
    file != "-" && fs::is_directory(file) ? take_folder(file) : take(file, false);
}

TablePlan TableSet::plan() const {
  return options_.mapping.empty() ? guess_plan(tables_, options_.input, stop_) : mapping_;
}

void TableSet::take_folder(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (!entry.is_directory() && !entry.path().filename().string().starts_with('.'))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::size_t taken = 0;
  for (const fs::path& file : files) {
    if (format_of(file) == InputFormat::kTriples && !is_sqlite_file(file)) {
      notes_.push_back(file.string() +
                       ": not read, of a folder only files are whose ending tells a format, and SQLite's");
      continue;
    }
    ++taken;
    if (fs::file_size(file) == 0)
      notes_.push_back(file.string() + ": is empty and passed over");
    else
      take(file, true);
  }
  if (taken == 0)
    throw ConfigError(
        folder.string() +
        ": the folder has no file whose ending tells a format (csv, json, ttl, ...), nor a SQLite file");
}

void TableSet::take(const fs::path& file, bool in_folder) {
  if (file != "-" && is_sqlite_file(file)) {
    for (auto& table : open_sqlite_tables(file)) tables_.push_back(std::move(table));
    return;
  }
  const InputOptions& input = options_.input;
  const InputFormat format =
      input.format == InputFormat::kAuto || in_folder ? format_of(file) : InputFormat(input.format);
  if (format == InputFormat::kJson) return take_json(file);
  std::error_code ignored;
  if (!is_text_table(format) || !input.entity_ids.empty()) return others_.push_back({file}), void();
  auto bytes = std::make_unique<InputBytes>(file, spool_, stop_);
  const std::string name = free_name(file);
  const bool is_mapped = std::any_of(mapping_.tables.begin(), mapping_.tables.end(),
                                     [&](const TableMapping& mapping) { return mapping.table == name; });
  const bool is_told = is_mapped || !input.id_column.empty() || !input.name_column.empty();
  if (is_table_of_things(bytes->bytes(), format, input, is_told))
    tables_.push_back(std::make_unique<CsvTable>(file, name, std::move(bytes), format, options_));
  else
    others_.push_back(
        {file, file == "-" || !fs::is_regular_file(file, ignored) ? std::move(bytes) : nullptr});
}

// Fixtures are tables; of other objects it is planned what their keys lead to.
void TableSet::take_json(const fs::path& file) {
  const std::shared_ptr<InputBytes> bytes = std::make_unique<InputBytes>(file, spool_, stop_);
  if (!has_plain_objects(bytes->bytes(), options_.input)) return others_.push_back({file, bytes}), void();
  TableSources fixture = open_fixture(file, bytes);
  for (auto& table : fixture) tables_.push_back(std::move(table));
  if (!fixture.empty()) return;
  auto objects = open_objects(file, free_name(file), bytes);
  if (objects && is_series(*objects, stop_))
    return tables_.push_back(open_objects(file, free_name(file), bytes, true));
  others_.push_back({file, bytes, objects.get()});
  if (objects) tables_.push_back(std::move(objects));
}

// Two tables of one stem are told apart by their whole names.
std::string TableSet::free_name(const fs::path& file) const {
  const std::string stem = stem_of_file(file);
  const bool taken = std::any_of(tables_.begin(), tables_.end(),
                                 [&](const auto& table) { return table->header().name == stem; });
  return taken ? file.filename().string() : stem;
}

TablePlan plan_tables(const IngestOptions& options, const StopFlag& stop) {
  if (options.triples.empty())
    throw ConfigError("a plan needs at least one table", Remedy{Remedy::kGive, "triples"});
  const TemporaryFolder spool;
  const TableSet tables(options, spool.path(), stop);
  return tables.plan();
}

}  // namespace kgwalk::graph
