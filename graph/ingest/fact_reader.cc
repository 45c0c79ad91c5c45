#include "graph/ingest/fact_reader.h"

#include <algorithm>
#include <string>
#include <vector>

#include "graph/ingest/formats/entity_table.h"
#include "graph/ingest/formats/neo4j_reader.h"
#include "graph/ingest/formats/rdfxml_reader.h"
#include "graph/ingest/formats/serd_reader.h"
#include "graph/ingest/formats/table_reader.h"
#include "graph/ingest/iri_names.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPollRows = 8192;

// Hands on what a reader finds in a file.
class FileSink final : public StatementSink {
 public:
  FileSink(Statements& statements, const OpenSource& source) : statements_(statements), source_(source) {}
  void add(const Statement& statement, std::size_t line) override {
    statements_.add(statement, line, source_.log, source_.counts);
  }
  void mention(const Term& term, std::size_t line) override { statements_.mention(term, line, source_.log); }
  void at(std::size_t position) override { source_.at(position); }

 private:
  Statements& statements_;
  const OpenSource& source_;
};

// Says why a name cannot be used; false then.
bool name_is_good(std::string_view name, std::size_t line, const char* what, ProblemLog& log,
                  bool may_be_empty = false) {
  if (const auto at = invalid_utf8_at(name)) {
    log.skip(line, Reason::kInvalidUtf8,
             "the " + std::string(what) + " is not valid UTF-8 at its byte " + std::to_string(*at + 1));
    return false;
  }
  const std::string key = name_key(name);
  if (may_be_empty || (!key.empty() && key != "~")) return true;
  log.skip(line, Reason::kEmptyName, "the " + std::string(what) + " is empty");
  return false;
}

// What relative IRIs begin with: the name of the file, without the folders of this machine.
std::string base_of(const InputOptions& input, const fs::path& file) {
  if (!input.base.empty()) return input.base;
  return "file:///" + (file == "-" ? std::string("stdin") : file.filename().string());
}

}  // namespace

FactReader::FactReader(const IngestOptions& options, SourceFiles& files, IngestReport& report)
    : options_(options), files_(files), report_(report), statements_(options.input) {}

