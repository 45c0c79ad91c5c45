#include "graph/ingest/source_files.h"

#include <algorithm>
#include <span>
#include <utility>

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPollLines = 8192;

std::string joined(std::span<const std::string> columns) {
  std::string text;
  for (const std::string& column : columns) text += (&column == columns.data() ? "" : ",") + column;
  return text;
}

// Those settings of the input that are not as they are by default.
template <class Add>
void add_input(const InputOptions& input, Add&& add) {
  const InputOptions plain;
  if (input.format != InputFormat::kAuto) add("format", std::string(input.format.name()));
  if (input.columns != plain.columns) add("columns", joined(input.columns));
  add("id_columns", joined(input.id_columns));
  add("weight", input.weight_column);
  add("source", input.source_column);
  if (input.separator != '\0') add("separator", std::string(1, input.separator));
  if (input.quote != plain.quote) add("quote", std::string(1, input.quote));
  if (input.list_separator != '\0') add("list_separator", std::string(1, input.list_separator));
  add("id", input.id_column);
  add("name", input.name_column);
  for (const std::string& link : input.links) add("link", link);
  add("entity_ids", input.entity_ids.string());
  add("relation_ids", input.relation_ids.string());
  if (input.labels != plain.labels)
    for (const std::string& label : input.labels) add("label", label);
  if (input.aliases != plain.aliases)
    for (const std::string& alias : input.aliases) add("alias", alias);
  if (input.descriptions != plain.descriptions)
    for (const std::string& description : input.descriptions) add("description", description);
  if (input.language != plain.language) add("language", input.language);
  if (input.literals != LiteralUse::kEntities) add("literals", std::string(input.literals.name()));
  add("base", input.base);
  add("context", input.context.string());
  if (input.max_name_bytes != plain.max_name_bytes)
    add("max_name_bytes", std::to_string(input.max_name_bytes));
}

std::string shares_of(const Division& division) {
  std::string text;
  for (const auto& [name, share] : division.shares) {
    std::string number = std::to_string(share);
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    text += (text.empty() ? "" : ",") + name + "=" + number;
  }
  return text;
}

}  // namespace

Remedy ingestion_again(const IngestOptions& options) {
  Remedy remedy{Remedy::kIngest, options.database.string()};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) remedy.arguments.emplace_back(name, value);
  };
  for (const fs::path& file : options.triples) add("triples", file.string());
  if (!options.sparql.url.empty()) {
    add("from_sparql", options.sparql.url);
    add("query", options.sparql.query.string());
  }
  add_input(options.input, add);
  add("mapping", options.mapping.string());
  add("entities", options.entities.string());
  add("relations", options.relations.string());
  add("annotation_only", options.annotation_only.string());
  for (const DialogueSource& d : options.dialogues)
    add("dialogues", d.split.empty() ? d.file.string() : d.split + "=" + d.file.string());
  if (!options.division.shares.empty()) {
    add("split", shares_of(options.division));
    add("split_seed", std::to_string(options.division.seed));
  }
  if (options.strict) add("strict", "true");
  if (options.replace) add("replace", "true");
  return remedy;
}

void SourceFiles::poll() const {
  if (stop_.requested())
    throw Stopped("the ingestion was stopped and nothing was written", ingestion_again(options_));
}

void SourceFiles::read(const fs::path& file, FileKind kind,
                       const std::function<void(const OpenSource&)>& read) {
  const std::string name = file == "-" ? "standard input" : file.string();
  const InputBytes input(file, spool_, stop_);
  read_opened(name, {input.bytes(), input.checksum(), &input}, kind, read);
}

void SourceFiles::read_opened(const std::string& name, const OpenedBytes& input, FileKind kind,
                              const std::function<void(const OpenSource&)>& read) {
  ProblemLog log(name, options_.strict, options_.max_reported, reporter_);
  const auto progress = reporter_.start("reading " + fs::path(name).filename().string(),
                                        static_cast<std::int64_t>(input.bytes.size()), "bytes");
  FileReport counts;
  counts.kind = kind;
  counts.bytes = input.bytes.size();
  std::size_t shown = 0;
  read({input.bytes, log, counts, [&](std::size_t position) {
          poll();
          if (input.input != nullptr) input.input->release_before(position);
          progress->add(static_cast<std::int64_t>(position - shown));
          shown = position;
        }});
  progress->add(static_cast<std::int64_t>(input.bytes.size() - shown));
  log.finish();
  counts.skipped = log.skipped();
  counts.skipped_by_reason = log.skipped_by_reason();
  counts.repaired_by_reason = log.repaired_by_reason();
  report_.skipped += log.skipped();
  report_.problems.insert(report_.problems.end(), log.reported().begin(), log.reported().end());
  report_.notes.insert(report_.notes.end(), log.notes().begin(), log.notes().end());
  checksums_[name] = input.checksum;
  report_.files.emplace_back(name, std::move(counts));
}

void SourceFiles::skip_late(std::size_t file, std::size_t line, Reason reason, std::string_view why) {
  auto& [name, counts] = report_.files.at(file);
  const DataError error(name, line, why);
  if (options_.strict) throw error;
  ++counts.skipped;
  ++counts.skipped_by_reason[reason];
  ++report_.skipped;
  const auto of_file = [&](const std::string& problem) { return problem.starts_with(name + ":"); };
  const auto told = std::count_if(report_.problems.begin(), report_.problems.end(), of_file);
  if (static_cast<std::size_t>(told) >= options_.max_reported) return;
  report_.problems.emplace_back(error.what());
  reporter_.warn(report_.problems.back());
}

std::size_t SourceFiles::for_each_line(const OpenSource& source,
                                       const std::function<void(std::string_view, std::size_t)>& handle) {
  LineReader lines(source.bytes, options_.max_line_bytes, source.log);
  std::size_t handled = 0;
  for (std::string_view line; lines.next(line);) {
    handle(line, lines.number());
    if (++handled % kPollLines == 0) source.at(lines.position());
  }
  return lines.number();
}

}  // namespace kgwalk::graph
