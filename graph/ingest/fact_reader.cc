#include "graph/ingest/fact_reader.h"

#include <algorithm>
#include <string>
#include <vector>

#include "graph/ingest/formats/entity_table.h"
#include "graph/ingest/formats/readers.h"
#include "graph/ingest/formats/triples_reader.h"
#include "graph/ingest/sparql_source.h"
#include "graph/ingest/tables/table_reader.h"
#include "graph/ingest/tables/table_set.h"
#include "kgwalk/error.h"
#include "runtime/checksum.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBytesOfTriple = 40;  // a guess at a usual line

// Hands on what a reader finds in a file.
class FileSink final : public StatementSink {
 public:
  FileSink(Statements& statements, const OpenSource& source, std::uint32_t number)
      : statements_(statements), source_(source), file_{source.log, source.counts, number} {}
  bool add(const Statement& statement, std::size_t line) override {
    ++given_;
    return statements_.add(statement, line, file_);
  }
  bool mention(const Term& term, std::size_t line) override {
    return statements_.mention(term, line, source_.log);
  }
  void name(const Term& term, std::string_view text, std::size_t line) override {
    statements_.name(term, text, line, source_.log);
  }
  void prefix(std::string_view name, std::string_view iri) override { statements_.prefix(name, iri); }
  void at(std::size_t position) override { source_.at(position); }
  [[nodiscard]] std::size_t num_given() const noexcept { return given_; }

 private:
  Statements& statements_;
  const OpenSource& source_;
  StatementFile file_;
  std::size_t given_ = 0;
};

}  // namespace

std::uint64_t lines_of(std::string_view bytes) {
  const auto ends = std::count(bytes.begin(), bytes.end(), '\n');
  return static_cast<std::uint64_t>(ends) + (bytes.empty() || bytes.back() == '\n' ? 0 : 1);
}

FactReader::FactReader(const IngestOptions& options, SourceFiles& files, IngestReport& report)
    : options_(options), files_(files), report_(report), statements_(options.input) {}

void FactReader::read_all(const StopFlag& stop) {
  const bool table = read_entities_if_table(stop);
  if (!table && list_has_empty_name(stop)) statements_.allow_empty_entity();
  read_id_maps(stop);
  const TableSet tables(options_, files_.spool(), stop);
  const TablePlan plan = tables.tables().empty() ? TablePlan() : tables.plan();
  TableReader reader(tables.tables(), plan);
  for (const TableSet::Other& other : tables.others()) {
    const ObjectPlan objects =
        other.objects == nullptr ? ObjectPlan() : reader.plan_of_objects(*other.objects);
    read_graph_file(other.file, other.bytes.get(), objects);
  }
  read_tables(tables, reader);
  if (!options_.sparql.url.empty()) read_sparql(stop);
  const std::size_t told = report_.notes.size();
  for (const Statements::Lost& lost : statements_.give_facts(report_)) {
    files_.skip_late(lost.file, lost.line, Reason::kUnknownNode,
                     "no file has the node '" + lost.node + "' of this relationship");
    --report_.files[lost.file].second.triples;
    --report_.triple_lines;
  }
  for (std::size_t i = told; i < report_.notes.size(); ++i) files_.tell(report_.notes[i]);
  report_.relations_in_use = builder().num_relations();
  statements_.give_other_entities();
  if (!options_.entities.empty() && !table) read_names(options_.entities, FileKind::kEntities);
  if (!options_.relations.empty()) read_names(options_.relations, FileKind::kRelations);
  if (!options_.annotation_only.empty()) read_annotation_only();
}

std::size_t FactReader::read_statements(const fs::path& file, FileKind kind,
                                        const std::function<void(const InputText&, StatementSink&)>& read,
                                        const OpenedBytes* bytes) {
  std::size_t given = 0;
  const auto handle = [&](const OpenSource& source) {
    FileSink sink(statements_, source, static_cast<std::uint32_t>(report_.files.size()));
    const InputText text{.bytes = source.bytes,
                         .file_name = file == "-" ? "stdin" : file.filename().string(),
                         .folder = file == "-" ? fs::path() : file.parent_path(),
                         .blank_prefix = num_blank_files_ < 2 ? "" : "f" + std::to_string(num_blank_files_),
                         .options = options_.input,
                         .max_line_bytes = options_.max_line_bytes,
                         .entity_ids = entity_ids_.get(),
                         .relation_ids = relation_ids_.get(),
                         .names_are_ids = names_are_ids_,
                         .log = source.log,
                         .counts = source.counts};
    read(text, sink);
    count(source.counts);
    given = sink.num_given() + source.log.skipped();
  };
  if (bytes == nullptr)
    files_.read(file, kind, handle);
  else
    files_.read_opened(file == "-" ? "standard input" : file.string(), *bytes, kind, handle);
  return given;
}

void FactReader::count(const FileReport& counts) {
  report_.triple_lines += counts.triples;
  report_.labels += counts.labels;
  report_.values += counts.values;
  report_.dropped_literals += counts.dropped_literals;
  report_.aliases += counts.aliases;
  report_.descriptions += counts.descriptions;
}

void FactReader::read_tables(const TableSet& tables, TableReader& reader) {
  for (const std::string& note : tables.notes()) {
    report_.notes.push_back(note);
    files_.tell(note);
  }
  for (const auto& table : tables.tables()) {
    if (!reader.is_read(*table)) continue;
    files_.read_opened(table->place(), table->opened(), FileKind::kTriples, [&](const OpenSource& source) {
      FileSink sink(statements_, source, static_cast<std::uint32_t>(report_.files.size()));
      reader.read(*table, source, sink);
      count(source.counts);
    });
  }
}

