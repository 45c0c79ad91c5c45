#include "graph/ingest/formats/csv_reader.h"

#include <algorithm>
#include <string>
#include <vector>

#include "graph/ingest/formats/named_facts.h"
#include "graph/ingest/formats/neo4j_reader.h"
#include "graph/ingest/formats/table_columns.h"
#include "graph/ingest/formats/table_shape.h"
#include "graph/ingest/formats/triples_reader.h"
#include "graph/ingest/iri_names.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kPollRows = 8192;

class TableReading {
 public:
  TableReading(const InputText& text, const GuessedShape& guessed, StatementSink& sink)
      : text_(text), sink_(sink), rows_(guessed.bytes, guessed.shape, text.log), facts_(text, sink) {}

  void run(bool neo4j) {
    const bool has_header = neo4j || !are_numbers(text_.options.columns);
    std::vector<std::string> row;
    if (has_header && !rows_.next(row))
      throw DataError(text_.log.file(), 0, "the file is empty; expected a table with a header");
    for (std::string& name : row) name = name_text(name);
    if (neo4j || (has_header && is_neo4j_header(row))) {
      text_.counts.format = Choice<InputFormat>(InputFormat::kNeo4j).name();
      read_neo4j(row, rows_, text_, sink_);
    } else {
      read_facts(row, has_header);
    }
    text_.counts.lines = rows_.line();
  }

 private:
  void read_facts(std::vector<std::string>& row, bool has_header) {
    const InputOptions& input = text_.options;
    const Columns columns =
        has_header ? find_columns(row, input.columns, text_.log.file()) : numbered_columns(input.columns);
    const MoreColumns more =
        has_header ? find_more_columns(row, input, text_.log.file()) : numbered_more_columns(input);
    if (has_header) rows_.expect(row.size());
    for (std::size_t handled = 1; rows_.next(row); ++handled) {
      if (handled % kPollRows == 0) sink_.at(rows_.position());
      if (*std::max_element(columns.begin(), columns.end()) >= row.size()) {
        text_.log.skip(rows_.line(), Reason::kFieldCount,
                       "the row has " + std::to_string(row.size()) + " fields only");
        continue;
      }
      for (const std::size_t column : columns)
        row[column] = name_text(row[column]);  // a cell may have several lines
      NamedFact fact{row[columns[0]], row[columns[1]], row[columns[2]]};
      if (take_more(row, more, fact)) facts_.take(fact, rows_.line());
    }
  }

  // Whether the optional fields of a row can be used; fills them in.
  [[nodiscard]] bool take_more(const std::vector<std::string>& row, const MoreColumns& columns,
                               NamedFact& fact) const {
    const auto field = [&](std::size_t column) {
      return column < row.size() ? std::string_view(row[column]) : std::string_view();
    };
    fact.head_id = field(columns.head_id);
    fact.tail_id = field(columns.tail_id);
    fact.relation_id = field(columns.relation_id);
    fact.source = field(columns.source);
    if (const std::string_view weight = field(columns.weight); !weight.empty()) {
      fact.weight = weight_in(weight);
      if (!fact.weight) {
        text_.log.skip(rows_.line(), Reason::kBadWeight,
                       "the weight '" + std::string(weight) + "' is no number of 0 or more");
        return false;
      }
    }
    const std::size_t most = text_.options.max_name_bytes;
    for (const std::string_view id : {fact.head_id, fact.tail_id, fact.relation_id, fact.source})
      if (id.size() > most) {
        text_.log.skip(rows_.line(), Reason::kLongName,
                       "an id or source has " + std::to_string(id.size()) + " bytes; at most " +
                           std::to_string(most) + " are taken");
        return false;
      }
    return true;
  }

  const InputText& text_;
  StatementSink& sink_;
  TableRows rows_;
  NamedFacts facts_;
};

bool begins_with_header(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  std::string_view line = bytes.substr(0, bytes.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  bool has[3] = {};
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    const std::string name = name_text(line.substr(begin, end - begin));
    for (std::size_t role = 0; role < 3; ++role) has[role] = has[role] || is_usual_name(role, name);
    begin = end + 1;
  }
  return has[0] && has[1] && has[2];
}

}  // namespace

void read_csv(const InputText& text, StatementSink& sink) {
  TableReading(text, shape_of(text, ',', true), sink).run(false);
}

void read_neo4j_csv(const InputText& text, StatementSink& sink) {
  TableReading(text, shape_of(text, ',', true), sink).run(true);
}

void read_tsv(const InputText& text, StatementSink& sink) {
  const InputOptions& options = text.options;
  const bool is_table = options.format == InputFormat::kTsv || options.columns != InputOptions().columns ||
                        (text.entity_ids == nullptr && begins_with_header(text.bytes));
  if (is_table) {
    TableReading(text, shape_of(text, '\t', false), sink).run(false);
    return;
  }
  text.counts.format = Choice<InputFormat>(InputFormat::kTriples).name();
  read_triples(text, sink);
}

}  // namespace kgwalk::graph
