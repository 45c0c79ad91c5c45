#include "graph/ingest/formats/neo4j_reader.h"

#include <algorithm>
#include <string>

#include "graph/ingest/formats/table_columns.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Property {
  std::size_t column;
  std::string name;
  bool is_list;
};

// An id column with its space: ids of different spaces are different nodes.
struct IdColumn {
  std::size_t column = kNone;
  std::string space = {};
  [[nodiscard]] std::string key(const std::vector<std::string>& row) const {
    return space.empty() ? row[column] : space + "/" + row[column];
  }
};

struct Layout {
  IdColumn id, start, end;
  std::size_t labels = kNone, type = kNone, weight = kNone, source = kNone;
  std::vector<Property> properties;
  char label_separator = ';', list_separator = ';';
};

// What stands in brackets: the id space.
std::string space_of(std::string_view tag) {
  const std::size_t open = tag.find('('), close = tag.find(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return std::string(tag.substr(open + 1, close - open - 1));
}

// "place:point{crs:WGS-84}" has options in braces behind its type.
void add_admin_column(Layout& layout, const std::string& header, std::size_t column) {
  const std::string field = header.ends_with('}') ? header.substr(0, header.rfind('{')) : header;
  const std::size_t colon = field.rfind(':');
  const std::string tag = colon == std::string::npos ? std::string() : field.substr(colon + 1);
  const std::string name = field.substr(0, colon);
  if (tag.starts_with("ID"))
    layout.id = {column, space_of(tag)};
  else if (tag.starts_with("START_ID"))
    layout.start = {column, space_of(tag)};
  else if (tag.starts_with("END_ID"))
    layout.end = {column, space_of(tag)};
  else if (tag == "LABEL")
    layout.labels = column;
  else if (tag == "TYPE")
    layout.type = column;
  else if (tag != "IGNORE" && !name.empty())
    layout.properties.push_back({column, name, tag.ends_with("[]")});
}

void add_apoc_column(Layout& layout, const std::string& field, std::size_t column) {
  if (field == "_id")
    layout.id = {column};
  else if (field == "_labels")
    layout.labels = column;
  else if (field == "_start")
    layout.start = {column};
  else if (field == "_end")
    layout.end = {column};
  else if (field == "_type")
    layout.type = column;
  else if (!field.empty())
    layout.properties.push_back({column, field, false});
}

Layout layout_of(const std::vector<std::string>& header, const std::string& file) {
  Layout layout;
  const bool apoc = std::any_of(header.begin(), header.end(),
                                [](const std::string& f) { return f == "_id" || f == "_start"; });
  if (apoc) layout.label_separator = ':';
  for (std::size_t i = 0; i < header.size(); ++i)
    apoc ? add_apoc_column(layout, header[i], i) : add_admin_column(layout, header[i], i);
  const bool has_ends = layout.start.column != kNone && layout.end.column != kNone && layout.type != kNone;
  if (layout.id.column == kNone && !has_ends)
    throw DataError(
        file, 1,
        "the header is none of Neo4j's: neither :ID nor :START_ID, :END_ID and :TYPE (apoc: _id, or "
        "_start, _end and _type)");
  return layout;
}

class Rows {
 public:
  Rows(const Layout& layout, ProblemLog& log, StatementSink& sink)
      : layout_(layout), log_(log), sink_(sink) {}

  void read(const std::vector<std::string>& row, std::size_t line) {
    line_ = line;
    if (filled(layout_.id.column, row)) return node(row);
    if (layout_.start.column == kNone) return empty("the node's id");
    for (const std::size_t column : {layout_.start.column, layout_.end.column, layout_.type})
      if (!filled(column, row)) return empty("an end or the type of a relationship");
    const std::string start = layout_.start.key(row), end = layout_.end.key(row);
    Statement statement{{TermKind::kIri, start, {}, {}},
                        {TermKind::kIri, row[layout_.type], {}, {}},
                        {TermKind::kIri, end, {}, {}}};
    statement.between_nodes = true;
    if (filled(layout_.source, row)) statement.source = row[layout_.source];
    if (filled(layout_.weight, row)) {
      statement.weight = weight_in(row[layout_.weight]);
      if (!statement.weight) {
        log_.skip(line_, Reason::kBadWeight,
                  "the weight '" + row[layout_.weight] + "' is no number of 0 or more");
        return;
      }
    }
    sink_.add(statement, line_);
  }

 private:
  static bool filled(std::size_t column, const std::vector<std::string>& row) {
    return column != kNone && !row[column].empty();
  }
  void empty(const std::string& what) { log_.skip(line_, Reason::kEmptyName, what + " is empty"); }

  void add(const Term& subject, std::string_view predicate, const Term& object) {
    sink_.add({subject, {TermKind::kIri, predicate, {}, {}}, object}, line_);
  }

  // Calls handle(part) for each part that is not empty.
  template <class Handle>
  static void for_each_part(std::string_view text, char separator, Handle&& handle) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(separator), text.size());
      if (end > 0) handle(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  void node(const std::vector<std::string>& row) {
    const std::string key = layout_.id.key(row);
    const Term subject{TermKind::kIri, key, {}, {}};
    if (!sink_.mention(subject, line_)) return;
    if (layout_.labels != kNone)
      for_each_part(row[layout_.labels], layout_.label_separator, [&](std::string_view label) {
        const std::string name = "label/" + std::string(label);  // no id of a node
        add(subject, kRdfType, {TermKind::kIri, name, {}, {}});
      });
    for (const Property& property : layout_.properties) {
      const std::string& value = row[property.column];
      const auto take = [&](std::string_view text) {
        add(subject, property.name, {TermKind::kLiteral, text, {}, {}});
      };
      if (property.is_list)
        for_each_part(value, layout_.list_separator, take);
      else if (!value.empty())
        take(value);
    }
  }

  const Layout& layout_;
  ProblemLog& log_;
  StatementSink& sink_;
  std::size_t line_ = 0;
};

}  // namespace

void read_neo4j(const std::vector<std::string>& header, TableRows& rows, const InputText& text,
                StatementSink& sink) {
  const InputOptions& input = text.options;
  Layout layout = layout_of(header, text.log.file());
  if (input.list_separator != '\0') {
    layout.list_separator = input.list_separator;
    if (layout.label_separator == ';') layout.label_separator = input.list_separator;
  }
  for (const Property& property : layout.properties) {
    if (property.name == input.weight_column) layout.weight = property.column;
    if (property.name == input.source_column) layout.source = property.column;
  }
  rows.expect(header.size());
  Rows reader(layout, text.log, sink);
  for (std::vector<std::string> row; rows.next(row);) {
    reader.read(row, rows.line());
    sink.at(rows.position());
  }
}

}  // namespace kgwalk::graph