void FactReader::read_all(const StopFlag& stop) {
  const bool table = read_entities_if_table(stop);
  listed_empty_name_ = !table && list_has_empty_name(stop);
  if (listed_empty_name_) builder_.allow_empty_entity();
  read_id_maps(stop);
  for (const fs::path& file : options_.triples) read_triples(file);
  statements_.give_facts(builder_);
  report_.relations_in_use = builder_.num_relations();
  statements_.give_other_entities(builder_);
  if (!options_.entities.empty() && !table) read_names(options_.entities, FileKind::kEntities);
  if (!options_.relations.empty()) read_names(options_.relations, FileKind::kRelations);
  if (!options_.annotation_only.empty()) read_annotation_only();
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
  const std::string name = file.string();
  const bool csv = format_of(file) == InputFormat::kCsv, tsv = name.find(".tsv") != std::string::npos;
  if (name.empty() || (!csv && !tsv)) return false;
  {
    const InputBytes input(file, files_.spool(), stop);
    if (!is_entity_header(input.bytes().substr(0, input.bytes().find('\n')), csv ? ',' : '\t')) return false;
  }
  files_.read(file, FileKind::kEntities, [&](const OpenSource& source) {
    TableRows rows(source.bytes,
                   {.separator = csv ? ',' : '\t', .quoted = csv, .max_row_bytes = options_.max_line_bytes},
                   source.log);
    std::vector<std::string> header;
    if (!rows.next(header)) throw DataError(source.log.file(), 1, "the header of the table cannot be read");
    naming_ = has_id_column(header) ? Naming::kByIds : Naming::kByNames;
    source.counts.names =
        read_entity_table(header, rows, options_.input, statements_, source.log, source.counts);
    source.counts.lines = rows.line();
    report_.labels += source.counts.labels;
    report_.values += source.counts.values;
    report_.aliases += source.counts.aliases;
    report_.descriptions += source.counts.descriptions;
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

InputFormat FactReader::format_of_file(const fs::path& file) const {
  const InputOptions& input = options_.input;
  if (input.format != InputFormat::kAuto) return input.format;
  const bool tsv = file.string().find(".tsv") != std::string::npos;
  if (tsv && input.columns != InputOptions().columns) return InputFormat::kTsv;
  return format_of(file);
}

void FactReader::read_triples(const fs::path& file) {
  files_.read(file, FileKind::kTriples, [&](const OpenSource& source) {
    const InputFormat format = format_of_file(file);
    source.counts.format = Choice<InputFormat>(format).name();
    if (format == InputFormat::kTriples)
      read_plain(source);
    else if (format == InputFormat::kCsv || format == InputFormat::kTsv || format == InputFormat::kNeo4j)
      read_table(source, format);
    else
      read_statements(source, format, file);
    const FileReport& counts = source.counts;
    report_.triple_lines += counts.triples;
    report_.labels += counts.labels;
    report_.values += counts.values;
    report_.dropped_literals += counts.dropped_literals;
    report_.aliases += counts.aliases;
    report_.descriptions += counts.descriptions;
  });
}

void FactReader::read_plain(const OpenSource& source) {
  builder_.reserve(report_.triple_lines + source.bytes.size() / 40);
  source.counts.lines = files_.for_each_line(source, [&](std::string_view line, std::size_t number) {
    Fields fields;
    if (!split_triple(line, number, source.log, fields)) return;
    // The header that PyKEEN writes over its numbers.
    if (entity_ids_ && number == 1 && !is_number(fields.head) && !is_number(fields.tail)) return;
    take(fields, number, source);
  });
}

void FactReader::read_table(const OpenSource& source, InputFormat format) {
  const InputOptions& input = options_.input;
  const char usual = format == InputFormat::kTsv ? '\t' : ',';
  TableRows rows(source.bytes,
                 {.separator = input.separator != '\0' ? input.separator : usual,
                  .quoted = format != InputFormat::kTsv,
                  .max_row_bytes = options_.max_line_bytes},
                 source.log);
  const bool has_header = format == InputFormat::kNeo4j || !are_numbers(input.columns);
  std::vector<std::string> row;
  if (has_header && !rows.next(row))
    throw DataError(source.log.file(), 0, "the file is empty; expected a table with a header");
  FileSink sink(statements_, source);
  if (format == InputFormat::kNeo4j || (has_header && is_neo4j_header(row))) {
    source.counts.format = Choice<InputFormat>(InputFormat::kNeo4j).name();
    return read_neo4j(row, rows, input, source.log, sink);
  }
  const Columns columns =
      has_header ? find_columns(row, input.columns, source.log.file()) : numbered_columns(input.columns);
  const MoreColumns more =
      has_header ? find_more_columns(row, input, source.log.file()) : numbered_more_columns(input);
  if (has_header) rows.expect(row.size());
  for (std::size_t handled = 1; rows.next(row); ++handled) {
    if (*std::max_element(columns.begin(), columns.end()) >= row.size()) {
      source.log.skip(rows.line(), Reason::kFieldCount,
                      "the row has " + std::to_string(row.size()) + " fields only");
      continue;
    }
    for (const std::size_t column : columns)
      row[column] = name_text(row[column]);  // a cell may have several lines
    Fields fields{row[columns[0]], row[columns[1]], row[columns[2]]};
    if (take_more(row, more, rows.line(), source.log, fields)) take(fields, rows.line(), source);
    if (handled % kPollRows == 0) source.at(rows.position());
  }
  source.counts.lines = rows.line();
}

void FactReader::read_statements(const OpenSource& source, InputFormat format, const fs::path& file) {
  ++num_rdf_files_;
  const std::string prefix = num_rdf_files_ == 1 ? "" : "f" + std::to_string(num_rdf_files_);
  const RdfText text{source.bytes, base_of(options_.input, file), prefix};
  FileSink sink(statements_, source);
  if (format == InputFormat::kRdfXml)
    read_rdf_xml(text, source.log, sink);
  else
    read_with_serd(text, format, source.log, sink);
  const auto ends = std::count(source.bytes.begin(), source.bytes.end(), '\n');
  source.counts.lines =
      static_cast<std::uint64_t>(ends) + (source.bytes.empty() || source.bytes.back() == '\n' ? 0 : 1);
}

bool FactReader::split_triple(std::string_view line, std::size_t number, ProblemLog& log, Fields& out) const {
  const std::size_t first = line.find('\t');
  const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
  if (second == std::string_view::npos || line.find('\t', second + 1) != std::string_view::npos) {
    const auto fields = 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
    log.skip(number, Reason::kFieldCount,
             std::to_string(fields) + (fields == 1 ? " field" : " fields") +
                 " instead of three; head, relation and tail are separated by tabs");
    return false;
  }
  out = {line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)};
  return true;
}

bool FactReader::look_up_ids(Fields& fields, std::size_t line, ProblemLog& log) const {
  if (!entity_ids_) return true;
  const auto look_up = [&](const IdMap& map, std::string_view& field, const char* what) {
    const auto name = map.name(field);
    if (name)
      field = *name;
    else
      log.skip(line, Reason::kBadId,
               "the " + std::string(what) + " '" + std::string(field) + "' is no id of its map");
    return name.has_value();
  };
  return look_up(*entity_ids_, fields.head, "head") && look_up(*relation_ids_, fields.relation, "relation") &&
         look_up(*entity_ids_, fields.tail, "tail");
}

bool FactReader::names_are_good(const Fields& f, std::size_t line, ProblemLog& log) const {
  const auto entity_is_good = [&](std::string_view name, const char* what) {
    return builder_.knows_entity_spelling(name) || name_is_good(name, line, what, log, listed_empty_name_);
  };
  return entity_is_good(f.head, "head") &&
         (builder_.knows_relation_spelling(f.relation) || name_is_good(f.relation, line, "relation", log)) &&
         entity_is_good(f.tail, "tail");
}

bool FactReader::take_more(const std::vector<std::string>& row, const MoreColumns& columns, std::size_t line,
                           ProblemLog& log, Fields& fields) const {
  const auto field = [&](std::size_t column) {
    return column < row.size() ? std::string_view(row[column]) : std::string_view();
  };
  fields.head_id = field(columns.head_id);
  fields.tail_id = field(columns.tail_id);
  fields.source = field(columns.source);
  if (const std::string_view text = field(columns.weight); !text.empty()) {
    fields.weight = weight_in(text);
    if (!fields.weight) {
      log.skip(line, Reason::kBadWeight, "the weight '" + std::string(text) + "' is no number of 0 or more");
      return false;
    }
  }
  for (const std::string_view id : {fields.head_id, fields.tail_id, fields.source})
    if (id.size() > options_.input.max_name_bytes) {
      log.skip(line, Reason::kLongName,
               "an id or source has " + std::to_string(id.size()) + " bytes; at most " +
                   std::to_string(options_.input.max_name_bytes) + " are taken");
      return false;
    }
  return true;
}

void FactReader::take(Fields& fields, std::size_t line, const OpenSource& source) {
  if (!look_up_ids(fields, line, source.log)) return;
  const bool has_ids = !fields.head_id.empty() || !fields.tail_id.empty();
  if (naming_ != Naming::kDirect || has_ids) return take_statement(fields, line, source);
  if (names_are_good(fields, line, source.log)) add(fields, source.counts);
}

void FactReader::take_statement(const Fields& fields, std::size_t line, const OpenSource& source) {
  const auto term = [&](std::string_view id, std::string_view name) {
    if (id.starts_with('"')) return literal_of_id(id, name);
    if (!id.empty()) return term_of_id(id);
    return naming_ == Naming::kByIds ? term_of_id(name) : Term{TermKind::kName, name, {}, {}};
  };
  const Statement statement{term(fields.head_id, fields.head),
                            {TermKind::kName, fields.relation, {}, {}},
                            term(fields.tail_id, fields.tail),
                            fields.source,
                            fields.weight};
  if (!statements_.are_good(statement, line, source.log)) return;
  const auto name = [&](std::string_view id, const Term& of, std::string_view text) {
    const bool says_more = !id.empty() && of.kind != TermKind::kLiteral && text != id;
    if (says_more) statements_.name(of, text, line, source.log);
  };
  name(fields.head_id, statement.subject, fields.head);
  name(fields.tail_id, statement.object, fields.tail);
  statements_.add(statement, line, source.log, source.counts);
}

void FactReader::add(const Fields& fields, FileReport& counts) {
  const EntityId head = builder_.entity(fields.head);
  const RelationId relation = builder_.relation(fields.relation);
  const Triple triple{head, relation, builder_.entity(fields.tail)};
  builder_.add(triple);
  ++counts.triples;
  if (!fields.weight && fields.source.empty()) return;
  if (noted_sources_.size() == 0) noted_sources_.insert("");
  std::uint32_t source = noted_sources_.find(fields.source);
  if (source == kNoName) source = noted_sources_.insert(fields.source);
  noted_.push_back({triple, fields.weight, source});
}

void FactReader::give_details(DetailsMaker& maker) const {
  statements_.give_details(maker);
  for (const NotedFact& fact : noted_)
    maker.add_fact(fact.triple, fact.weight, noted_sources_.strings()[fact.source]);
}

void FactReader::read_names(const fs::path& file, FileKind kind) {
  const bool entities = kind == FileKind::kEntities;
  files_.read(file, kind, [&](const OpenSource& source) {
    std::vector<bool> met;
    source.counts.lines = files_.for_each_line(source, [&](std::string_view line, std::size_t number) {
      const bool known =
          entities ? builder_.knows_entity_spelling(line) : builder_.knows_relation_spelling(line);
      if (!known && !name_is_good(line, number, entities ? "entity name" : "relation name", source.log))
        return;
      const std::uint32_t id = entities ? builder_.entity(line) : builder_.relation(line);
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
      Fields fields;
      if (!split_triple(line, number, source.log, fields) || !names_are_good(fields, number, source.log))
        return;
      const Triple triple{builder_.find_entity(fields.head), builder_.find_relation(fields.relation),
                          builder_.find_entity(fields.tail)};
      if (triple.head != kNoName && triple.relation != kNoName && triple.tail != kNoName &&
          builder_.mark_annotation_only(triple)) {
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