void FactReader::read_graph_file(const fs::path& file, const InputBytes* bytes, const ObjectPlan& objects) {
  const InputFormat named = options_.input.format;
  const InputFormat format = named == InputFormat::kAuto ? format_of(file) : named;
  const InputFormatRow& row = input_format_row(format);
  if (row.has_blank_nodes) ++num_blank_files_;
  const OpenedBytes opened =
      bytes == nullptr ? OpenedBytes{} : OpenedBytes{bytes->bytes(), bytes->checksum(), bytes};
  read_statements(
      file, FileKind::kTriples,
      [&](const InputText& text, StatementSink& sink) {
        text.counts.format = Choice<InputFormat>(format).name();
        if (row.read == read_triples || row.format == InputFormat::kTsv)
          statements_.reserve(report_.triple_lines + text.bytes.size() / kBytesOfTriple);
        InputText planned = text;
        planned.objects = &objects;
        row.read(planned, sink);
      },
      bytes == nullptr ? nullptr : &opened);
}

void FactReader::read_sparql(const StopFlag& stop) {
  SparqlPages pages(options_.sparql, stop);
  if (pages.query().has_pages() && !pages.query().is_ordered()) {
    report_.notes.push_back(options_.sparql.query.string() +
                            ": without ORDER BY an endpoint may give some solutions twice and others never");
    files_.tell(report_.notes.back());
  }
  for (auto page = pages.next(); page; page = pages.next()) {
    ++num_blank_files_;
    const OpenedBytes opened{page->bytes, checksum_of(page->bytes)};
    const std::size_t given = read_statements(
        page->name, FileKind::kTriples,
        [&](const InputText& text, StatementSink& sink) {
          text.counts.format = Choice<InputFormat>(page->format).name();
          input_format_row(page->format).read(text, sink);
        },
        &opened);
    if (given == 0) return;
  }
}

// The official list of entities has an empty line, and four triples and two walked paths use that name. An
// empty name is an entity when both the list and a triple have it, and a bad line otherwise.
bool FactReader::list_has_empty_name(const StopFlag& stop) const {
  if (options_.entities.empty()) return false;
  const InputBytes input(options_.entities, files_.spool(), stop);
  return input.bytes().starts_with('\n') || input.bytes().find("\n\n") != std::string_view::npos;
}

bool FactReader::read_entities_if_table(const StopFlag& stop) {
  const fs::path& file = options_.entities;
  if (file.empty()) return false;
  const InputFormat format = format_of(file);
  if (format != InputFormat::kCsv && format != InputFormat::kTsv) return false;
  {
    const InputBytes input(file, files_.spool(), stop);
    if (!is_entity_header(input.bytes().substr(0, input.bytes().find('\n')))) return false;
  }
  read_statements(file, FileKind::kEntities, [&](const InputText& text, StatementSink& sink) {
    names_are_ids_ = read_entity_table(text, format == InputFormat::kCsv, sink);
    report_.triple_lines -= text.counts.triples;  // facts of their own kind, as ever
  });
  return true;
}

void FactReader::read_id_maps(const StopFlag& stop) {
  const InputOptions& input = options_.input;
  if (input.entity_ids.empty()) return;
  const auto read = [&](const fs::path& file, std::unique_ptr<InputBytes>& bytes,
                        std::unique_ptr<IdMap>& map) {
    bytes = std::make_unique<InputBytes>(file, files_.spool(), stop);
    files_.read(file, FileKind::kIds, [&](const OpenSource& source) {
      map = std::make_unique<IdMap>(bytes->bytes(), options_.max_line_bytes, source.log);
      source.counts.lines = map->lines();
      source.counts.names = map->size();
    });
  };
  read(input.entity_ids, entity_bytes_, entity_ids_);
  read(input.relation_ids, relation_bytes_, relation_ids_);
}

void FactReader::read_names(const fs::path& file, FileKind kind) {
  const bool entities = kind == FileKind::kEntities;
  files_.read(file, kind, [&](const OpenSource& source) {
    std::vector<bool> met;
    source.counts.lines = files_.for_each_line(source, [&](std::string_view line, std::size_t number) {
      const bool known =
          entities ? builder().knows_entity_spelling(line) : builder().knows_relation_spelling(line);
      const char* what = entities ? "entity name" : "relation name";
      if (!known && !name_is_good(line, number, what, source.log)) return;
      const std::uint32_t id = entities ? builder().entity(line) : builder().relation(line);
      if (id >= met.size()) met.resize(std::max<std::size_t>(id + std::size_t{1}, 2 * met.size()));
      source.counts.duplicates += met[id];
      met[id] = true;
      ++source.counts.names;
    });
  });
}

void FactReader::read_annotation_only() {
  files_.read(options_.annotation_only, FileKind::kAnnotationOnly, [&](const OpenSource& source) {
    source.counts.lines = files_.for_each_line(source, [&](std::string_view line, std::size_t number) {
      TripleFields fields;
      const bool good = split_triple(line, number, source.log, fields) &&
                        statements_.entity_is_good(fields.head, number, "head", source.log) &&
                        statements_.relation_is_good(fields.relation, number, "relation", source.log) &&
                        statements_.entity_is_good(fields.tail, number, "tail", source.log);
      if (!good) return;
      const Triple triple{builder().find_entity(fields.head), builder().find_relation(fields.relation),
                          builder().find_entity(fields.tail)};
      if (triple.head != kNoName && triple.relation != kNoName && triple.tail != kNoName &&
          builder().mark_annotation_only(triple)) {
        ++source.counts.triples;
      } else {
        source.log.skip(number, Reason::kUnknownTriple,
                        "the triple is in no file of triples; only those can be marked");
      }
    });
    report_.annotation_only = source.counts.triples;
  });
}

}  // namespace kgwalk::graph
